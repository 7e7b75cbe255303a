"""Start several dashboard processes behind nginx on this machine, for a class.

`python deploy/local.py --port 8501 --processes 4` prints the address when it answers, and ends
everything on SIGTERM or Ctrl-C. A process that dies is started again.
"""

import argparse
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # started as a script

from dashboard.settings import STOP_SECONDS
from deploy.nginx import MISSING, ROOT, configuration, nginx_path

START_SECONDS: Final = 60
KILL_AFTER_SECONDS: Final = STOP_SECONDS + 2
MOST_STARTS, STARTS_WITHIN_SECONDS = 5, 60


class StartError(Exception):
    """The processes or nginx did not start; the message says what to do."""


@dataclass
class Child:
    """A program in a process group of its own, with the times of its last starts."""

    name: str
    command: list[str]
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    starts: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_STARTS))

    def start(self) -> None:
        """Start the program, away from the terminal's Ctrl-C."""
        self.starts.append(time.monotonic())
        self.process = subprocess.Popen(  # noqa: S603
            self.command,
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )

    def ended(self) -> int | None:
        """Return the exit code of a program that is no longer there."""
        return None if self.process is None else self.process.poll()

    def may_start_again(self) -> bool:
        """Tell whether it died rarely enough; one that cannot start must not spin."""
        full = len(self.starts) == MOST_STARTS
        return not full or time.monotonic() - self.starts[0] > STARTS_WITHIN_SECONDS

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program and to whatever it started."""
        if self.process is not None:
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                return


def say(text: str) -> None:
    """Tell the person at the terminal."""
    sys.stderr.write(text + "\n")


def free_ports(count: int) -> list[int]:
    """Find free ports of this machine; all are held until the last is found."""
    probes = [socket.socket() for _ in range(count)]
    try:
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]
    finally:
        for probe in probes:
            probe.close()


def check_port(address: str, port: int) -> None:
    """Raise `StartError` where nginx could not listen."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            msg = f"cannot listen on {address}:{port} ({error.strerror}); choose another --port."
            raise StartError(msg) from error


def answers(address: str) -> bool:
    """Tell whether a server says that it is well."""
    try:
        with urlopen(f"{address}/health", timeout=2) as answer:  # noqa: S310
            return bool(answer.status == 200)
    except OSError:
        return False


class Classroom:
    """The processes, nginx in front of them, and what keeps them going."""

    def __init__(self, address: str, port: int, processes: int, folder: Path) -> None:
        program = nginx_path()
        if program is None:
            raise StartError(MISSING)
        check_port(address, port)
        self.stopping = threading.Event()
        self.address = f"http://{address}:{port}"
        self.ports = free_ports(processes)
        # the processes sign with one secret, which nobody else learns and no file keeps
        shared = {**os.environ, "STREAMLIT_SERVER_COOKIE_SECRET": secrets.token_hex(32)}
        run = [sys.executable, "-m", "streamlit", "run", "dashboard/serve.py"]
        self.servers = [
            Child(
                f"process {number}",
                [*run, "--server.address", "127.0.0.1", "--server.port", str(own)],
                shared,
            )
            for number, own in enumerate(self.ports, start=1)
        ]
        written = folder / "nginx.conf"
        written.write_text(
            configuration(
                [f"127.0.0.1:{own}" for own in self.ports],
                listen=f"{address}:{port}",
                show_process=True,
            ),
            encoding="utf-8",
        )
        self.proxy = Child(
            "nginx",
            [program, "-p", str(folder), "-c", str(written), "-e", "stderr"],
            dict(os.environ),
        )

    def start(self) -> None:
        """Start everything; return when it answers, or when told to stop before that."""
        for child in self.servers:
            child.start()
        self._wait(self.servers, [f"http://127.0.0.1:{port}" for port in self.ports])
        if not self.stopping.is_set():
            self.proxy.start()
            self._wait([self.proxy], [self.address])

    def _wait(self, started: list[Child], addresses: list[str]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while addresses and not self.stopping.wait(0.1):
            for child in started:
                if child.ended() is not None:
                    msg = f"{child.name} stopped with code {child.ended()} while starting."
                    raise StartError(msg)
            if time.monotonic() > deadline:
                msg = f"{addresses[0]} did not answer within {START_SECONDS} s."
                raise StartError(msg)
            addresses = [address for address in addresses if not answers(address)]

    def watch(self) -> int:
        """Start again what dies, until told to stop; return the exit code."""
        while not self.stopping.wait(0.2):
            if self.proxy.ended() is not None:
                say(f"nginx stopped with code {self.proxy.ended()}: ending.")
                return 1
            for child in self.servers:
                if child.ended() is not None and child.may_start_again():
                    say(
                        f"{child.name} stopped with code {child.ended()}: starting it again."
                    )
                    child.start()
        return 0

    def stop(self) -> None:
        """End nginx, then the processes; whatever does not follow in time is killed."""
        deadline = time.monotonic() + KILL_AFTER_SECONDS
        for child in (self.proxy, *self.servers):
            child.signal(signal.SIGTERM)
        for child in (self.proxy, *self.servers):
            if child.process is None:
                continue
            try:
                child.process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                say(f"{child.name} did not end in time: killed.")
            child.signal(signal.SIGKILL)
            child.process.wait()


def options() -> argparse.Namespace:
    """Read the command line."""
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument(
        "--address", default="127.0.0.1", help="0.0.0.0 opens it to the network"
    )
    parser.add_argument("--processes", type=int, default=max(2, cores))
    chosen = parser.parse_args()
    if not 1 <= chosen.processes <= 64:
        parser.error(f"--processes must be from 1 to 64; got {chosen.processes}.")
    return chosen


def main() -> int:
    """Run until SIGTERM, SIGINT or SIGHUP."""
    chosen = options()
    with tempfile.TemporaryDirectory(prefix="ranklens-") as folder:
        try:
            room = Classroom(chosen.address, chosen.port, chosen.processes, Path(folder))
        except StartError as error:
            say(str(error))
            return 1
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: room.stopping.set())
        try:
            room.start()
            if not room.stopping.is_set():
                sys.stdout.write(room.address + "\n")
                sys.stdout.flush()
            return room.watch()
        except StartError as error:
            say(str(error))
            return 1
        finally:
            room.stop()


if __name__ == "__main__":
    sys.exit(main())
