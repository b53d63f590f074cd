"""Uses the Python SDK as a backend does, once in synchronous and once in asynchronous code. Prints what it has seen as JSON."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import aclosing, closing

from virtual_classroom import AsyncVirtualClassroom, VirtualClassroom, VirtualClassroomError, WebhookVerificationError, verify_webhook
from virtual_classroom.types import CreateRoomBody, CreateRoomBodyParticipant, JoinRoomBodyParticipant

URL = os.environ["CLASSROOM_URL"]
CREDENTIAL = os.environ["CLASSROOM_CREDENTIAL"]
TEACHER: CreateRoomBodyParticipant = {"uid": "teacher", "name": "Sofia", "role": "TEACHER"}
STUDENT: JoinRoomBodyParticipant = {"uid": "ada", "name": "Ada", "role": "STUDENT"}


def room(kind: str, number: int) -> CreateRoomBody:
    return {"roomId": f"{kind}-{number}", "title": kind, "participant": TEACHER}


def in_sync() -> dict[str, object]:
    with VirtualClassroom(URL, credential=CREDENTIAL) as classroom:
        made = [classroom.rooms.create(room("sync", number))["room"]["roomId"] for number in range(3)]
        joined = classroom.rooms.join(made[0], {"participant": STUDENT})
        listed = [one["roomId"] for one in classroom.rooms.list({"limit": 2, "title": "sync"})]
        classroom.rooms.end(made[0])
        code = ""
        try:
            classroom.rooms.join(made[0], {"participant": STUDENT})
        except VirtualClassroomError as error:
            code = error.code
        seen = []
        with closing(classroom.events.stream({"after": "0", "types": ["room.created"]})) as events:
            for event in events:
                if event["type"] == "room.created":
                    seen.append(event["data"]["roomId"])
                if len(seen) == 3:
                    break
        text = "".join(
            part["text"] for part in classroom.agent.stream({"chatId": "a", "message": "Who collects nectar?"}) if part["type"] == "text"
        )
    return {"made": made, "joined": joined["iframeUrl"], "listed": listed, "code": code, "seen": seen, "hasText": bool(text)}


async def in_async() -> dict[str, object]:
    async with AsyncVirtualClassroom(URL, credential=CREDENTIAL) as classroom:
        created = await asyncio.gather(*(classroom.rooms.create(room("async", number)) for number in range(3)))
        made = [one["room"]["roomId"] for one in created]
        joined = await classroom.rooms.join(made[0], {"participant": STUDENT})
        listed = [one["roomId"] async for one in classroom.rooms.list({"limit": 2, "title": "async"})]
        await classroom.rooms.end(made[0])
        code = ""
        try:
            await classroom.rooms.join(made[0], {"participant": STUDENT})
        except VirtualClassroomError as error:
            code = error.code
        seen = []
        async with aclosing(classroom.events.stream({"after": "0", "types": ["room.created"]})) as events:
            async for event in events:
                if event["type"] == "room.created" and event["data"]["title"] == "async":
                    seen.append(event["data"]["roomId"])
                if len(seen) == 3:
                    break
        parts = classroom.agent.stream({"chatId": "b", "message": "Who collects nectar?"})
        text = "".join([part["text"] async for part in parts if part["type"] == "text"])
    return {"made": made, "joined": joined["iframeUrl"], "listed": listed, "code": code, "seen": seen, "hasText": bool(text)}


def verified() -> dict[str, object]:
    received = json.loads(sys.stdin.read())
    event = verify_webhook(received["body"], received["headers"], received["secret"])
    try:
        verify_webhook(received["body"] + " ", received["headers"], received["secret"])
    except WebhookVerificationError:
        return {"type": event["type"], "data": event["data"]}
    return {}


print(json.dumps({"sync": in_sync(), "async": asyncio.run(in_async()), "webhook": verified()}))
