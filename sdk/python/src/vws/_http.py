"""One exchange with a node, and the two ways to run the client's logic over it: blocking and async.

The logic is written once, as generators that yield what is to be done (send a request, sleep) and are given the outcome.
Keeps: every outcome is a Reply (the node answered, with any status) or Unreachable (it is unknown whether the request
arrived). Redirects are not followed: a signed path is meant for this node. No retries here.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast
from urllib.parse import quote, urlencode

import httpx

from ._base_errors import BadAnswer, BadCall, Refusal, Unreachable, VwsError
from .errors import BY_CODE

T = TypeVar("T")
_MAX_HEADER_DIGITS = 15
_OK = range(200, 300)
_MAX_ANSWER_BYTES = 128 * 1024 * 1024
"""No honest answer is nearly as long."""


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    """Raw path and query, percent-encoded."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: str | None = None


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def is_success(self) -> bool:
        return self.status in _OK

    def integer(self, name: str) -> int | None:
        text = self.headers.get(name, "")
        return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_HEADER_DIGITS else None

    @property
    def order(self) -> int | None:
        """The last order that the node had executed, or the order of this write."""
        return self.integer("x-service-order")

    @property
    def is_behind(self) -> bool:
        """The node is catching up, so what it shows may be old."""
        return "x-service-behind" in self.headers

    def json(self) -> Any:
        try:
            return json.loads(self.content)
        except ValueError as cause:
            raise BadAnswer("the node did not answer with JSON", status=self.status) from cause


@dataclass(frozen=True)
class Sleep:
    secs: float


Flow = Generator["Request | Sleep", "Reply | None", T]


def send(request: Request) -> Flow[Reply]:
    reply = yield request
    assert reply is not None
    return reply


def sleep(secs: float) -> Flow[None]:
    yield Sleep(secs)


def error_of(reply: Reply, txid: str | None = None) -> VwsError:
    """The error of a reply outside 2xx."""
    try:
        parsed = reply.json()
    except BadAnswer:
        parsed = None
    # A proxy's error page is an answer with that status, but without a code of a node.
    body = cast("dict[str, Any]", parsed) if isinstance(parsed, dict) else {}
    code, details = body.get("code"), body.get("details")
    own_txid = body.get("txid")
    more: dict[str, Any] = {
        "status": reply.status,
        "details": details if isinstance(details, dict) else None,
        "txid": own_txid if isinstance(own_txid, str) else txid,
        "retry_after": reply.integer("retry-after"),
    }
    if not isinstance(code, str):
        return BadAnswer(f"unexpected answer with status {reply.status}", **more)
    text = body.get("error")
    return BY_CODE.get(code, Refusal)(text if isinstance(text, str) else code, code=code, **more)


def segment(value: str) -> str:
    """One path segment. URLs drop the segments `.` and `..`, even percent-encoded."""
    if value in ("", ".", ".."):
        raise BadCall(f"no URL can carry the id {value!r}")
    return quote(value, safe="")


def query_text(query: Mapping[str, str | int | None]) -> str:
    given = {name: value for name, value in query.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _prepared(client: httpx.Client | httpx.AsyncClient, base_url: str, request: Request) -> httpx.Request:
    headers = {"accept": "*/*", **request.headers}
    try:
        built = client.build_request(
            request.method,
            base_url + request.path,
            headers=headers,
            content=None if request.body is None else request.body.encode(),
        )
    except httpx.InvalidURL as cause:
        raise BadCall(f"{base_url + request.path} is no URL") from cause
    sent, wanted = (
        built.url.raw_path.decode(),
        httpx.URL(base_url).raw_path.decode().rstrip("/") + request.path,
    )
    if sent != wanted:
        raise BadCall(f"{wanted} would be sent as {sent}")
    return built


def _lost(base_url: str, cause: httpx.HTTPError) -> Unreachable:
    return Unreachable(f"no answer from {base_url}: {cause or type(cause).__name__}")


@dataclass
class _Body:
    """
    The body of an answer, piece by piece: a node must neither fill the memory of whoever asks it nor hold it for ever with a
    byte now and then, which no wait for the next byte would notice.
    """

    response: httpx.Response
    began: float
    most_secs: float | None
    pieces: list[bytes] = field(default_factory=list[bytes])
    size: int = 0

    def take(self, piece: bytes) -> None:
        self.pieces.append(piece)
        self.size += len(piece)
        if self.size > _MAX_ANSWER_BYTES:
            text = f"the node's answer is longer than {_MAX_ANSWER_BYTES} bytes"
            raise BadAnswer(text, status=self.response.status_code)
        if self.most_secs is not None and time.monotonic() - self.began > self.most_secs:
            raise httpx.ReadTimeout("the answer took too long")

    def reply(self) -> Reply:
        return Reply(self.response.status_code, self.response.headers, b"".join(self.pieces))


def _send(client: httpx.Client, request: httpx.Request) -> Reply:
    began = time.monotonic()
    response = client.send(request, stream=True)
    try:
        body = _Body(response, began, client.timeout.read)
        for piece in response.iter_bytes():
            body.take(piece)
        return body.reply()
    finally:
        response.close()


async def _send_async(client: httpx.AsyncClient, request: httpx.Request) -> Reply:
    began = time.monotonic()
    response = await client.send(request, stream=True)
    try:
        body = _Body(response, began, client.timeout.read)
        async for piece in response.aiter_bytes():
            body.take(piece)
        return body.reply()
    finally:
        await response.aclose()


@dataclass
class BlockingDriver:
    """Runs flows in the calling thread."""

    client: httpx.Client
    base_url: str

    def run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                try:
                    outcome = self._perform(step)
                except VwsError as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(outcome)
        except StopIteration as end:
            return end.value

    def _perform(self, step: Request | Sleep) -> Reply | None:
        if isinstance(step, Sleep):
            time.sleep(step.secs)
            return None
        try:
            return _send(self.client, _prepared(self.client, self.base_url, step))
        except httpx.HTTPError as cause:
            raise _lost(self.base_url, cause) from cause


@dataclass
class AsyncDriver:
    """Runs flows in an event loop."""

    client: httpx.AsyncClient
    base_url: str

    async def run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                try:
                    outcome = await self._perform(step)
                except VwsError as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(outcome)
        except StopIteration as end:
            return end.value

    async def _perform(self, step: Request | Sleep) -> Reply | None:
        if isinstance(step, Sleep):
            await asyncio.sleep(step.secs)
            return None
        try:
            return await _send_async(self.client, _prepared(self.client, self.base_url, step))
        except httpx.HTTPError as cause:
            raise _lost(self.base_url, cause) from cause
