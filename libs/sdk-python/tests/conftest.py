from __future__ import annotations

import time
from typing import Iterator

import anyio
import pytest

from service import Kind


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> Kind:
    return "sync" if request.param == "sync" else "async"


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The seconds that a client would have waited, each time."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(time, "sleep", waited.append)
    monkeypatch.setattr(anyio, "sleep", sleep)
    yield waited
