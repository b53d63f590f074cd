"""What is sent for a call."""

from __future__ import annotations

import json
import re
import uuid
from dataclasses import dataclass
from typing import Any, Mapping, TypedDict
from urllib.parse import quote, urlencode

import httpx


class RequestOptions(TypedDict, total=False):
    """Options of one call."""

    idempotency_key: str
    """A POST with the same key takes effect once within 24 hours. By default each call has a new key."""
    timeout: float
    """Seconds without any part of an answer, for each attempt."""
    max_retries: int


@dataclass(frozen=True)
class Call:
    """A request, which is the same in all its attempts."""

    method: str
    path: str
    """As the reference writes it, with the names of parameters."""
    url: str
    headers: Mapping[str, str]
    content: bytes | None
    timeout: float
    max_retries: int


class Connection:
    """The service's address, the credentials, and the client's options."""

    def __init__(
        self, base_url: str, credentials: Mapping[str, str], *, credential: str | None, timeout: float, max_retries: int
    ) -> None:
        url = httpx.URL(base_url)
        if url.scheme not in ("http", "https") or not url.host:
            raise ValueError("base_url is not an address that begins with http:// or https://")
        self._base_url = str(url).rstrip("/")
        self._credentials = credentials
        self.credential = credential
        self._timeout = timeout
        self._max_retries = max_retries

    def call(
        self,
        method: str,
        path: str,
        accept: str,
        params: Mapping[str, str] | None,
        query: Mapping[str, Any] | None,
        body: Mapping[str, Any] | None,
        options: RequestOptions | None,
    ) -> Call:
        options = options or {}
        headers = {"accept": accept, **self._credentials}
        if method == "POST":
            headers["idempotency-key"] = options.get("idempotency_key", str(uuid.uuid4()))
        if body is not None:
            headers["content-type"] = "application/json"
        return Call(
            method,
            path,
            self._base_url + path_of(path, params or {}, query or {}),
            headers,
            None if body is None else json.dumps(body, ensure_ascii=False, allow_nan=False).encode(),
            options.get("timeout", self._timeout),
            options.get("max_retries", self._max_retries),
        )


def path_of(path: str, params: Mapping[str, str], query: Mapping[str, Any]) -> str:
    """Raises ValueError if a path parameter is empty, `.` or `..` and would lead to another path."""
    filled = re.sub(r"\{(\w+)\}", lambda match: _segment(match[1], params[match[1]]), path)
    search = urlencode({name: _text(value) for name, value in query.items() if value is not None})
    return f"{filled}?{search}" if search else filled


def _segment(name: str, value: str) -> str:
    # Every URL parser resolves dots, even if written as %2E: `rooms.end("..")` would call another operation.
    if value in ("", ".", ".."):
        raise ValueError(f"{name} must not be {value or 'empty'}")
    return quote(value, safe="!'()*")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def unwrap(answer: object) -> Any:
    """Returns the `data` of an answer in its envelope; an answer without `data` is returned without the fields of the envelope."""
    if not isinstance(answer, dict):
        return answer
    if "data" in answer:
        return answer["data"]
    return {name: value for name, value in answer.items() if name not in ("success", "warnings")}
