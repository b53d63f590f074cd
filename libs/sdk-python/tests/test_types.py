"""Code that mypy must accept, and with `type: ignore` code that it must not: an ignored line without an error is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_type

from virtual_classroom import AsyncVirtualClassroom, VirtualClassroom, VirtualClassroomError, has_code, verify_webhook
from virtual_classroom.types import CreatedRoom, Room

if TYPE_CHECKING:
    client = VirtualClassroom("https://classroom.example", api_key="vc_live_1")
    VirtualClassroom("https://classroom.example")  # type: ignore[call-overload]
    VirtualClassroom("https://classroom.example", api_key="a", credential="b")  # type: ignore[call-overload]
    client.rooms.join("a", {"participant": {"uid": "a", "name": "A", "role": "PUPIL"}})  # type: ignore[typeddict-item]
    client.rooms.create({"roomId": "a", "participant": {"uid": "a", "name": "A", "role": "TEACHER"}})  # type: ignore[typeddict-item]
    client.rooms.end("a", timeout="long")  # type: ignore[arg-type]
    for room in client.rooms.list({"status": "live"}):
        assert_type(room, Room)
    for part in client.agent.stream({"chatId": "a", "message": "b"}):
        if part["type"] == "text":
            assert_type(part["text"], str)
    event = verify_webhook("", {}, "whsec_")
    event["data"]["totalSeconds"]  # type: ignore[typeddict-item]
    if event["type"] == "room.finished":
        assert_type(event["data"]["totalSeconds"], int)
    has_code(None, "ROOM_LOST")  # type: ignore[arg-type]

    async def created(classroom: AsyncVirtualClassroom) -> CreatedRoom:
        return await classroom.rooms.create(
            {"roomId": "a", "title": "A", "participant": {"uid": "a", "name": "A", "role": "TEACHER"}}
        )


def methods_of(of: object, prefix: str = "") -> set[str]:
    found: set[str] = set()
    for name in dir(of):
        member = getattr(of, name)
        if name.startswith("_"):
            continue
        if callable(member):
            found.add(prefix + name)
        elif type(member).__module__.startswith("virtual_classroom"):
            found |= methods_of(member, f"{prefix}{name}.")
    return found


def test_both_clients_have_the_same_methods() -> None:
    methods = methods_of(VirtualClassroom("https://classroom.example", api_key="a"))
    assert methods == methods_of(AsyncVirtualClassroom("https://classroom.example", api_key="a"))
    assert {"rooms.participants.change_role", "webhook_endpoints.rotate_secret", "events.stream", "health"} <= methods


def test_an_error_is_an_exception() -> None:
    assert has_code(VirtualClassroomError("It", code="ROOM_FULL", status=409), "ROOM_FULL")
