"""Lists of a node, page by page.

Keeps: the next page is the one that the node links to, since it may lower the size of a page. A page begins at a place of the
list as it is then: what comes in front moves items to later pages, what leaves moves items to earlier ones. A walk through all
pages shows each item once, and goes back where the list became shorter meanwhile.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Generic, TypeVar
from urllib.parse import parse_qs, urlencode, urlsplit

from ._http import Reply

T = TypeVar("T")


def next_path(reply: Reply) -> str | None:
    """Path and query of the link with rel="next"."""
    for part in reply.headers.get("link", "").split(","):
        address, _, relation = part.partition(";")
        if 'rel="next"' in relation:
            url = address.strip().strip("<>")
            return url[url.index("/", url.find("//") + 2) :] if "://" in url else url
    return None


def earlier_path(following: str, pages: int) -> str:
    """Path and query of a page that many before the following one, the first one at most."""
    parts = urlsplit(following)
    query = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
    query["page"] = str(max(1, int(query.get("page", "1")) - pages))
    return f"{parts.path}?{urlencode(query)}"


def _identity(item: object) -> object:
    """What stays the same of an item while it changes; of one that has nothing like it, the item."""
    for name in ("id", "event_id", "hash", "height", "agent_id"):
        if name != "agent_id" or not hasattr(item, "task_id"):
            value = getattr(item, name, None)
            if value is not None:
                return value
    return repr(item)


class _Walk(Generic[T]):
    """What a walk has shown, and where it goes on."""

    def __init__(self) -> None:
        self._shown: set[object] = set()
        self._had_new = False

    def unseen(self, items: list[T]) -> list[T]:
        new = [item for item in items if _identity(item) not in self._shown]
        self._shown.update(_identity(item) for item in new)
        self._had_new = bool(new)
        return new

    def pages_back(self, size: int, before: int | None, now: int | None, following: list[T]) -> int:
        """Pages to go back from the following one, behind a page of that size, since items moved up that were not shown.
        `before`, `now`: items of the whole list when each was read."""
        if before is None or now is None or size == 0:
            return 0
        if now < before:
            return -((now - before) // size)
        # As many may have left as came behind them. Items that were shown already say that what came is in front.
        return 1 if now > before and self._had_new and self._is_unseen(following[:1]) else 0

    def _is_unseen(self, items: list[T]) -> bool:
        return all(_identity(item) not in self._shown for item in items)


class Page(Generic[T]):
    """One page: a list with `total`. Iterating over it goes on through all further pages, and shows no item twice. What is done
    with an item may take it off the list: none is skipped for that."""

    def __init__(
        self,
        items: list[T],
        total: int | None,
        following: Callable[[], Page[T]] | None,
        earlier: Callable[[int], Page[T]] | None = None,
    ) -> None:
        self.items = items
        self.total = total
        """Number of items that match the filters, on all pages."""
        self._following = following
        self._earlier = earlier

    @property
    def has_next(self) -> bool:
        return self._following is not None

    def next_page(self) -> Page[T] | None:
        return self._following() if self._following else None

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[T]:
        walk: _Walk[T] = _Walk()
        page: Page[T] | None = self
        while page is not None:
            yield from walk.unseen(page.items)
            following = page.next_page()
            if following is not None and page._earlier is not None:
                back = walk.pages_back(len(page.items), page.total, following.total, following.items)
                following = page._earlier(back) if back else following
            page = following


class AsyncPage(Generic[T]):
    """One page: a list with `total`. `async for` over it goes on through all further pages, and shows no item twice. What is
    done with an item may take it off the list: none is skipped for that."""

    def __init__(
        self,
        items: list[T],
        total: int | None,
        following: Callable[[], Awaitable[AsyncPage[T]]] | None,
        earlier: Callable[[int], Awaitable[AsyncPage[T]]] | None = None,
    ) -> None:
        self.items = items
        self.total = total
        """Number of items that match the filters, on all pages."""
        self._following = following
        self._earlier = earlier

    @property
    def has_next(self) -> bool:
        return self._following is not None

    async def next_page(self) -> AsyncPage[T] | None:
        return await self._following() if self._following else None

    def __len__(self) -> int:
        return len(self.items)

    async def __aiter__(self) -> AsyncIterator[T]:
        walk: _Walk[T] = _Walk()
        page: AsyncPage[T] | None = self
        while page is not None:
            for item in walk.unseen(page.items):
                yield item
            following = await page.next_page()
            if following is not None and page._earlier is not None:
                back = walk.pages_back(len(page.items), page.total, following.total, following.items)
                following = await page._earlier(back) if back else following
            page = following
