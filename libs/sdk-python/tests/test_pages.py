from __future__ import annotations

import asyncio

import httpx

from service import Kind, Service
from virtual_classroom import AsyncPages, Pages

NEXT = {"first": "b", "b": "c", "c": None}


def page(request: httpx.Request) -> httpx.Response:
    cursor = request.url.params.get("cursor", "first")
    rooms = [{"roomId": f"{cursor}1"}, {"roomId": f"{cursor}2"}]
    return httpx.Response(200, json={"success": True, "data": {"rooms": rooms, "nextCursor": NEXT[cursor]}})


def test_a_list_is_iterated_as_one_with_its_filters(kind: Kind) -> None:
    service = Service(page)
    read = service.outcome(kind, lambda c: c.rooms.list({"limit": 2}))
    assert [room["roomId"] for room in read.items] == ["first1", "first2", "b1", "b2", "c1", "c2"]
    assert [request.url.query for request in service.requests] == [b"limit=2", b"limit=2&cursor=b", b"limit=2&cursor=c"]


def test_no_page_is_requested_before_it_is_needed() -> None:
    service = Service(page)
    rooms = iter(service.client().rooms.list())
    assert [next(rooms)["roomId"], next(rooms)["roomId"]] == ["first1", "first2"]
    assert len(service.requests) == 1


def test_a_single_page_is_returned_on_request() -> None:
    assert Service(page).client().rooms.list().page("c")["nextCursor"] is None


def test_pages_can_be_iterated_again() -> None:
    fetched: list[str | None] = []

    def fetch(cursor: str | None) -> dict[str, str | None]:
        fetched.append(cursor)
        return {"next": "b" if cursor is None else None}

    async def fetch_async(cursor: str | None) -> dict[str, str | None]:
        return fetch(cursor)

    async def read(pages: AsyncPages[dict[str, str | None], str]) -> None:
        assert [item async for item in pages] == ["x", "x"]
        assert len([one async for one in pages.pages()]) == 2

    pages = Pages(fetch, lambda _: ["x"], lambda one: one["next"])
    assert (list(pages), len(list(pages.pages()))) == (["x", "x"], 2)
    asyncio.run(read(AsyncPages(fetch_async, lambda _: ["x"], lambda one: one["next"])))
    assert fetched == [None, "b"] * 4
