"""Programs from Debian's packages, installed where that needs no password."""

import os
import shutil
import subprocess


def succeeds(*command: str) -> bool:
    """Tell whether a command ran and ended well."""
    try:
        return subprocess.run(command, check=False, timeout=900).returncode == 0  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False


def apt_install(package: str) -> bool:
    """Install a package; False where there is no apt, no right or no network."""
    if shutil.which("apt-get") is None:
        return False
    prefix = () if os.geteuid() == 0 else ("sudo", "--non-interactive")
    return succeeds(*prefix, "apt-get", "update", "-qq") and succeeds(
        *prefix, "apt-get", "install", "-y", "-qq", package
    )
