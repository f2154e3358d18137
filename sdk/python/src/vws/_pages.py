"""Lists of a node, page by page.

Keeps: the next page is the one that the node links to, since it may lower the size of a page. New items shift older ones to
later pages, so going through all pages may show one twice, but never skips one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Generic, TypeVar

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


class Page(Generic[T]):
    """One page: a list with `total`. Iterating over it goes on through all further pages."""

    def __init__(self, items: list[T], total: int | None, following: Callable[[], Page[T]] | None) -> None:
        self.items = items
        self.total = total
        """Number of items that match the filters, on all pages."""
        self._following = following

    @property
    def has_next(self) -> bool:
        return self._following is not None

    def next_page(self) -> Page[T] | None:
        return self._following() if self._following else None

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[T]:
        page: Page[T] | None = self
        while page is not None:
            yield from page.items
            page = page.next_page()


class AsyncPage(Generic[T]):
    """One page: a list with `total`. `async for` over it goes on through all further pages."""

    def __init__(self, items: list[T], total: int | None, following: Callable[[], Awaitable[AsyncPage[T]]] | None) -> None:
        self.items = items
        self.total = total
        """Number of items that match the filters, on all pages."""
        self._following = following

    @property
    def has_next(self) -> bool:
        return self._following is not None

    async def next_page(self) -> AsyncPage[T] | None:
        return await self._following() if self._following else None

    def __len__(self) -> int:
        return len(self.items)

    async def __aiter__(self) -> AsyncIterator[T]:
        page: AsyncPage[T] | None = self
        while page is not None:
            for item in page.items:
                yield item
            page = await page.next_page()
