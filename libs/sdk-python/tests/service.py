"""A service that gives certain answers, and both clients in front of it."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any, AsyncIterator, Callable, Generator, Iterator, Literal, Sequence

import httpx

from virtual_classroom import AsyncVirtualClassroom, Pages, VirtualClassroom

Kind = Literal["sync", "async"]
Answer = Callable[[httpx.Request], httpx.Response]


class Parts(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that arrives in parts and then may break."""

    def __init__(self, parts: Sequence[bytes], failure: Exception | None = None) -> None:
        self._parts = parts
        self._failure = failure
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        yield from self._parts
        if self._failure:
            raise self._failure

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self:
            yield part

    def close(self) -> None:
        self.is_closed = True

    async def aclose(self) -> None:
        self.is_closed = True


def ok(data: object) -> Answer:
    return lambda _: httpx.Response(200, json={"success": True, "data": data})


def refusal(status: int, error: str, headers: dict[str, str] | None = None) -> Answer:
    body = {"success": False, "message": error, "error": error, "requestId": "req_1"}
    return lambda _: httpx.Response(status, json=body, headers=headers)


def streamed(*parts: bytes, failure: Exception | None = None) -> Answer:
    return lambda _: httpx.Response(200, stream=Parts(parts, failure))


def broken(request: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("refused", request=request)


def silent(request: httpx.Request) -> httpx.Response:
    raise httpx.ReadTimeout("silence", request=request)


class Service:
    """Gives these answers in turn and then repeats the last one."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.requests: list[httpx.Request] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return answer(request)

    def client(self) -> VirtualClassroom:
        client = httpx.Client(transport=httpx.MockTransport(self.answer), follow_redirects=True)
        return VirtualClassroom("https://classroom.example/", credential="vfo_1", http_client=client)

    def outcome(self, kind: Kind, make: Callable[[Any], Any]) -> Any:
        """Makes a call or reads all of an iteration with one of the clients. Returns the result or the error."""
        try:
            return _read(make(self.client())) if kind == "sync" else asyncio.run(self._with_async(make))
        except Exception as error:
            return error

    async def _with_async(self, make: Callable[[Any], Any]) -> Any:
        http_client = httpx.AsyncClient(transport=httpx.MockTransport(self.answer), follow_redirects=True)
        made = make(AsyncVirtualClassroom("https://classroom.example/", credential="vfo_1", http_client=http_client))
        return await made if inspect.isawaitable(made) else await _read_async(made)


class Read:
    """What an iteration yielded before it ended or failed."""

    def __init__(self, items: list[Any], failure: Exception | None) -> None:
        self.items = items
        self.failure = failure


def _read(made: Any) -> Any:
    if not isinstance(made, (Pages, Generator)):
        return made
    items: list[Any] = []
    try:
        for item in made:
            items.append(item)
    except Exception as error:
        return Read(items, error)
    return Read(items, None)


async def _read_async(made: Any) -> Read:
    items: list[Any] = []
    try:
        async for item in made:
            items.append(item)
    except Exception as error:
        return Read(items, error)
    return Read(items, None)
