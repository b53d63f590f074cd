"""Parts of a stream, wherever its bytes are cut."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Iterator


class Lines:
    """Splits a byte stream into lines. Chunks may end anywhere, even within a character; the last line may lack its line feed."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._partial: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[str]:
        end, *others = self._decoder.decode(chunk).split("\n")
        self._partial.append(end)
        if not others:
            return
        # The parts are joined once per line, because a line with audio arrives in many chunks.
        lines = ["".join(self._partial), *others]
        self._partial = [lines.pop()]
        for line in lines:
            yield line.removesuffix("\r")

    def end(self) -> Iterator[str]:
        last = "".join(self._partial) + self._decoder.decode(b"", final=True)
        self._partial = []
        if last:
            yield last.removesuffix("\r")


@dataclass(frozen=True)
class Message:
    """A block of a stream of server-sent events."""

    event: str
    """`message` if the block names no other."""
    data: str
    """The `data` lines, joined; empty if there are none."""
    id: str | None
    """The last id that was sent."""


class Messages:
    """Splits a byte stream into server-sent events. A block without data counts too, because it may move the id."""

    def __init__(self) -> None:
        self._lines = Lines()
        self._id: str | None = None
        self._event = "message"
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[Message]:
        for line in self._lines.feed(chunk):
            yield from self._take(line)

    def end(self) -> Iterator[Message]:
        for line in self._lines.end():
            yield from self._take(line)

    def _take(self, line: str) -> Iterator[Message]:
        if line == "":
            message = Message(self._event, "\n".join(self._data), self._id)
            self._event, self._data = "message", []
            yield message
            return
        match = re.fullmatch(r"(\w+)(?:: ?(.*))?", line, re.DOTALL)
        if match is None:
            return
        field, value = match[1], match[2] or ""
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._event = value
        elif field == "id":
            self._id = value
