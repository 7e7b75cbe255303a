"""nginx: where it is, how to get it, and its configuration.

`python -m deploy.nginx` installs it where it is missing and can be had;
`python -m deploy.nginx --configure app-1:8501 app-2:8501` prints a configuration.
"""

import argparse
import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from string import Template
from typing import Final

from dashboard.settings import UPLOAD_MEBIBYTES
from deploy.packages import apt_install

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
COOKIE: Final = "ranklens_process"
MISSING: Final = (
    "nginx is not installed. Get it with `sudo apt-get install nginx` (Debian, Ubuntu), or start "
    "one process without it: make run."
)


class _Template(Template):
    """A template whose places are written %{name}, since nginx's own variables begin with $."""

    delimiter = "%"


def nginx_path() -> str | None:
    """Return the path of nginx, if it is installed; Debian keeps it beside root's programs."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def _upstream(name: str, first: Sequence[str], others: Sequence[str] = ()) -> str:
    lines = [f"server {server} max_fails=1 fail_timeout=2s" for server in first]
    lines += [f"server {server} backup" for server in others]
    return (
        f"upstream {name} {{\n" + "".join(f"        {line};\n" for line in lines) + "    }"
    )


def configuration(
    servers: Sequence[str], *, listen: str, show_process: bool = False
) -> str:
    """Write nginx's configuration for the processes at these addresses (host:port).

    A person's cookie names a process by its number, counted from 1; `show_process` adds a
    header that tells which one answered.
    """
    numbered = list(enumerate(servers, start=1))
    upstreams = [
        _upstream(
            f"process_{number}", [server], [item for item in servers if item != server]
        )
        for number, server in numbered
    ]
    shown = "add_header X-Ranklens-Process $answered_by always;"
    return _Template((HERE / "nginx.conf.template").read_text(encoding="utf-8")).substitute(
        cookie=COOKIE,
        listen=listen,
        upload_limit=f"{UPLOAD_MEBIBYTES}m",
        upstreams="\n    ".join([_upstream("any_process", servers), *upstreams]),
        process_of_cookie="\n        ".join(f'"{n}" process_{n};' for n, _ in numbered),
        process_of_address="\n        ".join(
            f'"~(^| ){re.escape(server)}$" {n};' for n, server in numbered
        ),
        show_process=shown if show_process else "",
    )


def install() -> int:
    """Install nginx where it is missing; fail only where the tests must not go without."""
    if nginx_path() is None:
        apt_install("nginx")
    if nginx_path() is not None:
        return 0
    sys.stderr.write(f"{MISSING} THE TESTS OF SEVERAL PROCESSES ARE SKIPPED.\n")
    return 1 if os.environ.get("CI") == "true" else 0


def main() -> int:
    """Install nginx, or print a configuration."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--configure", nargs="+", metavar="HOST:PORT", help="the processes")
    parser.add_argument("--listen", default="8080", help="where nginx listens")
    options = parser.parse_args()
    if options.configure is None:
        return install()
    sys.stdout.write(configuration(options.configure, listen=options.listen))
    return 0


if __name__ == "__main__":
    sys.exit(main())
