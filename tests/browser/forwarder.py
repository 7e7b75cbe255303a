"""A small TCP forwarder between browser and server that can be cut, or made slow."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable
from typing import Self


class Forwarder:
    """Pass every connection to this machine's port `port` on to its port `target`."""

    def __init__(self, port: int, target: int) -> None:
        self.port = port
        self.target = target
        self.delay = 0.0  # seconds that everything takes at least, in either direction
        self._is_cut = self._is_over = False
        self._ends: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        """Start to listen."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._listener.settimeout(0.1)
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        """Break all connections and wait until everything has ended."""
        self._is_over = True
        self._threads[0].join()
        self.cut()
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def cut(self) -> None:
        """Break all connections, and refuse new ones."""
        self._is_cut = True
        for end in list(self._ends):
            _shut(end)

    def mend(self) -> None:
        """Accept connections again."""
        self._is_cut = False

    def _start(self, work: Callable[..., None], *given: socket.socket) -> None:
        thread = threading.Thread(target=work, args=given, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._is_over:
            with contextlib.suppress(TimeoutError):
                near, _ = self._listener.accept()
                self._start(self._join, near)

    def _join(self, near: socket.socket) -> None:
        """Carry both directions until one of them ends."""
        with near:
            if self._is_cut:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                return  # the server is down
            with far:
                near.settimeout(None)
                self._ends |= {near, far}
                back = threading.Thread(target=self._carry, args=(far, near), daemon=True)
                back.start()
                self._carry(near, far)
                back.join()
                self._ends -= {near, far}

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(1_000_000):
                time.sleep(self.delay)
                sink.sendall(piece)
        _shut(source)
        _shut(sink)


def _shut(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
