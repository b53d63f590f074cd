from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from service import Kind, Parts, Service, broken, refusal, streamed
from virtual_classroom import ApiConnectionError, VirtualClassroomError

TEXT = {"type": "text", "text": "Ça va? 数 🙂\n"}
AUDIO = {"type": "audio", "audio": "UklGRg==", "mimeType": "audio/wav"}
USAGE = {"type": "usage", "usage": {"inputTokens": 3, "outputTokens": 5}}


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value, ensure_ascii=False).encode() + b"\n" for value in values)


def events(*values: object) -> bytes:
    texts = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values]
    return "".join(f"data: {text}\n\n" for text in texts).encode()


def agent(client: Any) -> Any:
    return client.agent.stream({"chatId": "a", "message": "b"})


def tutor(client: Any) -> Any:
    return client.tutor.stream({"roomId": "a", "studentUid": "b", "text": "c"})


FORMATS = [
    pytest.param(
        agent,
        lines(TEXT, AUDIO, USAGE, {"type": "done"}),
        lines(TEXT, {"type": "error", "error": "AI_UNAVAILABLE", "message": "No model"}),
        lines(TEXT),
        id="lines of JSON",
    ),
    pytest.param(
        tutor,
        b": beat\n\n" + events({"text": TEXT["text"], "usage": None}, {"text": "", **AUDIO}, {"usage": USAGE["usage"]}, "[DONE]"),
        events({"text": TEXT["text"], "usage": None}, {"error": "AI_UNAVAILABLE", "message": "No model"}, "[DONE]"),
        events({"text": TEXT["text"], "usage": None}),
        id="server-sent events",
    ),
]


def in_chunks(whole: bytes, size: int) -> list[bytes]:
    return [whole[at : at + size] for at in range(0, len(whole), size)]


@pytest.mark.parametrize(("call", "whole", "failed", "cut"), FORMATS)
class TestAnAnswer:
    def test_is_the_same_wherever_its_bytes_are_cut(self, kind: Kind, call: Any, whole: bytes, failed: bytes, cut: bytes) -> None:
        for size in (1, 2, 3, 7, len(whole)):
            for written in (whole, whole.replace(b"\n", b"\r\n")):
                read = Service(streamed(*in_chunks(written, size))).outcome(kind, call)
                assert (size, read.items, read.failure) == (size, [TEXT, AUDIO, USAGE], None)

    def test_raises_the_error_that_ended_it(self, kind: Kind, call: Any, whole: bytes, failed: bytes, cut: bytes) -> None:
        read = Service(streamed(*in_chunks(failed, 7))).outcome(kind, call)
        assert read.items == [TEXT]
        assert isinstance(read.failure, VirtualClassroomError)
        assert (read.failure.code, str(read.failure), read.failure.status) == ("AI_UNAVAILABLE", "No model", 200)

    def test_fails_if_its_end_is_missing_and_is_not_retried(self, kind: Kind, call: Any, whole: bytes, failed: bytes, cut: bytes) -> None:
        for failure in (None, httpx.ReadError("reset")):
            service = Service(streamed(cut, failure=failure))
            read = service.outcome(kind, call)
            assert (read.items, type(read.failure), len(service.requests)) == ([TEXT], ApiConnectionError, 1)

    def test_does_not_quote_a_conversation(self, kind: Kind, call: Any, whole: bytes, failed: bytes, cut: bytes) -> None:
        read = Service(streamed(whole.replace(b'"', b'"secret"secret', 1))).outcome(kind, call)
        assert isinstance(read.failure, ApiConnectionError)
        assert "secret" not in repr((read.failure, read.failure.__cause__))

    def test_is_retried_until_it_begins(self, kind: Kind, call: Any, whole: bytes, failed: bytes, cut: bytes) -> None:
        service = Service(broken, refusal(503, "AI_UNAVAILABLE"), streamed(whole))
        assert service.outcome(kind, call).items == [TEXT, AUDIO, USAGE]
        assert len({request.headers["idempotency-key"] for request in service.requests}) == 1

    def test_is_closed_when_its_reader_leaves_the_loop(self, call: Any, whole: bytes, failed: bytes, cut: bytes) -> None:
        body = Parts([cut] * 9)
        parts = call(Service(lambda _: httpx.Response(200, stream=body)).client())
        assert next(parts) == TEXT
        assert not body.is_closed
        parts.close()
        assert body.is_closed


def created(sequence: int) -> dict[str, object]:
    return {"id": f"evt_{sequence}", "type": "room.created", "timestamp": "", "sequence": sequence, "data": {}}


def block(sequence: int) -> bytes:
    return f"id: {sequence}\nevent: room.created\ndata: {json.dumps(created(sequence))}\n\n".encode()


def searches(service: Service) -> list[str]:
    return [request.url.query.decode() for request in service.requests]


def test_the_stream_of_events_continues_after_the_last_whole_event(kind: Kind, pauses: list[float]) -> None:
    service = Service(
        streamed(b"retry: 1000\nid: 4\n\n", block(5) + block(6)),
        streamed(b"id: 6\n\n", block(7), b'id: 8\nevent: room.created\ndata: {"id"', failure=httpx.ReadError("reset")),
        broken,
        lambda _: httpx.Response(503),
        streamed(b": heartbeat\nid: 9\n\n"),
        refusal(401, "UNAUTHORIZED"),
    )
    read = service.outcome(kind, lambda c: c.events.stream())
    assert read.items == [created(sequence) for sequence in (5, 6, 7)]
    assert searches(service) == ["", "after=6", "after=7", "after=7", "after=7", "after=9"]
    assert read.failure.code == "UNAUTHORIZED"
    assert len(pauses) == 5


def test_it_begins_where_it_is_asked_to_and_reports_what_has_expired(kind: Kind) -> None:
    gap = b'id: 41\nevent: gap\ndata: {"from":3,"to":41}\n\n'
    service = Service(streamed(gap), refusal(401, "UNAUTHORIZED"))
    read = service.outcome(kind, lambda c: c.events.stream({"after": "2", "types": ["room.created", "room.finished"]}))
    assert read.items == [{"type": "gap", "data": {"from": 3, "to": 41}}]
    assert [search.split("&")[0] for search in searches(service)] == ["after=2", "after=41"]
    assert all(search.endswith("types=room.created%2Croom.finished") for search in searches(service))


def test_it_raises_if_it_cannot_begin(kind: Kind, pauses: list[float]) -> None:
    read = Service(refusal(401, "UNAUTHORIZED")).outcome(kind, lambda c: c.events.stream())
    assert (read.items, read.failure.code, pauses) == ([], "UNAUTHORIZED", [])
