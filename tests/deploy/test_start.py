"""What `make class` says when it cannot start, and how often it tries again."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from dashboard.settings import UPLOAD_MEBIBYTES
from deploy import local
from deploy.nginx import ROOT, configuration, install


@pytest.mark.parametrize("count", [1, 2, 7])
def test_nginx_accepts_the_configuration(nginx: str, tmp_path: Path, count: int) -> None:
    servers = [f"127.0.0.1:{9000 + number}" for number in range(count)]
    written = tmp_path / "nginx.conf"
    written.write_text(configuration(servers, listen="127.0.0.1:8080", show_process=True))
    done = subprocess.run(
        [nginx, "-t", "-p", tmp_path, "-c", written, "-e", "stderr"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "warn" not in done.stderr


def test_the_upload_limit_is_the_dashboards_own() -> None:
    written = configuration(["127.0.0.1:1"], listen="8080")
    assert f"client_max_body_size {UPLOAD_MEBIBYTES}m;" in written


def start(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["local.py", *arguments])
    return local.main()


def test_without_nginx_the_message_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    assert start(monkeypatch) == 1
    assert "sudo apt-get install nginx" in capsys.readouterr().err


@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("", 0)])
def test_where_nginx_cannot_be_had_only_ci_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ci: str, code: int
) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)  # neither nginx nor apt-get
    monkeypatch.setenv("CI", ci)
    assert install() == code
    assert "ARE SKIPPED" in capsys.readouterr().err


def test_a_port_in_use_is_named(
    nginx: str,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert start(monkeypatch, "--port", str(port)) == 1
    assert f"cannot listen on 127.0.0.1:{port}" in capsys.readouterr().err


@pytest.mark.parametrize("count", ["0", "65", "two"])
def test_a_senseless_number_of_processes_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], count: str
) -> None:
    with pytest.raises(SystemExit):
        start(monkeypatch, "--processes", count)
    assert count in capsys.readouterr().err


def test_a_process_that_keeps_dying_is_not_started_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr(local.time, "monotonic", lambda: now)
    child = local.Child("false", ["false"], {})
    starts = 0
    for _ in range(600):  # two minutes, looked at five times a second
        if child.may_start_again():
            child.starts.append(now)
            starts += 1
        now += 0.2
    assert starts == 2 * local.MOST_STARTS


def test_a_process_that_cannot_start_ends_the_attempt(nginx: str) -> None:  # noqa: ARG001
    (port,) = local.free_ports(1)
    done = subprocess.run(
        [sys.executable, "deploy/local.py", f"--port={port}"],
        cwd=ROOT,
        env={**os.environ, "STREAMLIT_SERVER_SSL_CERT_FILE": "there-is-no-key-for-it"},
        capture_output=True,
        text=True,
        check=False,
        timeout=local.START_SECONDS,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert re.search(r"process \d stopped with code 1 while starting", done.stderr)
