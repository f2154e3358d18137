"""What the generated groups of methods are built on: one call of each kind, blocking and async, with checked answers.

Keeps: an answer that does not have the members that the description promises is an error, never half an object.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from pydantic import BaseModel, TypeAdapter, ValidationError

from ._base_errors import BadAnswer
from ._core import Core, Query
from ._http import AsyncDriver, BlockingDriver, Reply
from ._pages import AsyncPage, Page, earlier_path, next_path
from ._stream import Follower, follow, follow_async
from .stream_events import EventType, StreamMessage

M = TypeVar("M", bound=BaseModel)
_COUNTS = TypeAdapter(dict[str, int])


def _checked(model: type[M], value: object) -> M:
    try:
        return model.model_validate(value)
    except ValidationError as cause:
        raise BadAnswer(f"the answer is not a whole {model.__name__}: {cause}") from cause


def _items(model: type[M], reply: Reply) -> list[M]:
    rows = reply.json()
    if not isinstance(rows, list):
        raise BadAnswer("the answer is not a list")
    return [_checked(model, row) for row in cast("list[object]", rows)]


def _counts(value: object) -> dict[str, int]:
    try:
        return _COUNTS.validate_python(value)
    except ValidationError as cause:
        raise BadAnswer("the answer is not a table of numbers") from cause


class Calls:
    def __init__(self, core: Core, driver: BlockingDriver) -> None:
        self.core, self.driver = core, driver

    def object(self, model: type[M], path: str, query: Query | None = None) -> M:
        return _checked(model, self.driver.run(self.core.read(path, query)).json())

    def page(self, model: type[M], path: str, query: Query | None = None) -> Page[M]:
        reply = self.driver.run(self.core.read(path, query))
        following = next_path(reply)
        if following is None:
            return Page(_items(model, reply), reply.integer("x-total-count"), None)
        return Page(
            _items(model, reply),
            reply.integer("x-total-count"),
            lambda: self.page(model, following),
            lambda pages: self.page(model, earlier_path(following, pages)),
        )

    def counts(self, path: str, query: Query | None = None) -> dict[str, int]:
        return _counts(self.driver.run(self.core.read(path, query)).json())

    def json(self, path: str, query: Query | None = None) -> dict[str, Any]:
        return self.driver.run(self.core.read(path, query)).json()

    def content(self, path: str, query: Query | None = None) -> bytes:
        return self.driver.run(self.core.read(path, query)).content

    def text(self, path: str, query: Query | None = None) -> str:
        return self.content(path, query).decode()

    def write(self, model: type[M], operation: str, method: str, path: str, body: Mapping[str, Any], key: str | None) -> M:
        return _checked(model, self.driver.run(self.core.write(operation, method, path, body, key)))

    def stream(self, types: Sequence[EventType] | None, since: int | None, retries: int | None) -> Iterator[StreamMessage]:
        return follow(self.driver, self.core, Follower(self.driver.base_url, types, since, retries))


class AsyncCalls:
    def __init__(self, core: Core, driver: AsyncDriver) -> None:
        self.core, self.driver = core, driver

    async def object(self, model: type[M], path: str, query: Query | None = None) -> M:
        return _checked(model, (await self.driver.run(self.core.read(path, query))).json())

    async def page(self, model: type[M], path: str, query: Query | None = None) -> AsyncPage[M]:
        reply = await self.driver.run(self.core.read(path, query))
        following = next_path(reply)
        if following is None:
            return AsyncPage(_items(model, reply), reply.integer("x-total-count"), None)
        return AsyncPage(
            _items(model, reply),
            reply.integer("x-total-count"),
            lambda: self.page(model, following),
            lambda pages: self.page(model, earlier_path(following, pages)),
        )

    async def counts(self, path: str, query: Query | None = None) -> dict[str, int]:
        return _counts((await self.driver.run(self.core.read(path, query))).json())

    async def json(self, path: str, query: Query | None = None) -> dict[str, Any]:
        return (await self.driver.run(self.core.read(path, query))).json()

    async def content(self, path: str, query: Query | None = None) -> bytes:
        return (await self.driver.run(self.core.read(path, query))).content

    async def text(self, path: str, query: Query | None = None) -> str:
        return (await self.content(path, query)).decode()

    async def write(
        self, model: type[M], operation: str, method: str, path: str, body: Mapping[str, Any], key: str | None
    ) -> M:
        return _checked(model, await self.driver.run(self.core.write(operation, method, path, body, key)))

    def stream(self, types: Sequence[EventType] | None, since: int | None, retries: int | None) -> AsyncIterator[StreamMessage]:
        return follow_async(self.driver, self.core, Follower(self.driver.base_url, types, since, retries))
