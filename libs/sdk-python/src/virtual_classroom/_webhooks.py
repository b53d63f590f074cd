"""Webhooks, signed by the rules of Standard Webhooks."""

from __future__ import annotations

import base64
import hmac
import json
import time
from typing import Literal, Mapping, TypeAlias, TypedDict, cast

from .types import HistoryEvent

# Seconds, before and after now: a recorded request cannot be sent again later.
_TOLERANCE = 5 * 60


class WebhookVerificationError(Exception):
    """The signature, the time or the headers of a webhook are invalid."""


class PingData(TypedDict):
    endpointId: str


class PingEvent(TypedDict):
    """What `webhook_endpoints.test` sends. It is not part of the history."""

    id: str
    type: Literal["ping"]
    timestamp: str
    sequence: None
    data: PingData


WebhookEvent: TypeAlias = "HistoryEvent | PingEvent"
"""The body of a webhook; a newer service may send other types too."""


def verify_webhook(payload: str | bytes, headers: Mapping[str, str], secret: str) -> WebhookEvent:
    """Verifies a webhook and returns its event: the service must have signed it, not more than five minutes ago.

    Args:
        payload: the body as received, before any parser
        headers: of the request, in any case: those of Django, Flask, FastAPI or another framework
        secret: the endpoint's secret, `whsec_…`

    Raises:
        WebhookVerificationError: if the signature, the time or the headers are invalid
        ValueError: if the secret is not one
    """
    key = _key_of(secret)
    given = {name.lower(): value for name, value in headers.items()}
    webhook_id, timestamp, signatures = (given.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not webhook_id or not timestamp or not signatures:
        raise WebhookVerificationError("Missing required headers")
    _require_recent(timestamp)
    body = payload.encode() if isinstance(payload, str) else payload
    expected = hmac.digest(key, f"{webhook_id}.{timestamp}.".encode() + body, "sha256")
    # While a secret is changed, both sign.
    if not any(_matches(signature, expected) for signature in signatures.split(" ")):
        raise WebhookVerificationError("No matching signature found")
    return cast(WebhookEvent, json.loads(body))


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError("secret is not the secret of a webhook endpoint")
    return key


def _require_recent(timestamp: str) -> None:
    if not (timestamp.isascii() and timestamp.isdigit()):
        raise WebhookVerificationError("Invalid timestamp")
    age = time.time() - int(timestamp)
    if age > _TOLERANCE:
        raise WebhookVerificationError("Message timestamp too old")
    if age < -_TOLERANCE:
        raise WebhookVerificationError("Message timestamp too new")


def _matches(signature: str, expected: bytes) -> bool:
    version, _, digest = signature.partition(",")
    try:
        return version == "v1" and hmac.compare_digest(base64.b64decode(digest), expected)
    except ValueError:
        return False
