from __future__ import annotations

import base64
import hmac
import json
import time
from typing import Callable

import pytest

from virtual_classroom import WebhookVerificationError, verify_webhook

SECRET = f"whsec_{base64.b64encode(b'twenty-four bytes of it.').decode()}"
OTHER = f"whsec_{base64.b64encode(b'another one of 24 bytes.').decode()}"
EVENT = {
    "id": "evt_1",
    "type": "room.finished",
    "timestamp": "2026-01-15T10:00:00.000Z",
    "sequence": 7,
    "data": {"roomId": "geometry-7b", "totalSeconds": 90},
}
BODY = json.dumps(EVENT, ensure_ascii=False)


def signed(body: str = BODY, secret: str = SECRET, offset: int = 0) -> dict[str, str]:
    timestamp = int(time.time()) + offset
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = base64.b64encode(hmac.digest(key, f"evt_1.{timestamp}.{body}".encode(), "sha256")).decode()
    return {"webhook-id": "evt_1", "webhook-timestamp": str(timestamp), "webhook-signature": f"v1,{digest}"}


@pytest.mark.parametrize("payload", [BODY, BODY.encode()])
@pytest.mark.parametrize("case", [str.lower, str.upper, str.title])
def test_a_webhook_is_verified(payload: str | bytes, case: Callable[[str], str]) -> None:
    event = verify_webhook(payload, {case(name): value for name, value in signed().items()}, SECRET)
    # mypy too knows that an event of this type has this field.
    assert event["type"] == "room.finished" and event["data"]["totalSeconds"] == 90


def test_it_is_verified_by_the_example_of_standard_webhooks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 1614265330.0)
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    assert verify_webhook('{"test": 2432232314}', headers, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")


def test_it_is_verified_while_two_secrets_sign() -> None:
    both = f"{signed(secret=OTHER)['webhook-signature']} v1a,abc {signed()['webhook-signature']}"
    assert verify_webhook(BODY, {**signed(), "webhook-signature": both}, SECRET)["id"] == "evt_1"


@pytest.mark.parametrize(
    ("payload", "headers"),
    [
        pytest.param(BODY.replace("90", "91"), signed(), id="changed on the way"),
        pytest.param(BODY, signed(secret=OTHER), id="signed by another sender"),
        pytest.param(BODY, signed(offset=-360), id="sent again later"),
        pytest.param(BODY, signed(offset=360), id="dated in the future"),
        pytest.param(BODY, {**signed(), "webhook-id": "evt_2"}, id="under another id"),
        pytest.param(BODY, {**signed(), "webhook-timestamp": "now"}, id="without a time"),
        pytest.param(BODY, {**signed(), "webhook-signature": "v1,é"}, id="signed by no digest"),
        pytest.param(BODY, {**signed(), "webhook-signature": signed()["webhook-signature"][3:]}, id="without a version"),
        pytest.param(BODY, {}, id="without headers"),
    ],
)
def test_it_is_refused(payload: str, headers: dict[str, str]) -> None:
    with pytest.raises(WebhookVerificationError):
        verify_webhook(payload, headers, SECRET)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_no base64!"])
def test_it_needs_a_secret(secret: str) -> None:
    with pytest.raises(ValueError):
        verify_webhook(BODY, signed(), secret)
