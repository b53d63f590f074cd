"""When a call is tried again."""

from __future__ import annotations

import random

from ._errors import ApiConnectionError, VirtualClassroomError

_MIN_DELAY = 0.5
_MAX_DELAY = 8.0
# If the service asks for a longer wait, in seconds, the call fails instead. The service's rate-limit windows are one minute long.
_MAX_RETRY_AFTER = 90.0


def retry_delay(failure: Exception, attempt: int) -> float | None:
    """Returns the seconds to wait before the retry; None if a retry would not help."""
    if not _is_retryable(failure):
        return None
    # Half of the delay is random, so that callers that failed together do not retry together.
    delay = min(_MIN_DELAY * 2.0**attempt, _MAX_DELAY) * (0.5 + random.random() / 2)
    requested = failure.retry_after if isinstance(failure, VirtualClassroomError) else None
    if requested is None:
        return delay
    return None if requested > _MAX_RETRY_AFTER else requested + delay


def _is_retryable(failure: Exception) -> bool:
    if isinstance(failure, ApiConnectionError):
        return True
    if not isinstance(failure, VirtualClassroomError):
        return False
    # A recorder becomes free when another class's recording ends, which may take long: the caller decides when to retry.
    if failure.code == "RECORDER_BUSY":
        return False
    # With a time to wait, this conflict means that the service is still processing the previous attempt.
    is_in_progress = failure.code == "IDEMPOTENCY_CONFLICT" and failure.retry_after is not None
    return failure.status == 429 or 502 <= failure.status <= 504 or is_in_progress
