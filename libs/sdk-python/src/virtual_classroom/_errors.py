"""The errors that calls raise."""

from __future__ import annotations

import json
import math
import time
from email.utils import parsedate_to_datetime
from typing import Any, Sequence, TypedDict, TypeGuard

import httpx

from .types import ErrorCode


class ErrorDetail(TypedDict):
    """A rejected field, by its path in the request."""

    path: str
    message: str


class VirtualClassroomError(Exception):
    """The API refused the request, or failed."""

    code: str
    """One of the documented codes (`types.ErrorCode`); a newer service may have others."""
    status: int
    """The HTTP status; 200 if the service reported the error within a stream."""
    message: str
    request_id: str | None
    """Name it when you report a problem to the operator of the service."""
    details: Sequence[ErrorDetail]
    """Each invalid field, if the code is VALIDATION_FAILED."""
    retry_after: float | None
    """Seconds after which a retry may succeed, if the service gave a time."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        request_id: str | None = None,
        details: Sequence[ErrorDetail] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.request_id = request_id
        self.details = details
        self.retry_after = retry_after


class ApiConnectionError(Exception):
    """No answer arrived, or only a part of it. `__cause__` has the details."""


class ApiTimeoutError(ApiConnectionError):
    """The answer did not arrive in time."""

    timeout: float
    """Seconds."""

    def __init__(self, timeout: float) -> None:
        super().__init__(f"No answer within {timeout:g} s")
        self.timeout = timeout


def has_code(error: object, *codes: ErrorCode) -> TypeGuard[VirtualClassroomError]:
    """Whether the error is a VirtualClassroomError with one of these codes."""
    return isinstance(error, VirtualClassroomError) and error.code in codes


def require_success(response: httpx.Response) -> None:
    """Checks a response that has been read.

    A response whose body reports success is an answer despite its status: the health of a system that is down.

    Raises:
        VirtualClassroomError: for every other response; a proxy's response has no error code or message of the API.
        ApiConnectionError: for a redirect, which is not followed, because it would carry the credentials elsewhere.
    """
    if response.is_success:
        return
    if response.is_redirect:
        raise ApiConnectionError("The answer is a redirect")
    body = _parse_body(response.text)
    if body.get("success") is True:
        return
    status = response.status_code
    raise VirtualClassroomError(
        body.get("message") or f"HTTP {status}",
        code=body.get("error") or ("SERVICE_UNAVAILABLE" if status >= 500 else "UNKNOWN"),
        status=status,
        request_id=body.get("requestId") or response.headers.get("x-request-id"),
        details=body.get("details") or (),
        retry_after=_retry_after(response.headers.get("retry-after")),
    )


def _parse_body(text: str) -> dict[str, Any]:
    try:
        body = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _retry_after(header: str | None) -> float | None:
    """Parses Retry-After: HTTP allows seconds or a date. Returns seconds."""
    if not header:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        seconds = parsedate_to_datetime(header).timestamp() - time.time()
    except (ValueError, OverflowError):
        return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None
