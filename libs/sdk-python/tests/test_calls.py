from __future__ import annotations

import json
import random
import time
from email.utils import formatdate
from typing import Any

import httpx
import pytest

from service import Answer, Kind, Service, broken, ok, refusal, silent, streamed
from virtual_classroom import ApiConnectionError, ApiTimeoutError, VirtualClassroom, VirtualClassroomError, has_code

ROOM: Any = {"roomId": "geometry-7b", "title": "Ça va?", "participant": {"uid": "t", "name": "T", "role": "TEACHER"}}


def create(client: Any) -> Any:
    return client.rooms.create(ROOM)


def balance(client: Any) -> Any:
    return client.billing.balance()


def keys(service: Service) -> list[str | None]:
    return [request.headers.get("idempotency-key") for request in service.requests]


def test_a_call_has_the_path_the_body_and_the_credentials(kind: Kind) -> None:
    service = Service(ok({"uid": "x"}))
    assert service.outcome(kind, lambda c: c.rooms.participants.change_role("a:b", "x/y?z", {"role": "STUDENT"})) == {"uid": "x"}
    [request] = service.requests
    assert (request.method, request.url.raw_path) == ("PATCH", b"/v1/room/a%3Ab/participants/x%2Fy%3Fz")
    assert json.loads(request.content) == {"role": "STUDENT"}
    assert request.headers["vf-org-id"] == "vfo_1"
    assert request.headers["accept"] == "application/json"


def test_a_query_omits_what_is_none(kind: Kind) -> None:
    service = Service(ok({"rooms": [], "nextCursor": None}))
    service.outcome(kind, lambda c: c.rooms.list({"title": "Algebra & more", "limit": 5, "status": None}))
    assert service.requests[0].url.raw_path == b"/v1/rooms?title=Algebra+%26+more&limit=5"


def test_an_api_key_is_a_bearer_token() -> None:
    service = Service(ok({}))
    client = httpx.Client(transport=httpx.MockTransport(service.answer))
    VirtualClassroom("https://classroom.example", api_key="vc_live_1", http_client=client).billing.balance()
    assert service.requests[0].headers["authorization"] == "Bearer vc_live_1"


@pytest.mark.parametrize("credentials", [{}, {"credential": "a", "api_key": "b"}])
def test_a_client_has_one_credential(credentials: Any) -> None:
    with pytest.raises(TypeError):
        VirtualClassroom("https://classroom.example", **credentials)


def test_a_client_needs_an_address() -> None:
    with pytest.raises(ValueError):
        VirtualClassroom("classroom.example", api_key="a")


@pytest.mark.parametrize("room_id", ["", ".", ".."])
def test_a_call_that_would_be_another_one_is_not_made(kind: Kind, room_id: str) -> None:
    service = Service(ok({}))
    assert isinstance(service.outcome(kind, lambda c: c.rooms.end(room_id)), ValueError)
    assert service.requests == []


def test_an_answer_without_data_is_returned_without_its_envelope(kind: Kind, caplog: pytest.LogCaptureFixture) -> None:
    warnings = [{"path": "nonsense", "message": "is unknown and was ignored"}]
    body = {"success": True, "text": "Hello", "usage": 1, "warnings": warnings}
    with caplog.at_level("DEBUG", "virtual_classroom"):
        assert Service(lambda _: httpx.Response(200, json=body)).outcome(kind, balance) == {"text": "Hello", "usage": 1}
    assert caplog.messages == ["GET /v1/billing/balance: nonsense is unknown and was ignored"]


def test_a_file_is_text_or_bytes(kind: Kind) -> None:
    service = Service(lambda _: httpx.Response(200, content=b"uid,name\r\n"))
    assert service.outcome(kind, lambda c: c.rooms.attendance_csv("a")) == "uid,name\r\n"
    assert service.outcome(kind, lambda c: c.billing.statements.pdf("a")) == b"uid,name\r\n"
    csv, pdf = service.requests
    assert (csv.url.query, csv.headers["accept"], pdf.headers["accept"]) == (b"export=csv", "text/csv", "application/pdf")


def test_a_refusal_has_its_reason(kind: Kind) -> None:
    details = [{"path": "title", "message": "is required"}]
    body = {"success": False, "message": "title is required", "error": "VALIDATION_FAILED", "requestId": "req_9", "details": details}
    service = Service(lambda _: httpx.Response(400, json=body))
    error = service.outcome(kind, create)
    assert isinstance(error, VirtualClassroomError)
    assert (error.code, error.status, error.request_id, error.details) == ("VALIDATION_FAILED", 400, "req_9", details)
    assert (str(error), has_code(error, "ROOM_FULL", "VALIDATION_FAILED"), has_code(error, "ROOM_FULL")) == ("title is required", True, False)
    assert len(service.requests) == 1


def test_a_proxy_may_refuse_too(kind: Kind) -> None:
    error = Service(lambda _: httpx.Response(403, html="<h1>Forbidden</h1>", headers={"x-request-id": "req_2"})).outcome(kind, balance)
    assert (error.code, error.status, error.request_id) == ("UNKNOWN", 403, "req_2")


def test_a_redirect_does_not_carry_the_credentials_elsewhere(kind: Kind) -> None:
    service = Service(lambda _: httpx.Response(302, headers={"location": "https://other.example"}))
    assert isinstance(service.outcome(kind, lambda c: c.billing.balance(max_retries=0)), ApiConnectionError)
    assert {request.url.host for request in service.requests} == {"classroom.example"}


@pytest.mark.parametrize(
    ("status", "code"),
    [(400, "VALIDATION_FAILED"), (401, "UNAUTHORIZED"), (409, "IDEMPOTENCY_CONFLICT"), (500, "INTERNAL_ERROR"), (503, "RECORDER_BUSY")],
)
def test_some_refusals_are_not_retried(kind: Kind, status: int, code: str) -> None:
    service = Service(refusal(status, code))
    assert service.outcome(kind, create).code == code
    assert len(service.requests) == 1


def test_an_unhealthy_service_is_an_answer(kind: Kind) -> None:
    service = Service(lambda _: httpx.Response(503, json={"success": True, "data": {"status": "unhealthy"}}))
    assert service.outcome(kind, lambda c: c.health()) == {"status": "unhealthy"}
    proxy = Service(lambda _: httpx.Response(503, html="<h1>Service Unavailable</h1>"))
    assert proxy.outcome(kind, lambda c: c.health(max_retries=0)).code == "SERVICE_UNAVAILABLE"


@pytest.mark.parametrize(
    "failure",
    [
        refusal(429, "RATE_LIMITED"),
        refusal(503, "SERVICE_UNAVAILABLE"),
        lambda _: httpx.Response(502, text="Bad Gateway"),
        broken,
        silent,
        streamed(b'{"success"', failure=httpx.ReadError("reset")),
        lambda _: httpx.Response(200, content=b'{"success"'),
        refusal(409, "IDEMPOTENCY_CONFLICT", {"retry-after": "1"}),
    ],
)
def test_a_temporary_failure_is_retried_under_one_key(kind: Kind, failure: Answer) -> None:
    service = Service(failure, failure, ok({"roomId": "geometry-7b"}))
    assert service.outcome(kind, create) == {"roomId": "geometry-7b"}
    assert len(service.requests) == 3
    assert len(set(keys(service))) == 1 and keys(service)[0]


def test_it_is_raised_after_three_retries_with_growing_pauses(kind: Kind, pauses: list[float]) -> None:
    service = Service(refusal(503, "SERVICE_UNAVAILABLE"))
    assert service.outcome(kind, balance).code == "SERVICE_UNAVAILABLE"
    assert len(service.requests) == 4
    for pause, most in zip(pauses, [0.5, 1.0, 2.0], strict=True):
        assert most / 2 <= pause <= most


def test_pauses_are_random(kind: Kind, pauses: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "random", lambda: 0.0)
    Service(broken, ok({})).outcome(kind, balance)
    assert pauses == [0.25]


def test_retry_after_is_respected_unless_it_is_too_long(kind: Kind, pauses: list[float]) -> None:
    Service(refusal(429, "RATE_LIMITED", {"retry-after": "40"}), ok({})).outcome(kind, balance)
    assert 40 <= pauses[0] <= 41
    later = Service(refusal(429, "RATE_LIMITED", {"retry-after": formatdate(time.time() + 3_600, usegmt=True)}))
    assert later.outcome(kind, balance).retry_after > 3_500
    assert (len(later.requests), len(pauses)) == (1, 1)


@pytest.mark.parametrize(("max_retries", "times"), [(0, 1), (1, 2)])
def test_the_number_of_retries_can_be_given(kind: Kind, max_retries: int, times: int) -> None:
    service = Service(broken)
    assert isinstance(service.outcome(kind, lambda c: c.billing.balance(max_retries=max_retries)), ApiConnectionError)
    assert len(service.requests) == times


def test_silence_is_a_timeout(kind: Kind) -> None:
    service = Service(silent)
    error = service.outcome(kind, lambda c: c.billing.balance(timeout=1.5, max_retries=0))
    assert isinstance(error, ApiTimeoutError) and error.timeout == 1.5
    assert service.requests[0].extensions["timeout"]["read"] == 1.5


def test_each_post_has_a_key_of_its_own_or_the_given_one(kind: Kind) -> None:
    service = Service(ok({}))
    for call in (create, create, lambda c: c.rooms.end("a"), lambda c: c.rooms.create(ROOM, idempotency_key="lesson-1")):
        service.outcome(kind, call)
    first, second, end, given = keys(service)
    assert first != second and (end, given) == (None, "lesson-1")


def test_a_call_of_the_tutor_has_the_organization(kind: Kind) -> None:
    service = Service(ok({}))
    service.outcome(kind, lambda c: c.tutor.chat({"roomId": "a", "studentUid": "b", "text": "c"}))
    assert json.loads(service.requests[0].content) == {"organizationId": "vfo_1", "roomId": "a", "studentUid": "b", "text": "c"}
