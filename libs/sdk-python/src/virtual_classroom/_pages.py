"""Lists of several pages."""

from __future__ import annotations

from typing import Any, AsyncIterator, Awaitable, Callable, Generic, Iterator, Mapping, Sequence, TypeVar

PageT = TypeVar("PageT")
ItemT = TypeVar("ItemT")


class Pages(Generic[PageT, ItemT]):
    """A paginated list: iterate over all entries, or request one page."""

    def __init__(
        self,
        fetch: Callable[[str | None], PageT],
        items_of: Callable[[PageT], Sequence[ItemT]],
        next_of: Callable[[PageT], str | None],
    ) -> None:
        self._fetch = fetch
        self._items_of = items_of
        self._next_of = next_of

    def page(self, cursor: str | None = None) -> PageT:
        """One page as the API returns it: the first, or the one at a `nextCursor`. Raises as any call."""
        return self._fetch(cursor)

    def pages(self) -> Iterator[PageT]:
        """All pages. Each is requested when the iteration reaches it."""
        cursor: str | None = None
        while True:
            page = self._fetch(cursor)
            yield page
            cursor = self._next_of(page)
            if cursor is None:
                return

    def __iter__(self) -> Iterator[ItemT]:
        for page in self.pages():
            yield from self._items_of(page)


class AsyncPages(Generic[PageT, ItemT]):
    """The same for asynchronous code."""

    def __init__(
        self,
        fetch: Callable[[str | None], Awaitable[PageT]],
        items_of: Callable[[PageT], Sequence[ItemT]],
        next_of: Callable[[PageT], str | None],
    ) -> None:
        self._fetch = fetch
        self._items_of = items_of
        self._next_of = next_of

    async def page(self, cursor: str | None = None) -> PageT:
        """One page as the API returns it: the first, or the one at a `nextCursor`. Raises as any call."""
        return await self._fetch(cursor)

    async def pages(self) -> AsyncIterator[PageT]:
        """All pages. Each is requested when the iteration reaches it."""
        cursor: str | None = None
        while True:
            page = await self._fetch(cursor)
            yield page
            cursor = self._next_of(page)
            if cursor is None:
                return

    async def __aiter__(self) -> AsyncIterator[ItemT]:
        async for page in self.pages():
            for item in self._items_of(page):
                yield item


def with_cursor(query: Mapping[str, Any] | None, cursor: str | None) -> dict[str, Any]:
    return {**(query or {}), **({} if cursor is None else {"cursor": cursor})}
