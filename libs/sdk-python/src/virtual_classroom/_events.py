"""The organization's event history: the same events as its webhooks, in order and without gaps."""

from __future__ import annotations

import json
import time
from contextlib import aclosing, closing
from typing import Any, AsyncGenerator, Generator, Iterator, Literal, Mapping, Sequence, TypedDict, Unpack, cast

import anyio

from ._errors import ApiConnectionError, VirtualClassroomError
from ._pages import AsyncPages, Pages
from ._request import RequestOptions
from ._retry import retry_delay
from ._streams import Message, Messages
from ._transport import AsyncTransport, Transport
from .types import EventType, HistoryEvent

GapData = TypedDict("GapData", {"from": int, "to": int})


class GapEvent(TypedDict):
    """Events that the stream does not send, because they have expired: those with a sequence of `from` to `to`.

    `from` is 1 after a restore of the history from a backup.
    """

    type: Literal["gap"]
    data: GapData


class StreamQuery(TypedDict, total=False):
    after: str
    """The `sequence` of the last event that you have. Default: now."""
    types: Sequence[EventType]
    """Default: all."""


class EventsQuery(StreamQuery, total=False):
    limit: int
    """Events per page, 1 to 1,000. Default: 100."""


class EventPage(TypedDict):
    events: Sequence[HistoryEvent]
    nextCursor: str
    hasMore: bool
    earliestSequence: int | None
    lastSequence: int


class Events:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def list(self, query: EventsQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[EventPage, HistoryEvent]:
        """All events after a cursor up to now. Keep the last event's `sequence` or a page's `nextCursor` to continue from there later."""

        def fetch(after: str | None) -> EventPage:
            return cast(EventPage, self._api.call("GET", "/v1/events", query=_query_of(query, after), options=options))

        return Pages(fetch, _events_of, _next_of)

    def stream(
        self, query: StreamQuery | None = None, **options: Unpack[RequestOptions]
    ) -> Generator[HistoryEvent | GapEvent, None, None]:
        """Every event from now on, or after a `sequence`, as soon as it happens; without an end.

        Once the stream has begun, it connects again by itself after each failure that may pass, and continues where it was. Leaving the loop
        closes it. Raises as any call, if the stream cannot begin or the service refuses it, such as after the credential was revoked.
        """
        follower = _Follower(query, options)
        while True:
            try:
                given = follower.reconnect()
                with closing(self._api.stream("GET", "/v1/events/stream", query=given, options=follower.options)) as chunks:
                    for chunk in chunks:
                        yield from follower.take(chunk)
                raise ApiConnectionError("The stream ended")
            except (VirtualClassroomError, ApiConnectionError) as failure:
                delay = follower.delay_after(failure)
            time.sleep(delay)


class AsyncEvents:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def list(self, query: EventsQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[EventPage, HistoryEvent]:
        """All events after a cursor up to now. Keep the last event's `sequence` or a page's `nextCursor` to continue from there later."""

        async def fetch(after: str | None) -> EventPage:
            return cast(EventPage, await self._api.call("GET", "/v1/events", query=_query_of(query, after), options=options))

        return AsyncPages(fetch, _events_of, _next_of)

    async def stream(
        self, query: StreamQuery | None = None, **options: Unpack[RequestOptions]
    ) -> AsyncGenerator[HistoryEvent | GapEvent, None]:
        """As `Events.stream`. Use `contextlib.aclosing` to close it when you leave the loop."""
        follower = _Follower(query, options)
        while True:
            try:
                given = follower.reconnect()
                async with aclosing(self._api.stream("GET", "/v1/events/stream", query=given, options=follower.options)) as chunks:
                    async for chunk in chunks:
                        for event in follower.take(chunk):
                            yield event
                raise ApiConnectionError("The stream ended")
            except (VirtualClassroomError, ApiConnectionError) as failure:
                delay = follower.delay_after(failure)
            await anyio.sleep(delay)


class _Follower:
    """Where a stream is, over all its connections."""

    def __init__(self, query: StreamQuery | None, options: RequestOptions) -> None:
        self.options = options
        self._query = query
        self._cursor: str | None = None
        self._failures = 0
        self._has_begun = False
        self._messages = Messages()

    def reconnect(self) -> Mapping[str, Any]:
        """Returns the query of the next connection."""
        self._messages = Messages()
        if self._has_begun:
            self.options = {**self.options, "max_retries": 0}
        return _query_of(self._query, self._cursor)

    def take(self, chunk: bytes) -> Iterator[HistoryEvent | GapEvent]:
        for message in self._messages.feed(chunk):
            self._has_begun = True
            self._failures = 0
            self._cursor = message.id if message.id is not None else self._cursor
            if message.data:
                yield _parse(message)

    def delay_after(self, failure: Exception) -> float:
        """Returns seconds. Raises the failure if the stream cannot continue."""
        self._failures += 1
        delay = retry_delay(failure, self._failures) if self._has_begun else None
        if delay is None:
            raise failure
        return delay


def _parse(message: Message) -> HistoryEvent | GapEvent:
    data = json.loads(message.data)
    if message.event == "gap":
        return {"type": "gap", "data": data}
    return cast(HistoryEvent, data)


def _query_of(query: Mapping[str, Any] | None, after: str | None) -> dict[str, Any]:
    given = dict(query or {})
    if "types" in given:
        given["types"] = ",".join(given["types"])
    return given if after is None else {**given, "after": after}


def _events_of(page: EventPage) -> Sequence[HistoryEvent]:
    return page["events"]


def _next_of(page: EventPage) -> str | None:
    return page["nextCursor"] if page["hasMore"] else None
