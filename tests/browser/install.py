"""Make sure that a Chromium is there for the browser tests, or say clearly that none is.

The system's own is used where there is one. Otherwise it is installed: from Debian's packages
where that is possible, and else by Playwright's download.
"""

import os
import shutil
import sys
from pathlib import Path

from deploy.packages import apt_install, succeeds

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def system_chromium() -> str | None:
    """Return the path of the system's Chromium, if it has one."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


def playwright_chromium() -> str | None:
    """Return the path of the Chromium that Playwright downloaded, if it did."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def chromium_path() -> str | None:
    """Return the Chromium to test with, if there is one."""
    return system_chromium() or playwright_chromium()


def _install() -> None:
    apt_install("chromium")
    if chromium_path() is None:
        succeeds(sys.executable, "-m", "playwright", "install", "--with-deps", "chromium")


def main() -> int:
    """Install what is missing; fail only where the tests must not go without."""
    if chromium_path() is None:
        _install()
    if chromium_path() is not None:
        return 0
    sys.stderr.write(
        "No Chromium, and none could be installed: BROWSER TESTS ARE SKIPPED.\n"
    )
    return 1 if os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    sys.exit(main())
