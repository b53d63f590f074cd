"""Calls of the API: retries, and one Idempotency-Key for all attempts."""

from __future__ import annotations

import json
import logging
import time
from contextlib import contextmanager
from typing import Any, AsyncGenerator, Awaitable, Callable, Generator, Iterator, Mapping, TypeVar

import anyio
import httpx

from ._errors import ApiConnectionError, ApiTimeoutError, VirtualClassroomError, require_success
from ._request import Call, Connection, RequestOptions, unwrap
from ._retry import retry_delay

_T = TypeVar("_T")
_Params = Mapping[str, str] | None
_Fields = Mapping[str, Any] | None
_Options = RequestOptions | None

_JSON = "application/json"
# What the service ignored in requests.
_LOG = logging.getLogger("virtual_classroom")


class Transport:
    """Every method raises VirtualClassroomError, ApiConnectionError or ApiTimeoutError."""

    def __init__(self, connection: Connection, client: httpx.Client | None) -> None:
        self._connection = connection
        self._is_own = client is None
        self._client = client or httpx.Client()

    @property
    def credential(self) -> str | None:
        return self._connection.credential

    def close(self) -> None:
        if self._is_own:
            self._client.close()

    def call(
        self, method: str, path: str, *, params: _Params = None, query: _Fields = None, body: _Fields = None, options: _Options = None
    ) -> Any:
        call = self._connection.call(method, path, _JSON, params, query, body, options)
        return self._attempt(call, lambda: _parse(call, self._send(call)))

    def csv(
        self, method: str, path: str, *, params: _Params = None, query: _Fields = None, body: _Fields = None, options: _Options = None
    ) -> str:
        """Returns the answer as the text of a CSV file."""
        call = self._connection.call(method, path, "text/csv", params, query, body, options)
        return self._attempt(call, lambda: self._send(call).text)

    def pdf(
        self, method: str, path: str, *, params: _Params = None, query: _Fields = None, body: _Fields = None, options: _Options = None
    ) -> bytes:
        """Returns the bytes of an answer that is a PDF file."""
        call = self._connection.call(method, path, "application/pdf", params, query, body, options)
        return self._attempt(call, lambda: self._send(call).content)

    def file(
        self, method: str, path: str, *, params: _Params = None, query: _Fields = None, body: _Fields = None, options: _Options = None
    ) -> bytes:
        """Returns the bytes of an answer that is a file of the type that the query chooses."""
        call = self._connection.call(method, path, "*/*", params, query, body, options)
        return self._attempt(call, lambda: self._send(call).content)

    def stream(
        self, method: str, path: str, *, params: _Params = None, query: _Fields = None, body: _Fields = None, options: _Options = None
    ) -> Generator[bytes, None, None]:
        """Yields the bytes of an answer as they arrive. It retries until the answer begins, but not after."""
        call = self._connection.call(method, path, "*/*", params, query, body, options)
        response = self._attempt(call, lambda: self._open(call))
        try:
            with _translated(call):
                yield from response.iter_bytes()
        finally:
            response.close()

    def _attempt(self, call: Call, attempt: Callable[[], _T]) -> _T:
        retries = 0
        while True:
            try:
                return attempt()
            except (VirtualClassroomError, ApiConnectionError) as failure:
                delay = _delay(call, failure, retries)
            retries += 1
            time.sleep(delay)

    def _send(self, call: Call) -> httpx.Response:
        with _translated(call):
            response = self._client.send(self._request(call), follow_redirects=False)
        require_success(response)
        return response

    def _open(self, call: Call) -> httpx.Response:
        """Returns a successful response whose body has not been read."""
        with _translated(call):
            response = self._client.send(self._request(call), stream=True, follow_redirects=False)
            if response.is_success:
                return response
            try:
                response.read()
            finally:
                response.close()
        require_success(response)
        return response

    def _request(self, call: Call) -> httpx.Request:
        return self._client.build_request(call.method, call.url, headers=call.headers, content=call.content, timeout=call.timeout)


class AsyncTransport:
    """The same for asynchronous code."""

    def __init__(self, connection: Connection, client: httpx.AsyncClient | None) -> None:
        self._connection = connection
        self._is_own = client is None
        self._client = client or httpx.AsyncClient()

    @property
    def credential(self) -> str | None:
        return self._connection.credential

    async def close(self) -> None:
        if self._is_own:
            await self._client.aclose()

    async def call(
        self, method: str, path: str, *, params: _Params = None, query: _Fields = None, body: _Fields = None, options: _Options = None
    ) -> Any:
        call = self._connection.call(method, path, _JSON, params, query, body, options)

        async def attempt() -> Any:
            return _parse(call, await self._send(call))

        return await self._attempt(call, attempt)

    async def csv(
        self, method: str, path: str, *, params: _Params = None, query: _Fields = None, body: _Fields = None, options: _Options = None
    ) -> str:
        call = self._connection.call(method, path, "text/csv", params, query, body, options)
        return (await self._attempt(call, lambda: self._send(call))).text

    async def pdf(
        self, method: str, path: str, *, params: _Params = None, query: _Fields = None, body: _Fields = None, options: _Options = None
    ) -> bytes:
        call = self._connection.call(method, path, "application/pdf", params, query, body, options)
        return (await self._attempt(call, lambda: self._send(call))).content

    async def file(
        self, method: str, path: str, *, params: _Params = None, query: _Fields = None, body: _Fields = None, options: _Options = None
    ) -> bytes:
        call = self._connection.call(method, path, "*/*", params, query, body, options)
        return (await self._attempt(call, lambda: self._send(call))).content

    async def stream(
        self, method: str, path: str, *, params: _Params = None, query: _Fields = None, body: _Fields = None, options: _Options = None
    ) -> AsyncGenerator[bytes, None]:
        call = self._connection.call(method, path, "*/*", params, query, body, options)
        response = await self._attempt(call, lambda: self._open(call))
        try:
            with _translated(call):
                async for chunk in response.aiter_bytes():
                    yield chunk
        finally:
            await response.aclose()

    async def _attempt(self, call: Call, attempt: Callable[[], Awaitable[_T]]) -> _T:
        retries = 0
        while True:
            try:
                return await attempt()
            except (VirtualClassroomError, ApiConnectionError) as failure:
                delay = _delay(call, failure, retries)
            retries += 1
            await anyio.sleep(delay)

    async def _send(self, call: Call) -> httpx.Response:
        with _translated(call):
            response = await self._client.send(self._request(call), follow_redirects=False)
        require_success(response)
        return response

    async def _open(self, call: Call) -> httpx.Response:
        with _translated(call):
            response = await self._client.send(self._request(call), stream=True, follow_redirects=False)
            if response.is_success:
                return response
            try:
                await response.aread()
            finally:
                await response.aclose()
        require_success(response)
        return response

    def _request(self, call: Call) -> httpx.Request:
        return self._client.build_request(call.method, call.url, headers=call.headers, content=call.content, timeout=call.timeout)


@contextmanager
def _translated(call: Call) -> Iterator[None]:
    """Raises our errors for those of the network."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise ApiTimeoutError(call.timeout) from error
    except httpx.RequestError as error:
        raise ApiConnectionError("The connection failed") from error


def _parse(call: Call, response: httpx.Response) -> Any:
    try:
        answer = json.loads(response.content)
    except ValueError:
        # The parser's error has the answer, which may be private.
        raise ApiConnectionError("The answer is not JSON") from None
    for warning in answer.get("warnings", ()) if isinstance(answer, dict) else ():
        _LOG.debug("%s %s: %s %s", call.method, call.path, warning["path"], warning["message"])
    return unwrap(answer)


def _delay(call: Call, failure: Exception, retries: int) -> float:
    """Returns the seconds before the next attempt. Raises the failure if there is none."""
    delay = retry_delay(failure, retries) if retries < call.max_retries else None
    if delay is None:
        raise failure
    return delay
