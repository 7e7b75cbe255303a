"""Ranklens for a class: several processes behind nginx, and files for containers."""
