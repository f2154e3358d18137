"""Follows the event stream of a node over any number of lost connections (protocol 9).

Keeps: every event after the starting point once, in the order of seq: each connection resumes after the last event that was
yielded. A slow reader is not an error: the node closes the connection, and it is resumed.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

from pydantic import ValidationError
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import connect

from ._base_errors import BadAnswer, BadCall, HistoryCut, Unreachable, VwsError
from ._core import Core
from ._http import AsyncDriver, BlockingDriver, Flow, Reply, error_of
from .stream_events import BY_TYPE, EventType, StreamMessage, UnknownEvent

MIN_RETRY_SECS, MAX_RETRY_SECS = 0.25, 30.0
_MAX_DOUBLINGS = 10
_OPEN_SECS = 15
_MAX_MESSAGE_BYTES = 16 * 1024 * 1024
"""No honest message is nearly as long: a node must not fill the memory of whoever follows it."""
_TRANSIENT = frozenset({429, 500, 502, 503, 504})


def parse(text: str | bytes) -> StreamMessage:
    """One message. A type that this version does not know gives an UnknownEvent."""
    try:
        value = json.loads(text)
        known = BY_TYPE.get(value["type"])
        if known is None:
            return UnknownEvent.model_validate({**value, "type": "unknown", "unknown_type": value["type"]})
        return known.model_validate(value)
    except (ValueError, KeyError, TypeError, ValidationError) as cause:
        raise BadAnswer("the stream sent something other than an event message") from cause


class Follower:
    """Where a stream is, and how long to wait before it is opened again."""

    def __init__(self, base_url: str, types: Sequence[EventType] | None, since: int | None, retries: int | None) -> None:
        if since is not None and since < 0:
            raise BadCall("since must be at least 0")
        self.position = since
        self._base_url, self._types, self._retries = base_url, types, retries
        self._failures = 0

    def begin(self, core: Core) -> Flow[None]:
        """Without a starting point: after the newest event."""
        if self.position is None:
            rows = yield from core.get("/v1/events/recent?limit=1")
            self.position = rows[0]["seq"] if rows else 0

    @property
    def url(self) -> str:
        query: dict[str, Any] = {"since": self.position}
        if self._types is not None:
            query["filter"] = ",".join(self._types) or "gap"
        return f"ws{self._base_url.removeprefix('http')}/v1/ws?{urlencode(query)}"

    def take(self, text: str | bytes) -> StreamMessage | None:
        """The message, unless it was had before: a node that is behind sends a gap that goes back, and repeats events."""
        message = parse(text)
        self._failures = 0
        reached = message.data.to if message.type == "gap" else message.seq
        if self.position is not None and reached <= self.position:
            return None
        self.position = reached
        return message

    def failed(self, cause: Exception) -> float:
        """Seconds until the next attempt; raises when it was the last, or when the node said no."""
        error = _error_of(cause, self._base_url)
        is_transient = isinstance(error, Unreachable) or error.status in _TRANSIENT
        if isinstance(error, HistoryCut) or not is_transient:
            raise error
        self._failures += 1
        if self._retries is not None and self._failures > self._retries:
            raise error
        pause = min(MIN_RETRY_SECS * 2 ** min(self._failures, _MAX_DOUBLINGS), MAX_RETRY_SECS)
        return pause * random.uniform(0.5, 1)  # noqa: S311


def _error_of(cause: Exception, base_url: str) -> VwsError:
    if isinstance(cause, VwsError):
        return cause
    if isinstance(cause, InvalidStatus):
        response = cause.response
        headers = {name.lower(): value for name, value in response.headers.raw_items()}
        return error_of(Reply(response.status_code, headers, bytes(response.body or b"")))
    return Unreachable(f"no stream from {base_url}: {cause or type(cause).__name__}")


_LOST = (OSError, TimeoutError, WebSocketException, VwsError)


def follow(driver: BlockingDriver, core: Core, follower: Follower) -> Iterator[StreamMessage]:
    while True:
        try:
            driver.run(follower.begin(core))
            with connect(follower.url, open_timeout=_OPEN_SECS, max_size=_MAX_MESSAGE_BYTES) as socket:
                while True:
                    message = follower.take(socket.recv())
                    if message is not None:
                        yield message
        except ConnectionClosed:
            pause = follower.failed(Unreachable(f"the stream from {driver.base_url} was closed"))
        except _LOST as cause:
            pause = follower.failed(cause)
        time.sleep(pause)


async def follow_async(driver: AsyncDriver, core: Core, follower: Follower) -> AsyncIterator[StreamMessage]:
    while True:
        try:
            await driver.run(follower.begin(core))
            async with connect_async(follower.url, open_timeout=_OPEN_SECS, max_size=_MAX_MESSAGE_BYTES) as socket:
                while True:
                    message = follower.take(await socket.recv())
                    if message is not None:
                        yield message
        except ConnectionClosed:
            pause = follower.failed(Unreachable(f"the stream from {driver.base_url} was closed"))
        except _LOST as cause:
            pause = follower.failed(cause)
        await asyncio.sleep(pause)
