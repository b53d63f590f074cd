"""Streamed answers of the agent and the tutor."""

from __future__ import annotations

import json
from contextlib import aclosing, closing
from typing import Any, AsyncGenerator, Generator, Iterator, Literal, Protocol, TypeAlias, TypedDict

from ._errors import ApiConnectionError, VirtualClassroomError
from ._streams import Lines, Messages


class TextPart(TypedDict):
    type: Literal["text"]
    text: str


class AudioPart(TypedDict):
    type: Literal["audio"]
    audio: str
    """Audio in base64."""
    mimeType: str


class Usage(TypedDict):
    inputTokens: int
    outputTokens: int


class UsagePart(TypedDict):
    type: Literal["usage"]
    usage: Usage


AnswerEvent: TypeAlias = TextPart | AudioPart | UsagePart
"""A part of a model's answer, in the order in which the model generates it."""


class Answer(Protocol):
    """Reads an answer. It is done after its last part."""

    is_done: bool

    def feed(self, chunk: bytes) -> Iterator[AnswerEvent]: ...

    def end(self) -> Iterator[AnswerEvent]: ...


class NdjsonAnswer:
    """The agent's answer: one JSON object per line."""

    def __init__(self) -> None:
        self._lines = Lines()
        self.is_done = False

    def feed(self, chunk: bytes) -> Iterator[AnswerEvent]:
        for line in self._lines.feed(chunk):
            yield from self._take(line)

    def end(self) -> Iterator[AnswerEvent]:
        for line in self._lines.end():
            yield from self._take(line)

    def _take(self, line: str) -> Iterator[AnswerEvent]:
        if line == "" or self.is_done:
            return
        event = _parse(line)
        if event["type"] == "done":
            self.is_done = True
        elif event["type"] == "error":
            raise _error(event["error"], event["message"])
        else:
            part: AnswerEvent = event
            yield part


class ServerSentAnswer:
    """The tutor's answer: server-sent events."""

    def __init__(self) -> None:
        self._messages = Messages()
        self.is_done = False

    def feed(self, chunk: bytes) -> Iterator[AnswerEvent]:
        for message in self._messages.feed(chunk):
            yield from self._take(message.data)

    def end(self) -> Iterator[AnswerEvent]:
        for message in self._messages.end():
            yield from self._take(message.data)

    def _take(self, data: str) -> Iterator[AnswerEvent]:
        if data == "" or self.is_done:
            return
        if data == "[DONE]":
            self.is_done = True
            return
        event = _parse(data)
        if "error" in event:
            raise _error(event["error"], event.get("message", event["error"]))
        if event.get("usage"):
            yield {"type": "usage", "usage": event["usage"]}
        elif "audio" in event:
            yield {"type": "audio", "audio": event["audio"], "mimeType": event.get("mimeType", "audio/wav")}
        else:
            yield {"type": "text", "text": event.get("text", "")}


def read_answer(chunks: Generator[bytes, None, None], answer: Answer) -> Generator[AnswerEvent, None, None]:
    """Raises VirtualClassroomError if the service reports an error in the stream, ApiConnectionError if the stream ends early."""
    with closing(chunks):
        for chunk in chunks:
            yield from answer.feed(chunk)
            if answer.is_done:
                return
        yield from answer.end()
    _require_done(answer)


async def read_answer_async(chunks: AsyncGenerator[bytes, None], answer: Answer) -> AsyncGenerator[AnswerEvent, None]:
    async with aclosing(chunks):
        async for chunk in chunks:
            for part in answer.feed(chunk):
                yield part
            if answer.is_done:
                return
        for part in answer.end():
            yield part
    _require_done(answer)


def _require_done(answer: Answer) -> None:
    if not answer.is_done:
        raise ApiConnectionError("The stream ended before its last part")


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        # The parser's error has the answer, which is part of a private conversation.
        raise ApiConnectionError("The stream has a part that is not JSON") from None


def _error(code: str, message: str) -> VirtualClassroomError:
    return VirtualClassroomError(message, code=code, status=200)
