"""Many signed writes in one exchange (protocol 4.14).

`together` runs the logic of many calls side by side, and what they write leaves in batches. `BatchingDriver` makes batches
by itself: while few exchanges are under way a write goes out alone and at once; what comes meanwhile waits for the end of
one, and leaves together.

Keeps: each write has its own reply, or the error of the exchange that carried it; nothing is sent twice here.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from ._base_errors import BadAnswer, VwsError
from ._http import AsyncDriver, Flow, Reply, Request, Sleep

T = TypeVar("T")
MAX_EXCHANGES = 8
"""Exchanges of one client that may be under way before writes wait for each other."""
MAX_BATCH = 1_000
"""The node takes so many writes, and 2 MiB, in one request."""
_MAX_BATCH_BYTES = 1_500_000
_BYTES_BESIDES = 800
"""Of a write besides path and body: names, quotes, headers."""
_OK = 200


def is_signed(step: Request | Sleep) -> bool:
    return isinstance(step, Request) and step.method != "GET" and "X-Service-Signature" in step.headers


def _bytes_of(request: Request) -> int:
    """Its length as part of a batch at most: every character may need an escape, and three bytes."""
    return _BYTES_BESIDES + len(request.path) + 3 * len(request.body or "")


def fitting(requests: Sequence[Request]) -> int:
    """How many of them, from the first on, go into one request; at least one."""
    size = 0
    for count, request in enumerate(requests[:MAX_BATCH]):
        size += _bytes_of(request)
        if count > 0 and size > _MAX_BATCH_BYTES:
            return count
    return min(len(requests), MAX_BATCH)


def batch_of(requests: Sequence[Request]) -> Request:
    items = [
        {"method": each.method, "path": each.path, "headers": dict(each.headers), "body": each.body or ""} for each in requests
    ]
    body = json.dumps({"requests": items}, ensure_ascii=False, separators=(",", ":"))
    return Request("POST", "/v1/batch", {"content-type": "application/json"}, body)


def _outcome(result: object) -> Reply:
    fields = cast("dict[str, Any]", result) if isinstance(result, dict) else {}
    if not isinstance(fields.get("status"), int):
        raise BadAnswer("an outcome of a batch has no status")
    given = {"x-service-order": fields.get("order"), "retry-after": fields.get("retry_after")}
    headers = {name: str(value) for name, value in given.items() if isinstance(value, int)}
    return Reply(fields["status"], headers, json.dumps(fields.get("body")).encode())


def outcomes_of(reply: Reply, count: int) -> list[Reply]:
    """The reply of each. If the node refused the whole, that is the reply of each; raises BadAnswer for too few outcomes."""
    if reply.status != _OK:
        return [reply] * count
    whole = reply.json()
    results = cast("dict[str, Any]", whole).get("results") if isinstance(whole, dict) else None
    listed = cast("list[object]", results) if isinstance(results, list) else []
    if len(listed) != count:
        raise BadAnswer("the node did not answer with an outcome for each request of a batch", status=reply.status)
    return [_outcome(result) for result in listed]


def _carried(requests: Sequence[Request]) -> Flow[Sequence[Reply | VwsError]]:
    """Sends them, in one request if there are several. An error is that of each, as an object of its own."""
    try:
        reply = yield requests[0] if len(requests) == 1 else batch_of(requests)
        assert reply is not None
        return [reply] if len(requests) == 1 else outcomes_of(reply, len(requests))
    except VwsError as error:
        return [copy(error) for _ in requests]


def together(flows: Sequence[Flow[T]]) -> Flow[list[T | VwsError]]:
    """Runs all of them to their ends; the result of each, or its error. What is signed and due at once leaves in batches."""
    results: dict[int, T | VwsError] = {}
    due: dict[int, Request | Sleep] = {}

    def advance(index: int, resume: Callable[[], Request | Sleep]) -> None:
        try:
            due[index] = resume()
        except StopIteration as end:
            results[index] = end.value
        except VwsError as error:
            results[index] = error

    def go_on(index: int, outcome: Reply | VwsError | None) -> None:
        flow = flows[index]
        if isinstance(outcome, VwsError):
            advance(index, lambda: flow.throw(outcome))
        else:
            advance(index, lambda: flow.send(outcome))

    for index, flow in enumerate(flows):
        advance(index, lambda flow=flow: next(flow))
    while due:
        steps, sleeps = dict(due), [step.secs for step in due.values() if isinstance(step, Sleep)]
        due.clear()
        if sleeps:
            yield Sleep(max(sleeps))
        for indexes, requests in _exchanges(steps):
            for index, outcome in zip(indexes, (yield from _carried(requests)), strict=True):
                go_on(index, outcome)
        for index, step in steps.items():
            if isinstance(step, Sleep):
                go_on(index, None)
    return [results[index] for index in range(len(flows))]


def _exchanges(steps: dict[int, Request | Sleep]) -> Iterator[tuple[list[int], list[Request]]]:
    """What is to be sent: signed writes in batches, in their order; all else alone."""
    signed = [(index, step) for index, step in steps.items() if isinstance(step, Request) and is_signed(step)]
    while signed:
        count = fitting([step for _, step in signed])
        yield [index for index, _ in signed[:count]], [step for _, step in signed[:count]]
        signed = signed[count:]
    for index, step in steps.items():
        if isinstance(step, Request) and not is_signed(step):
            yield [index], [step]


@dataclass
class _Waiting:
    request: Request
    reply: asyncio.Future[Reply]


@dataclass
class BatchingDriver(AsyncDriver):
    """Runs flows in an event loop; signed writes of many calls leave together while others are under way."""

    _exchanges: int = 0
    _waiting: list[_Waiting] = field(default_factory=list[_Waiting])
    _carriers: set[asyncio.Task[None]] = field(default_factory=set["asyncio.Task[None]"])

    async def _perform(self, step: Request | Sleep) -> Reply | None:
        if not isinstance(step, Request) or not is_signed(step):
            return await super()._perform(step)
        if self._exchanges < MAX_EXCHANGES:
            return await self._exchange(step)
        waiting = _Waiting(step, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        return await waiting.reply

    async def _exchange(self, request: Request) -> Reply:
        self._exchanges += 1
        try:
            reply = await super()._perform(request)
            assert reply is not None
            return reply
        finally:
            self._exchanges -= 1
            self._carry_next()

    def _carry_next(self) -> None:
        # Who gave up waiting has nothing to be sent.
        self._waiting = [each for each in self._waiting if not each.reply.done()]
        if not self._waiting or self._exchanges >= MAX_EXCHANGES:
            return
        count = fitting([each.request for each in self._waiting])
        part, self._waiting = self._waiting[:count], self._waiting[count:]
        carrier = asyncio.ensure_future(self._carry(part))
        self._carriers.add(carrier)
        carrier.add_done_callback(self._carriers.discard)

    async def _carry(self, part: Sequence[_Waiting]) -> None:
        requests = [each.request for each in part]
        try:
            if len(part) == 1:
                replies = [await self._exchange(requests[0])]
            else:
                replies = outcomes_of(await self._exchange(batch_of(requests)), len(part))
        except VwsError as error:
            for each in part:
                if not each.reply.done():
                    each.reply.set_exception(copy(error))
        except BaseException:
            for each in part:
                each.reply.cancel()
            raise
        else:
            for each, reply in zip(part, replies, strict=True):
                if not each.reply.done():
                    each.reply.set_result(reply)
