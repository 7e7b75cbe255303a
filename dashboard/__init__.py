"""The dashboard: pages, figures and what they share."""
