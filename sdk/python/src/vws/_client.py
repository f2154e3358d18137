"""The two clients: `Client` blocks, `AsyncClient` is for an event loop. Both do the same (`_core`).

    client = Client("http://127.0.0.1:8338", key="alice.key")
    task = client.tasks.create(title="Count", description="Count the words.", budget=2_000_000)

Keeps: a write is signed once and sent again only as the same request, so nothing is paid twice; reads are not older than
the client's own writes; a refusal is raised as the class of its code (`vws.errors`).
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any

import httpx

from . import models
from ._async_resources import AsyncGroups
from ._base_errors import BadCall, VwsError
from ._batches import BatchingDriver, together
from ._calls import AsyncCalls, Calls
from ._core import Core
from ._http import BlockingDriver, Flow
from ._resources import Groups
from ._seen_order import SeenOrder
from ._signing import Key, SignedRequest, Signer
from ._spool import Entry, Spool

DEFAULT_NODE = "http://127.0.0.1:8338"
DEFAULT_TIMEOUT_SECS = 15.0
"""A node gives up ordering a write after 10 s."""
KeyLike = Signer | str | os.PathLike[str]
SpoolLike = Spool | str | os.PathLike[str]


def _core(
    key: KeyLike | None,
    api_key: str | None,
    chain_id: str | None,
    retries: int,
    seen_order: SeenOrder | None,
    spool: SpoolLike | None,
) -> Core:
    return Core(
        signer=Key.load(key) if isinstance(key, str | os.PathLike) else key,
        api_key=api_key,
        chain=chain_id,
        retries=retries,
        seen_order=seen_order or SeenOrder(),
        spool=Spool(spool) if isinstance(spool, str | os.PathLike) else spool,
    )


def _address(base_url: str | None) -> str:
    url = (base_url or os.environ.get("SERVICE_NODE") or DEFAULT_NODE).rstrip("/")
    if not url.startswith(("http://", "https://")):
        raise BadCall(f"{url} is not the address of a node: it begins with http:// or https://")
    return url


def _pauses() -> Iterator[float]:
    pause = 0.1
    while True:
        yield pause
        pause = min(pause * 1.5, 2.0)


def _next_pause(pauses: Iterator[float], until: float, task: models.Task, statuses: tuple[str, ...]) -> float:
    if time.monotonic() > until:
        raise TimeoutError(f"task {task.id} is {task.status}, not {' or '.join(statuses)}")
    return next(pauses)


def _all(core: Core, writes: Iterable[tuple[str, SignedRequest]]) -> Flow[list[Any]]:
    return together([core.submit(operation, request, may_have_run=True) for operation, request in writes])


class Client(Groups):
    """
    `base_url`: of a node; by default SERVICE_NODE of the environment, else http://127.0.0.1:8338. `key`: signs the writes: a
    `Key`, the path of a key file, or whatever has `public_key` and `sign`; without it they are sent with `api_key`, or
    unsigned. `chain_id`: to sign for; without it the node is asked once, and only a testnet is signed for. `timeout`: seconds
    to wait for one answer. `retries`: how often a write is sent again, after no answer or to a busy node; a read is repeated
    to a busy node only.
    `seen_order`: shared by the clients of several nodes. `spool`: folder that keeps signed writes until their outcome is known.
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        key: KeyLike | None = None,
        api_key: str | None = None,
        chain_id: str | None = None,
        timeout: float = DEFAULT_TIMEOUT_SECS,
        retries: int = 3,
        seen_order: SeenOrder | None = None,
        spool: SpoolLike | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        self.base_url = _address(base_url)
        self._core = _core(key, api_key, chain_id, retries, seen_order, spool)
        self._http = http_client or httpx.Client(timeout=timeout, follow_redirects=False)
        self._driver = BlockingDriver(self._http, self.base_url)
        super().__init__(Calls(self._core, self._driver))

    @property
    def signer(self) -> Signer | None:
        """What signs the writes of this client."""
        return self._core.signer

    @property
    def public_key(self) -> str | None:
        """Hex key of the signer; every call accepts it as an agent_id."""
        return self._core.own_key

    @property
    def seen_order(self) -> SeenOrder:
        return self._core.seen_order

    def prepare(self, operation: str, method: str, path: str, body: Mapping[str, Any]) -> SignedRequest:
        """Signs a write without sending it. `operation`: its operationId, such as `transactions_transfer`."""
        return self._driver.run(self._core.prepare(operation, method, path, body))

    def submit(self, operation: str, request: SignedRequest) -> Any:
        """Sends a signed write until there is a result; safe to call again with the same request. The answer as JSON."""
        return self._driver.run(self._core.submit(operation, request, may_have_run=True))

    def batch(self, writes: Iterable[tuple[str, SignedRequest]]) -> list[Any]:
        """
        Sends signed writes, each with its operationId, in as few requests as can be, and each until there is a result. In their
        order: the answer as JSON, or the error. They are executed in their order too, but none may need the effect of another.
        """
        return self._driver.run(_all(self._core, writes))

    def unfinished(self) -> list[Entry]:
        """Writes in the spool whose outcome is not known."""
        return self._core.spool.unfinished() if self._core.spool else []

    def resend(self, entries: Iterable[Entry] | None = None) -> dict[str, Any]:
        """Sends what is unfinished in the spool again. By TxID: the answer as JSON, or the error."""
        outcomes: dict[str, Any] = {}
        for entry in self.unfinished() if entries is None else entries:
            try:
                outcomes[entry.request.txid] = self._driver.run(self._core.resend(entry))
            except VwsError as error:
                outcomes[entry.request.txid] = error
        return outcomes

    def wait_for_task(self, task_id: str, *statuses: str, timeout: float = 600.0) -> models.Task:
        """Waits until a task has one of these statuses; raises TimeoutError after `timeout` seconds."""
        until, pauses = time.monotonic() + timeout, _pauses()
        while (task := self.tasks.get(task_id)).status not in statuses:
            time.sleep(_next_pause(pauses, until, task, statuses))
        return task

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class AsyncClient(AsyncGroups):
    """As `Client`, with methods to await."""

    def __init__(
        self,
        base_url: str | None = None,
        *,
        key: KeyLike | None = None,
        api_key: str | None = None,
        chain_id: str | None = None,
        timeout: float = DEFAULT_TIMEOUT_SECS,
        retries: int = 3,
        seen_order: SeenOrder | None = None,
        spool: SpoolLike | None = None,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self.base_url = _address(base_url)
        self._core = _core(key, api_key, chain_id, retries, seen_order, spool)
        self._http = http_client or httpx.AsyncClient(timeout=timeout, follow_redirects=False)
        self._driver = BatchingDriver(self._http, self.base_url)
        super().__init__(AsyncCalls(self._core, self._driver))

    @property
    def signer(self) -> Signer | None:
        """What signs the writes of this client."""
        return self._core.signer

    @property
    def public_key(self) -> str | None:
        """Hex key of the signer; every call accepts it as an agent_id."""
        return self._core.own_key

    @property
    def seen_order(self) -> SeenOrder:
        return self._core.seen_order

    async def prepare(self, operation: str, method: str, path: str, body: Mapping[str, Any]) -> SignedRequest:
        """Signs a write without sending it. `operation`: its operationId, such as `transactions_transfer`."""
        return await self._driver.run(self._core.prepare(operation, method, path, body))

    async def submit(self, operation: str, request: SignedRequest) -> Any:
        """Sends a signed write until there is a result; safe to call again with the same request. The answer as JSON."""
        return await self._driver.run(self._core.submit(operation, request, may_have_run=True))

    async def batch(self, writes: Iterable[tuple[str, SignedRequest]]) -> list[Any]:
        """
        Sends signed writes, each with its operationId, in as few requests as can be, and each until there is a result. In their
        order: the answer as JSON, or the error. They are executed in their order too, but none may need the effect of another.
        Many calls under way at once leave in batches without this, too.
        """
        return await self._driver.run(_all(self._core, writes))

    def unfinished(self) -> list[Entry]:
        """Writes in the spool whose outcome is not known."""
        return self._core.spool.unfinished() if self._core.spool else []

    async def resend(self, entries: Iterable[Entry] | None = None) -> dict[str, Any]:
        """Sends what is unfinished in the spool again. By TxID: the answer as JSON, or the error."""
        outcomes: dict[str, Any] = {}
        for entry in self.unfinished() if entries is None else entries:
            try:
                outcomes[entry.request.txid] = await self._driver.run(self._core.resend(entry))
            except VwsError as error:
                outcomes[entry.request.txid] = error
        return outcomes

    async def wait_for_task(self, task_id: str, *statuses: str, timeout: float = 600.0) -> models.Task:
        """Waits until a task has one of these statuses; raises TimeoutError after `timeout` seconds."""
        until, pauses = time.monotonic() + timeout, _pauses()
        while (task := await self.tasks.get(task_id)).status not in statuses:  # noqa: ASYNC110
            await asyncio.sleep(_next_pause(pauses, until, task, statuses))
        return task

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
