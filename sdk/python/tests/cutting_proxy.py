"""A TCP proxy that cuts each connection after some bytes of answers, as bad networks do."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Generator
from urllib.parse import urlsplit


class CuttingProxy:
    def __init__(self, node: str, after: int) -> None:
        self._to = (urlsplit(node).hostname or "", urlsplit(node).port or 80)
        self._after = after
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.connections = 0

    def serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self.connections += 1
                upstream = socket.create_connection(self._to)
                threading.Thread(target=_copy, args=(client, upstream, None), daemon=True).start()
                threading.Thread(target=_copy, args=(upstream, client, self._after), daemon=True).start()

    def close(self) -> None:
        self._listener.close()


def _copy(source: socket.socket, target: socket.socket, most: int | None) -> None:
    copied = 0
    with contextlib.suppress(OSError):
        while (data := source.recv(512)) and (most is None or copied < most):
            target.sendall(data)
            copied += len(data)
    for one in (source, target):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()


@contextlib.contextmanager
def cutting_proxy(node: str, after: int) -> Generator[CuttingProxy, None, None]:
    proxy = CuttingProxy(node, after)
    threading.Thread(target=proxy.serve, daemon=True).start()
    try:
        yield proxy
    finally:
        proxy.close()
