"""The port to which JVMs connect: kept from the start, and served here when the recorder has died.

A thin edge of its own, since a JVM that cannot connect does not start.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading

CAN_SHARE = sys.platform == "linux"
"""Several sockets may have one port (SO_REUSEADDR) as long as one listens."""
_HANDSHAKE = b"JDWP-Handshake"


class Substitute:
    """Takes over the port of a recorder that has died: JVMs that call are greeted and let go.

    ``reserved`` is a socket that has the port already: what is left of the recorder's connections may keep a new one
    from getting it for minutes.
    """

    def __init__(self, pid: int, port: int, reserved: socket.socket | None) -> None:
        self._pid, self._port, self._reserved = pid, port, reserved
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stand_down(self) -> None:
        """From now on the recorder may end."""
        self._over.set()

    def close(self) -> None:
        """Ends it, once the recorder has ended."""
        self.stand_down()
        self._thread.join(timeout=5.0)

    def _watch(self) -> None:
        try:
            os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOWAIT)
        except ChildProcessError:  # it has ended, and that was seen elsewhere: nobody waits for it by then
            return
        if not self._over.is_set():
            self._serve()

    def _serve(self) -> None:
        with contextlib.ExitStack() as stack:
            listener = self._reserved
            while not self._over.is_set():
                try:
                    if listener is None:
                        listener = stack.enter_context(reserved_port(self._port))
                    listener.listen()
                    break
                except OSError:  # the port is not free yet
                    self._over.wait(0.1)
            if listener is None:
                return
            listener.settimeout(0.1)
            while not self._over.is_set():
                with contextlib.suppress(OSError):
                    self._let_go(listener)

    @staticmethod
    def _let_go(listener: socket.socket) -> None:
        """JDWP: both sides send the same words; when the debugger goes away, the JVM runs on."""
        caller, _ = listener.accept()
        with caller:
            caller.settimeout(2.0)
            caller.sendall(_HANDSHAKE)
            caller.recv(len(_HANDSHAKE))


def reserved_port(port: int = 0) -> socket.socket:
    """A socket that has a port of this machine and does not listen. Raises OSError."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(("127.0.0.1", port))
    except OSError:
        found.close()
        raise
    return found
