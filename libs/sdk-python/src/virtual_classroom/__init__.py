"""The Virtual Classroom API for a backend in Python."""

from . import types
from ._answers import AnswerEvent, AudioPart, TextPart, UsagePart
from ._client import AdminClient, AsyncAdminClient, AsyncVirtualClassroom, VirtualClassroom
from ._errors import ApiConnectionError, ApiTimeoutError, ErrorDetail, VirtualClassroomError, has_code
from ._events import GapEvent
from ._pages import AsyncPages, Pages
from ._request import RequestOptions
from ._webhooks import PingEvent, WebhookEvent, WebhookVerificationError, verify_webhook

__all__ = [
    "AdminClient",
    "AnswerEvent",
    "ApiConnectionError",
    "ApiTimeoutError",
    "AsyncAdminClient",
    "AsyncPages",
    "AsyncVirtualClassroom",
    "AudioPart",
    "ErrorDetail",
    "GapEvent",
    "Pages",
    "PingEvent",
    "RequestOptions",
    "TextPart",
    "UsagePart",
    "VirtualClassroom",
    "VirtualClassroomError",
    "WebhookEvent",
    "WebhookVerificationError",
    "has_code",
    "types",
    "verify_webhook",
]
