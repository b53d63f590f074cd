"""The clients."""

from __future__ import annotations

from typing import Self, overload

import httpx

from ._admin import AdminResources, AsyncAdminResources
from ._request import Connection
from ._resources import AsyncResources, Resources
from ._transport import AsyncTransport, Transport


class VirtualClassroom(Resources):
    """The API, with one attribute per chapter of its reference. For backends only: its credentials are secrets.

    Args:
        base_url: of the service, such as `https://classroom.example`
        credential: of an organization, `vfo_…`; or
        api_key: an API key
        timeout: seconds without any part of an answer, for each attempt
        max_retries: how often to retry a call after a temporary failure
        http_client: replaces the client's own, which it closes

    Raises:
        ValueError: if `base_url` is not an address
        TypeError: if not exactly one credential is given
    """

    @overload
    def __init__(
        self, base_url: str, *, credential: str, timeout: float = ..., max_retries: int = ..., http_client: httpx.Client | None = ...
    ) -> None: ...

    @overload
    def __init__(
        self, base_url: str, *, api_key: str, timeout: float = ..., max_retries: int = ..., http_client: httpx.Client | None = ...
    ) -> None: ...

    def __init__(
        self,
        base_url: str,
        *,
        credential: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 3,
        http_client: httpx.Client | None = None,
    ) -> None:
        super().__init__(Transport(_connection(base_url, credential, api_key, timeout, max_retries), http_client))

    def close(self) -> None:
        self._api.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncVirtualClassroom(AsyncResources):
    """The same for asynchronous code."""

    @overload
    def __init__(
        self,
        base_url: str,
        *,
        credential: str,
        timeout: float = ...,
        max_retries: int = ...,
        http_client: httpx.AsyncClient | None = ...,
    ) -> None: ...

    @overload
    def __init__(
        self, base_url: str, *, api_key: str, timeout: float = ..., max_retries: int = ..., http_client: httpx.AsyncClient | None = ...
    ) -> None: ...

    def __init__(
        self,
        base_url: str,
        *,
        credential: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 3,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        super().__init__(AsyncTransport(_connection(base_url, credential, api_key, timeout, max_retries), http_client))

    async def close(self) -> None:
        await self._api.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AdminClient(AdminResources):
    """The API for operators: organizations, credits, keys and models. Its secret gives access to every organization."""

    def __init__(
        self, base_url: str, *, dispatch_secret: str, timeout: float = 60.0, max_retries: int = 3, http_client: httpx.Client | None = None
    ) -> None:
        super().__init__(Transport(_operators(base_url, dispatch_secret, timeout, max_retries), http_client))

    def close(self) -> None:
        self._api.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncAdminClient(AsyncAdminResources):
    """The same for asynchronous code."""

    def __init__(
        self,
        base_url: str,
        *,
        dispatch_secret: str,
        timeout: float = 60.0,
        max_retries: int = 3,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        super().__init__(AsyncTransport(_operators(base_url, dispatch_secret, timeout, max_retries), http_client))

    async def close(self) -> None:
        await self._api.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _connection(base_url: str, credential: str | None, api_key: str | None, timeout: float, max_retries: int) -> Connection:
    if (credential is None) == (api_key is None):
        raise TypeError("give either credential or api_key")
    credentials = {"VF-ORG-ID": credential} if credential is not None else {"authorization": f"Bearer {api_key}"}
    return Connection(base_url, credentials, credential=credential, timeout=timeout, max_retries=max_retries)


def _operators(base_url: str, dispatch_secret: str, timeout: float, max_retries: int) -> Connection:
    return Connection(
        base_url, {"X-Dispatch-Secret": dispatch_secret}, credential=None, timeout=timeout, max_retries=max_retries
    )
