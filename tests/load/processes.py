"""Memory and processor time of a server with all its processes, as Linux tells them."""

import os
from pathlib import Path

PROC = Path("/proc")


def family(pid: int) -> list[int]:
    """List a process and everything that it started."""
    parents: dict[int, list[int]] = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            fields = _stat(int(entry.name))
            if fields:
                parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found = [pid]
    for one in found:
        found += parents.get(one, [])
    return found


def _stat(pid: int) -> list[str]:
    """Read the fields after the name, which may hold anything; none if it has ended."""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def cpu_seconds(pid: int) -> float:
    """Processor time of a process and everything that it started."""
    ticks = os.sysconf("SC_CLK_TCK")
    stats = [_stat(one) for one in family(pid)]
    return sum(int(fields[11]) + int(fields[12]) for fields in stats if fields) / ticks


def megabytes(pid: int) -> float:
    """Resident memory of a process and everything that it started."""
    page = os.sysconf("SC_PAGE_SIZE")
    stats = [_stat(one) for one in family(pid)]
    return sum(int(fields[21]) for fields in stats if fields) * page / 1e6
