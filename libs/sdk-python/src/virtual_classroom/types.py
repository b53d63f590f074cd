# Written by `npm run generate -- reference` from docs/reference.
"""The objects of the API, as dictionaries with the API's own field names."""

from __future__ import annotations

from typing import Any, Literal, Mapping, NotRequired, Sequence, TypeAlias, TypedDict

ErrorCode: TypeAlias = Literal[
    "ADMISSION_REFUSED",
    "AI_DISABLED",
    "AI_UNAVAILABLE",
    "ALREADY_CONNECTED",
    "ALREADY_VOTED",
    "API_KEY_NOT_FOUND",
    "BILLING_TYPE_LOCKED",
    "BOARD_FULL",
    "BOARD_PAGE_NOT_FOUND",
    "BOARD_TOO_LARGE",
    "CHAT_BUSY",
    "CHAT_MESSAGE_NOT_FOUND",
    "CHAT_OFF",
    "CONSENT_NOT_ASKED",
    "CONSENT_REQUIRED",
    "CREDENTIAL_ALREADY_EXISTS",
    "CREDENTIAL_NOT_FOUND",
    "DEAD_LETTER_NOT_FOUND",
    "DOCUMENT_NOT_FOUND",
    "DOCUMENT_NOT_READY",
    "DOCUMENT_TYPE_UNSUPPORTED",
    "ERASURE_BEGUN",
    "ERASURE_NOT_FOUND",
    "EXPORT_EXPIRED",
    "EXPORT_NOT_FOUND",
    "FORBIDDEN",
    "IDEMPOTENCY_CONFLICT",
    "INSUFFICIENT_CREDITS",
    "INTERNAL_ERROR",
    "LAST_CREDENTIAL",
    "LEGAL_HOLD",
    "NOTHING_TO_MERGE",
    "NOT_FOUND",
    "NO_ACTIVE_RECORDING",
    "NO_PAUSED_RECORDING",
    "ORGANIZATION_ALREADY_EXISTS",
    "ORGANIZATION_NOT_FOUND",
    "ORGANIZATION_SETUP_INCOMPLETE",
    "PARTICIPANT_ADMITTED",
    "PARTICIPANT_NOT_FOUND",
    "PAYLOAD_TOO_LARGE",
    "POLL_CLOSED",
    "POLL_NOT_FOUND",
    "PRESET_NOT_FOUND",
    "QUESTION_NOT_FOUND",
    "QUOTA_EXCEEDED",
    "RATE_LIMITED",
    "RECORDER_BUSY",
    "RECORDING_BUCKET_NOT_FOUND",
    "RECORDING_BUCKET_REFUSED",
    "RECORDING_EXPIRED",
    "RECORDING_IN_PROGRESS",
    "RECORDING_NOT_FOUND",
    "ROOM_ENDED",
    "ROOM_FULL",
    "ROOM_ID_ALREADY_USED",
    "ROOM_NOT_FOUND",
    "ROOM_NOT_LIVE",
    "ROOM_NOT_OPEN",
    "SERVICE_UNAVAILABLE",
    "TOO_MANY_API_KEYS",
    "TOO_MANY_API_KEY_SECRETS",
    "TOO_MANY_CREDENTIALS",
    "TOO_MANY_DOCUMENTS",
    "TOO_MANY_EXPORTS",
    "TOO_MANY_POLLS",
    "TOO_MANY_PRESETS",
    "TOO_MANY_WEBHOOK_ENDPOINTS",
    "UNAUTHORIZED",
    "UNSUPPORTED_MEDIA_TYPE",
    "VALIDATION_FAILED",
    "VIDEO_NOT_FOUND",
    "WEBHOOK_DELIVERY_NOT_FOUND",
    "WEBHOOK_ENDPOINT_DISABLED",
    "WEBHOOK_ENDPOINT_NOT_FOUND",
]

EventType: TypeAlias = Literal[
    "room.created",
    "room.started",
    "room.ending_soon",
    "room.finished",
    "room.budget_reached",
    "attendance.evaluated",
    "engagement.summarized",
    "participant.joined",
    "participant.left",
    "participant.waiting",
    "participant.admitted",
    "participant.refused",
    "participant.removed",
    "chat.message_deleted",
    "chat.message_reported",
    "board.exported",
    "recording.started",
    "recording.completed",
    "recording.failed",
    "recording.health",
    "recording.deleted",
    "recording.copied",
    "recording.copy_failed",
    "credits.low",
    "credits.overconsumed",
    "credits.threshold_reached",
    "video.completed",
    "video.failed",
    "document.converted",
    "document.failed",
    "webhook.endpoint_disabled",
]


class AiSettingsChat(TypedDict):
    provider: Literal["openai-compatible", "google", "anthropic", "offline"]
    """The provider’s protocol."""
    model: str
    """Name of the model at the provider."""
    baseUrl: str | None
    """Address of the provider; null for the provider’s own."""
    hasApiKey: bool
    """Whether a key is stored."""
    vision: NotRequired[bool]
    """Whether the model gets pictures. Present if it was set."""


class AiSettingsChatFallback(TypedDict):
    provider: Literal["openai-compatible", "google", "anthropic", "offline"]
    """The provider’s protocol."""
    model: str
    """Name of the model at the provider."""
    baseUrl: str | None
    """Address of the provider; null for the provider’s own."""
    hasApiKey: bool
    """Whether a key is stored."""
    vision: NotRequired[bool]
    """Whether the model gets pictures. Present if it was set."""


class AiSettingsSpeechToText(TypedDict):
    provider: Literal["openai-compatible", "google", "anthropic", "offline"]
    """The provider’s protocol."""
    model: str
    """Name of the model at the provider."""
    baseUrl: str | None
    """Address of the provider; null for the provider’s own."""
    hasApiKey: bool
    """Whether a key is stored."""
    vision: NotRequired[bool]
    """Whether the model gets pictures. Present if it was set."""


class AiSettingsTextToSpeech(TypedDict):
    provider: Literal["openai-compatible", "google", "anthropic", "offline"]
    """The provider’s protocol."""
    model: str
    """Name of the model at the provider."""
    baseUrl: str | None
    """Address of the provider; null for the provider’s own."""
    hasApiKey: bool
    """Whether a key is stored."""
    vision: NotRequired[bool]
    """Whether the model gets pictures. Present if it was set."""


class AiSettingsEmbedding(TypedDict):
    provider: Literal["openai-compatible", "google", "anthropic", "offline"]
    """The provider’s protocol."""
    model: str
    """Name of the model at the provider."""
    baseUrl: str | None
    """Address of the provider; null for the provider’s own."""
    hasApiKey: bool
    """Whether a key is stored."""
    vision: NotRequired[bool]
    """Whether the model gets pictures. Present if it was set."""


class AiSettings(TypedDict):
    """An organization’s own models and prices."""

    organizationId: str
    """Id of the organization."""
    chat: AiSettingsChat | None
    """Model that answers. Null where the installation’s model applies."""
    chatFallback: AiSettingsChatFallback | None
    """Model that answers while the first one does not. Null where the installation’s model applies."""
    speechToText: AiSettingsSpeechToText | None
    """Model that transcribes questions. Null where the installation’s model applies."""
    textToSpeech: AiSettingsTextToSpeech | None
    """Model that speaks answers. Null where the installation’s model applies."""
    embedding: AiSettingsEmbedding | None
    """Model that finds equal questions. Null where the installation’s model applies."""
    prices: Sequence[ModelPrice] | None
    """Prices of the organization’s own models; null where the installation’s prices apply."""
    credits: CreditPrice | None
    """What AI costs the organization in credits; null: nothing."""
    updatedAt: str | None
    """When the settings last changed; null if they never did."""


class AiUsageSummary(TypedDict):
    """The totals of agent and tutor."""

    totalSessions: int
    """Chats with the agent plus questions to tutors."""
    totalTokenCost: float
    """Total cost in the currency of the price table."""
    totalInputTokens: int
    """Tokens that the models read."""
    totalOutputTokens: int
    """Tokens that the models wrote."""


class AiUsageBreakdownAiAgent(TypedDict):
    """The agent’s share."""

    sessions: int
    """Number of chats."""
    inputTokens: int
    """Tokens that the models read."""
    outputTokens: int
    """Tokens that the models wrote."""
    cost: float
    """Cost in the currency of the price table: USD unless the installation configures another."""


class AiUsageBreakdownAiTutor(TypedDict):
    """The tutors’ share."""

    interactions: int
    """Number of questions."""
    inputTokens: int
    """Tokens that the models read."""
    outputTokens: int
    """Tokens that the models wrote."""
    cost: float
    """Cost in the currency of the price table: USD unless the installation configures another."""


class AiUsageBreakdown(TypedDict):
    """The same, separately."""

    aiAgent: AiUsageBreakdownAiAgent
    """The agent’s share."""
    aiTutor: AiUsageBreakdownAiTutor
    """The tutors’ share."""


class AiUsage(TypedDict):
    """Tokens and cost of agent and tutor."""

    summary: AiUsageSummary
    """The totals of agent and tutor."""
    breakdown: AiUsageBreakdown
    """The same, separately."""


class ApiKey(TypedDict):
    """An API key, without its secret."""

    keyId: str
    """Id of the key."""
    name: str
    """Name of the key."""
    prefix: str
    """The first characters of its secrets, to identify the key in a configuration."""
    scopes: Sequence[str]
    """The permissions of the key."""
    expiresAt: str | None
    """When the key expires; null: never."""
    lastUsedAt: str | None
    """When the key was last used, to about a minute; null if it never was."""
    previousSecretExpiresAt: str | None
    """Until when secrets from before the last rotation are accepted; null if there are none."""
    createdByKeyId: NotRequired[str | None]
    """The API key that created this one; null if it was created with `VF-ORG-ID` or by an operator."""
    createdAt: str
    """When the key was created."""


class ApiKeyWithSecret(TypedDict):
    """An API key and its new secret. Only the hash of the secret is stored."""

    keyId: str
    """Id of the key."""
    name: str
    """Name of the key."""
    prefix: str
    """The first characters of its secrets, to identify the key in a configuration."""
    scopes: Sequence[str]
    """The permissions of the key."""
    expiresAt: str | None
    """When the key expires; null: never."""
    lastUsedAt: str | None
    """When the key was last used, to about a minute; null if it never was."""
    previousSecretExpiresAt: str | None
    """Until when secrets from before the last rotation are accepted; null if there are none."""
    createdByKeyId: NotRequired[str | None]
    """The API key that created this one; null if it was created with `VF-ORG-ID` or by an operator."""
    createdAt: str
    """When the key was created."""
    secret: str
    """The secret, `vc_live_…`, for `Authorization: Bearer`. It is shown only here."""


class AttendanceParticipantsItem(TypedDict):
    uid: str
    """Your id of the participant."""
    name: str
    """Display name of the participant."""
    role: str
    """Role of the participant in the room."""
    firstJoinedAt: str
    """When the participant first joined."""
    lastLeftAt: str | None
    """When the participant last left; null while connected."""
    duration: int
    """Seconds in class, over all sessions."""
    percentOfClass: float
    """Share of `classDuration` in percent, one decimal."""
    sessionCount: int
    """Number of sessions: one more per rejoin."""
    isPresent: bool
    """Whether the participant is connected now."""
    evaluation: NotRequired[EvaluatedAttendance]
    """The attendance by the policy of the class. Missing without `evaluation` of the class."""


class AttendanceEvaluationCounts(TypedDict):
    """The numbers of people: of those on the roster or, without one, of everyone who joined."""

    present: int
    """Those with `PRESENT`."""
    late: int
    """Those with `LATE`."""
    leftEarly: int
    """Those with `LEFT_EARLY`."""
    absent: int
    """Those with `ABSENT`."""


class AttendanceEvaluation(TypedDict):
    """By what attendance is evaluated, from the start of the lesson. Missing before it, and if the class has no policy."""

    policy: AttendancePolicy
    """The policy."""
    lessonStart: str
    """The start of the lesson: `startsAt` of its schedule, otherwise the first join."""
    lessonEnd: str
    """The end of the lesson: `endsAt` of its schedule or, if that is earlier, the last leave. Before the class has ended: now, if that is earlier."""
    counts: AttendanceEvaluationCounts
    """The numbers of people: of those on the roster or, without one, of everyone who joined."""


class AttendanceNeverJoinedItem(TypedDict):
    uid: str
    """Your id of the participant."""
    name: str | None
    """Name on the roster; null if there is none."""


class Attendance(TypedDict):
    """Who was in a class, and for how long."""

    roomId: str
    """Your id of the room."""
    roomTitle: str
    """Title of the room."""
    status: Literal["live", "finished"]
    """`finished` after the class, otherwise `live`, also before the first participant joins; `state` distinguishes the two."""
    state: NotRequired[Literal["created", "live", "finished"]]
    """State of the room. More states may be added."""
    startedAt: str | None
    """When the first participant joined; null before."""
    endedAt: str | None
    """When the class ended; null before."""
    classDuration: int
    """Seconds from the first join to the end of the class, or to now."""
    totalParticipants: int
    """Number of participants who joined."""
    participants: Sequence[AttendanceParticipantsItem]
    """One entry per participant who joined."""
    evaluation: NotRequired[AttendanceEvaluation]
    """By what attendance is evaluated, from the start of the lesson. Missing before it, and if the class has no policy."""
    neverJoined: NotRequired[Sequence[AttendanceNeverJoinedItem]]
    """The people on the roster who never joined, all of them `ABSENT`. Missing without `evaluation`."""


class AttendancePolicy(TypedDict):
    """How attendance of a class is evaluated."""

    lateAfter: int
    """Seconds after the start of the lesson: who comes later is `LATE`. 0 to 86,400."""
    leftBefore: int
    """Seconds before the end of the lesson: who left earlier is `LEFT_EARLY`. 0 to 86,400."""
    minimumPresence: int
    """Percent of the lesson: who was in class for less is `ABSENT`. 0 to 100."""
    reconnectGrace: int
    """Seconds: a gap between two connections that is not longer counts as presence. 0 to 3,600."""


class AuditActor(TypedDict):
    """Who made an audited call."""

    type: Literal["operator", "api-key", "credential", "dashboard", "participant"]
    """What identified the caller: an operator’s secret, an API key, a value of `VF-ORG-ID`, a dashboard token, or a token of a class."""
    id: str
    """Name of the operator, id of the key or credential, subject of the dashboard token, or `uid` of the participant."""


class AuditChange(TypedDict):
    """What an audited call changed."""

    kind: Literal["organization", "credential", "api-key", "webhook-endpoint", "erasure", "dead-letter"]
    """What was changed."""
    id: str
    """Its id."""
    before: Mapping[str, str | float | bool | None | Sequence[str] | Mapping[str, str | float | bool | None]] | None
    """The fields that changed, as they were; null if it was created. `(withheld)` stands for a secret or a text."""
    after: Mapping[str, str | float | bool | None | Sequence[str] | Mapping[str, str | float | bool | None]] | None
    """The fields that changed, as they are; null if it was deleted or revoked."""


class AuditEntry(TypedDict):
    """One call in the audit log."""

    id: str
    """Id of the entry."""
    sequence: int
    """Position in the log of the organization: 1, 2, 3 … without gaps."""
    at: str
    """When the call began."""
    actor: AuditActor
    """Who made the call."""
    operation: str
    """The operation: its `operationId` in this reference."""
    target: Mapping[str, str]
    """The ids that the call named, such as `roomId`, `uid` or `keyId`, and the `format` of an export."""
    fields: Sequence[str]
    """The names of the fields in the body of the call."""
    changes: Sequence[AuditChange]
    """What the call changed of organizations, credentials, API keys, webhook endpoints and dead letters, and which erasure it requested."""
    status: int | None
    """HTTP status of the answer; null if it is unknown, because the gateway ended before it answered."""
    address: str | None
    """Address of the client. Null where it is not shown: organizations do not see those of operators."""
    requestId: str
    """`X-Request-Id` of the call."""
    hash: str
    """SHA-256 over this entry and the hash of the one before, hexadecimal. Keep it to prove later what came before."""


Balance: TypeAlias = "PrepaidBalance | PostpaidBalance"
"""The balance of an organization, by its billing plan."""


class BoardElementElement(TypedDict):
    """The element in Excalidraw’s form, as it was drawn; only `id` and `isDeleted` if it was deleted."""

    id: str
    """Id of the element."""
    isDeleted: bool
    """Whether it was deleted."""


class BoardElement(TypedDict):
    """An element of the board."""

    pageId: str
    """Id of the page, a UUID."""
    uid: str
    """Who drew the element first."""
    version: int
    """Version of the board at which the element changed last."""
    element: BoardElementElement
    """The element in Excalidraw’s form, as it was drawn; only `id` and `isDeleted` if it was deleted."""


class CancelledErasure(TypedDict):
    """The erasure of an organization that was cancelled."""

    erasureId: str
    """Id of the erasure."""
    cancelledAt: str
    """When the erasure was cancelled."""


class Caption(TypedDict):
    """A caption track of a video."""

    language: str
    """Language of the track, a BCP 47 tag such as `en`."""
    label: str
    """Name of the track in the player."""
    isDefault: bool
    """Whether the player shows this track at first."""


class ChangedRole(TypedDict):
    """A participant’s new role."""

    uid: str
    """Your id of the participant."""
    role: Literal["TEACHER", "STUDENT", "MODERATOR", "ADMIN"]
    """The new role."""


class ChangedRoomCustomization(TypedDict):
    """How the class page looks."""

    showLobby: bool
    """Whether the page begins with a lobby."""
    showVideoControls: bool
    """Whether the controls of camera, microphone, screen share and layout are shown."""
    theme: Literal["light", "dark", "auto"]
    """Theme of the page; `auto` for what the device has."""


class ChangedRoomBudget(TypedDict):
    maxCredits: int
    """Credits that the class may use, 1 to 1,000,000,000."""
    onReached: Literal["warn", "closeDoors", "endClass"]
    """What happens when they are used up, in addition to the event `room.budget_reached`: `warn`: nothing. `closeDoors`: only who was in class may join. `endClass`: the class ends. A class is charged once a minute, so it may use what its participants use until then. Default: `warn`."""


class ChangedRoom(TypedDict):
    """What a room can be changed in, after a change."""

    title: str
    """Title of the room."""
    roomDescription: str | None
    """Description of the room; null if there is none."""
    maxParticipants: int
    """Maximum number of participants at the same time."""
    emptyTimeout: int
    """Seconds from the last leave to the end of the class."""
    chat: ChatSettings
    """Who may write in the chat, and how often."""
    permissions: RolePermissions
    consent: ConsentSettings
    """Which consent to recordings the class asks for, and whether AI may be used."""
    waitingRoom: Literal["OFF", "STUDENTS", "ALL"]
    """Who waits until they are admitted. `OFF`: no participant. `STUDENTS`: students; a teacher, moderator, admin or your backend admits them. `ALL`: everyone except admins. Who waits gets nothing of the class, takes no place and costs nothing."""
    customization: NotRequired[ChangedRoomCustomization]
    """How the class page looks."""
    classEndsAt: NotRequired[str | None]
    """When the class ends by its schedule at the latest; null if it has none, or if that depends on the first join."""
    metadata: Mapping[str, Any] | None
    """Data of your own; null if there is none."""
    duplicateJoin: Literal["replace", "refuse"]
    """What happens when a participant who is in class joins from another device. `replace`: the new device replaces the other. `refuse`: the new one gets `ALREADY_CONNECTED` as long as the other is connected; the token then opens sessions only and does not connect to LiveKit by itself."""
    muteOnJoin: bool
    """Whether everyone enters with the microphone off, except who manages participants. They turn it on themselves, in the lobby or in class."""
    budget: ChangedRoomBudget | None
    """The most credits that the class may use; null: no limit."""
    attendance: AttendancePolicy | None
    """The attendance policy; null: attendance is not evaluated."""
    autoRecord: bool
    """Whether a recording starts with the first published track."""
    startsAt: str | None
    """When the lesson starts. The room opens `joinBefore` seconds earlier; teachers and admins may enter at any time. `emptyTimeout` does not end the class before it. Null if there is none."""
    endsAt: str | None
    """When the class ends for everyone. Null if there is none."""
    joinBefore: int
    """Seconds before `startsAt` at which the room opens."""
    maxDuration: int | None
    """Seconds after which the class ends for everyone, 60 to 86,400, counted from the first join or, if that is later, from `startsAt`. Null if there is no limit."""


class ChatMessage(TypedDict):
    """A message of the class chat."""

    id: str
    """Id of the message."""
    uid: str
    """Your id of the participant."""
    name: str
    """Display name of the participant."""
    role: Literal["TEACHER", "STUDENT", "MODERATOR", "ADMIN"]
    """Role in the room."""
    text: str
    """The message; empty if it was deleted."""
    sentAt: str
    """When it was sent."""
    version: int
    """Class version of the message; messages are in this order."""
    audience: NotRequired[Literal["TEACHERS"]]
    """`TEACHERS`: only its author and the teachers, moderators and admins get it. Absent: everyone does."""
    deletedAt: NotRequired[str]
    """When it was deleted; absent if it was not."""
    deletedBy: NotRequired[str | None]
    """The uid of the participant who deleted it; null if your backend did; absent if it was not deleted."""
    reports: NotRequired[int]
    """How many participants reported it. Only teachers, moderators, admins and your backend get it; absent if none did."""


class ChatSettings(TypedDict):
    """Who may write in the chat of a class, and how often."""

    mode: Literal["ALL", "TEACHERS", "OFF"]
    """`ALL`: students write to everyone. `TEACHERS`: students write to the teachers, moderators and admins; no other student gets it. `OFF`: students do not write. Teachers, moderators and admins always write to everyone."""
    slowModeSeconds: int
    """Seconds that a student waits after a message before the next one, 0 to 3,600; 0: no wait. Teachers, moderators and admins do not wait."""


class ConsentRecord(TypedDict):
    """One answer of a participant. An answer is never changed: a withdrawal is another one."""

    uid: str
    """Your id of the participant."""
    purpose: str
    """What consent is about: `recording`."""
    version: str
    """Version of the text."""
    textHash: str
    """SHA-256 of the text in UTF-8, in hexadecimal."""
    granted: bool
    """Whether consent was granted."""
    answeredAt: str
    """When it was answered."""


class ConsentSettingsRecording(TypedDict):
    ask: Literal["join", "recording"]
    """`join`: before joining. `recording`: when a recording starts, and at the join while one runs. Not asked: who may start a recording (TEACHER, ADMIN)."""
    without: Literal["refuse", "mute", "hide"]
    """What happens without consent. `refuse`: no place in class; before the answer no camera, microphone or screen. `mute`: no camera, microphone or screen. `hide`: everything, but the recording does not show or play them. With `ask: "recording"`, only while a recording runs. No recording ever contains who has not consented."""
    version: str
    """Version of the text, 1 to 50 characters. After a change everyone is asked again."""
    text: str
    """The question, plain text of 1 to 2,000 characters."""


class ConsentSettings(TypedDict):
    """Which consent to recordings is asked for, and whether AI may be used."""

    recording: ConsentSettingsRecording | None
    """Which consent to recordings is asked for; null: none."""
    ai: bool
    """Whether the AI tutor and its summaries may be used."""


class CreatedDocumentUpload(TypedDict):
    protocol: Literal["tus"]
    """The upload protocol, always `tus`."""
    url: str
    """Address of the upload. A secret: it needs no other credential."""
    expiresAt: str
    """When an unfinished upload is deleted."""


class CreatedDocument(TypedDict):
    """A new document and its upload."""

    documentId: str
    """Id of the document."""
    upload: CreatedDocumentUpload | None
    """The upload, which already exists: HEAD reports its offset, PATCH continues it (tus 1.0). Null with `url`."""


class CreatedOrganizationBilling1(TypedDict):
    type: Literal["PREPAID"]
    """The organization buys credits in advance."""
    credits: int
    """Opening balance in credits, 0 to 1,000,000,000. Default: 0."""
    creditRate: float
    """Price of one credit in `currency`."""
    currency: str
    """ISO 4217 code, such as `USD`."""


class CreatedOrganizationBilling2(TypedDict):
    type: Literal["POSTPAID"]
    """The organization pays for what it used, cycle by cycle."""
    billingFrequency: Literal["WEEKLY", "MONTHLY"]
    """Length of a cycle."""
    cycleStartDate: str
    """Start of the first cycle."""
    creditRate: float
    """Price of one credit in `currency`."""
    currency: str
    """ISO 4217 code, such as `USD`."""


class CreatedOrganizationBranding(TypedDict):
    """Logo and colors of the class page."""

    logoUrl: str | None
    """Address of the logo, `upload:…` if it was uploaded; null if there is none."""
    primaryColor: str | None
    """Main color, such as `#1a73e8`; null if none is set."""
    accentColor: str | None
    """Second color, such as `#f9a825`; null if none is set."""


class CreatedOrganizationRetention(TypedDict):
    """How long personal data is kept."""

    presence: float
    """Whole days for which these are kept: who was in which class when: uid, name, role, permissions and picture address of a participant, and the times of each connection; the roster of a class: uid and name."""
    addresses: float
    """Whole days for which these are kept: IP addresses of participants."""
    chat: float
    """Whole days for which these are kept: chat messages and reactions of a class."""
    polls: float
    """Whole days for which these are kept: polls of a class and who voted for what."""
    board: float
    """Whole days for which these are kept: the board of a class: what was drawn and written on it, and by whom."""
    engagement: float
    """Whole days for which these are kept: how long a participant spoke and showed the camera, how often they raised a hand or reacted, and the quality of the connection in each minute."""
    aiDialogues: float
    """Whole days for which these are kept: questions to the AI agent and the AI tutor, their answers, teachers’ written answers with their names, and summaries of them; the uid of who asked, of the agent only where the backend names it."""
    recordings: float
    """Whole hours for which these are kept: recordings of classes: faces, voices, screens and the board."""


class CreatedOrganizationQuotas(TypedDict):
    """What the organization may store and have transcoded."""

    videoGib: int | None
    """GiB that the organization’s videos and documents may occupy: uploads with the size that they declare, from their creation on, and the files that are made of them; null: the value of the installation."""
    videoMinutes: int | None
    """Minutes of videos that may be transcoded in a calendar month (UTC); each video counts once, with its length; null: the value of the installation."""


class CreatedOrganization(TypedDict):
    """A new organization and its first credential."""

    id: NotRequired[str]
    """Id of the organization in events, addresses and logs. It is no secret and never changes."""
    organizationId: str
    """The first value for `VF-ORG-ID`, a secret. It is shown only here."""
    name: str
    """Display name."""
    billing: CreatedOrganizationBilling1 | CreatedOrganizationBilling2 | None
    """The billing plan; null if there is none."""
    verifiedDomains: Sequence[str]
    """Hosts whose pages may embed the class."""
    branding: CreatedOrganizationBranding
    """Logo and colors of the class page."""
    retention: CreatedOrganizationRetention
    """How long personal data is kept."""
    consent: ConsentSettings
    """Consent to recordings, and AI, in new rooms."""
    attendance: AttendancePolicy | None
    """The attendance policy of new rooms; null if none is set."""
    quotas: CreatedOrganizationQuotas
    """What the organization may store and have transcoded."""
    joinHook: JoinHook | None
    """What is asked before a participant joins; null if there is none."""
    createdAt: str
    """When the organization was created."""
    updatedAt: str
    """When it last changed."""
    closedAt: NotRequired[str | None]
    """When its erasure was requested, from when on it can only read; null if it was not."""
    erasureBeginsAt: NotRequired[str | None]
    """When its erasure begins, from when on it can only read that; null if it was not requested."""
    credential: NotRequired[CredentialWithValue]
    """The credential with that value."""


class CreatedRoomRoom(TypedDict):
    """The new room."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""


class CreatedRoom(TypedDict):
    """The new room, and what the first participant needs to join."""

    token: str
    """Token for one participant and one room. Give it to that participant only."""
    iframeUrl: str
    """Address of the class page with the token: open or embed it."""
    expiresAt: str
    """The last time at which the token can be used to join: about an hour from now, unless `expiresIn` or a schedule says otherwise."""
    room: CreatedRoomRoom
    """The new room."""
    settings: RoomSettings
    """The settings in force: those of the request, otherwise of the preset, otherwise of the organization or the defaults."""


class CreatedVideoUpload(TypedDict):
    """The upload, which already exists: HEAD reports its offset, PATCH continues it (tus 1.0)."""

    protocol: Literal["tus"]
    """The upload protocol, always `tus`."""
    url: str
    """Address of the upload. A secret: it needs no other credential."""
    expiresAt: str
    """When an unfinished upload is deleted."""


class CreatedVideo(TypedDict):
    """A new video and its upload."""

    videoId: str
    """Id of the video."""
    upload: CreatedVideoUpload
    """The upload, which already exists: HEAD reports its offset, PATCH continues it (tus 1.0)."""


class Credential(TypedDict):
    """A credential for `VF-ORG-ID`, without its value."""

    credentialId: str
    """Id of the credential."""
    hint: str
    """The last characters of the value, to identify it in a configuration; empty for a value of fewer than 16."""
    expiresAt: str | None
    """When the credential expires; null: never."""
    lastUsedAt: str | None
    """When it was last used, to about a minute; null if it never was."""
    createdAt: str
    """When the credential was created."""


class CredentialWithValue(TypedDict):
    """A new credential and its value. Only the hash of the value is stored."""

    credentialId: str
    """Id of the credential."""
    hint: str
    """The last characters of the value, to identify it in a configuration; empty for a value of fewer than 16."""
    expiresAt: str | None
    """When the credential expires; null: never."""
    lastUsedAt: str | None
    """When it was last used, to about a minute; null if it never was."""
    createdAt: str
    """When the credential was created."""
    value: str
    """The value for `VF-ORG-ID`. It is shown only here."""


class CreditAlerts(TypedDict):
    """The thresholds of an organization for its credits."""

    remaining: Sequence[int]
    """Thresholds of a prepaid balance, in credits, highest first."""
    consumed: Sequence[int]
    """Thresholds of the credits used in a postpaid cycle, lowest first."""


class CreditPrice(TypedDict):
    """What AI costs in credits."""

    perMillionInputTokens: str
    """Credits for a million tokens read: up to 9 digits and 9 decimals. Default: 0."""
    perMillionOutputTokens: str
    """Credits for a million tokens written: up to 9 digits and 9 decimals. Default: 0."""


class DataExportStoresItem(TypedDict):
    service: str
    """The service that stores it."""
    store: str
    """The file in the folder of the service, such as `chat-messages`."""
    count: int
    """How many records."""


class DataExport(TypedDict):
    """A request to export the data of a person, a class or the organization."""

    exportId: str
    """Id of the export."""
    status: Literal["PENDING", "RUNNING", "COMPLETED"]
    """`PENDING`: it has not begun. `RUNNING`: data is being collected. `COMPLETED`: the file can be downloaded."""
    waitingFor: Sequence[str]
    """The services whose data has not been collected."""
    requestedAt: str
    """When the export was requested."""
    completedAt: str | None
    """When the file was complete; null until then."""
    downloadUrl: str | None
    """Signed address of the ZIP file, which anyone may open who has it; null until the export is completed."""
    urlExpiresAt: str | None
    """Until this time `downloadUrl` opens the file; call again for a new one."""
    availableUntil: str | None
    """When the file is deleted. From then on the answer is 410."""
    bytes: int | None
    """Size of the file in bytes."""
    sha256: str | None
    """SHA-256 of the file, in hexadecimal."""
    stores: Sequence[DataExportStoresItem] | None
    """How many records the file contains, by service and store."""


class DeadLetter(TypedDict):
    """A message that a consumer gave up after its retries."""

    deadLetterId: str
    """Id of the dead letter: `dl_` and its number in the stream `DLQ`, with 12 digits."""
    consumer: str
    """The consumer that gave the message up, such as `billing-fold`."""
    subject: str
    """The subject on which the message was published, and is replayed. Empty if it is not known."""
    originalSequence: int | None
    """The number of the message in its own stream."""
    type: str | None
    """Type of the fact, name of LiveKit’s event, or audited operation."""
    messageId: str | None
    """Id of the fact, webhook or audited call."""
    organizationId: str | None
    """The organization that the message is about. LiveKit’s webhooks do not name it."""
    roomId: str | None
    """The room that the message is about."""
    sid: str | None
    """Our id of that room, which is its name in LiveKit."""
    error: str
    """Why the last attempt failed, at most 500 characters."""
    attempts: int | None
    """How often the consumer tried; null if the message does not say."""
    traceId: str | None
    """The trace in which the message was published."""
    bytes: int
    """Size of the message’s content, which is not shown."""
    setAsideAt: str
    """When the consumer gave it up."""


class DecidedAdmission(TypedDict):
    """Whether a participant is admitted to the class."""

    uid: str
    """Your id of the participant."""
    state: Literal["ADMITTED", "REFUSED"]
    """Whether the participant is admitted."""


class Document(TypedDict):
    """A document of a class, such as slides."""

    documentId: str
    """Id of the document."""
    title: str
    """Display title."""
    status: Literal["pending", "processing", "completed", "failed"]
    """`pending`: its file is not there yet, or waits. `processing`: its pages are being made. `completed`: they can be shown. `failed`: they never will be."""
    message: str | None
    """Why the document failed; null if it did not."""
    pages: int | None
    """Number of pages; null until it is completed."""
    createdAt: str
    """When the document was created."""


class DocumentPage(TypedDict):
    """A page of a document."""

    page: int
    """Number of the page, from 1."""
    width: int
    """Pixels of the picture at `url`."""
    height: int
    """Pixels of the picture at `url`."""
    url: str
    """Signed address of its picture (JPEG), valid for about an hour."""
    previewUrl: str
    """The same in half the width and height."""
    text: NotRequired[str]
    """Its text, at most 3,000 characters. Present if it has text."""


class DocumentWithPages(TypedDict):
    """A document with signed addresses of its pages."""

    documentId: str
    """Id of the document."""
    title: str
    """Display title."""
    status: Literal["pending", "processing", "completed", "failed"]
    """`pending`: its file is not there yet, or waits. `processing`: its pages are being made. `completed`: they can be shown. `failed`: they never will be."""
    message: str | None
    """Why the document failed; null if it did not."""
    pages: Sequence[DocumentPage]
    """The pages after `after`, as many as fit into one answer. Empty until the document is completed."""
    nextAfter: int | None
    """The `after` of the following pages; null on the last."""


class DomainRecord(TypedDict):
    name: str
    """Name of the TXT record, `_virtual-classroom.` and the domain."""
    value: str
    """Its value, `vcd_` and 32 characters. It is no secret."""


class Domain(TypedDict):
    """A domain of an organization, and its proof by DNS."""

    domain: str
    """The host, as in `verifiedDomains`."""
    status: Literal["PENDING", "VERIFIED"]
    """`VERIFIED`: pages on the host may embed classes. `PENDING`: they may when the record is found."""
    record: DomainRecord | None
    """The TXT record that proves the domain; null if an operator verified it without one."""
    lookup: Literal["FOUND", "NOT_FOUND", "NO_ANSWER"] | None
    """What the last check found; null before the first one. `NO_ANSWER`: the name servers did not answer, and are asked again."""
    checkedAt: str | None
    """When the record was last looked for; null if it never was."""
    missingSince: str | None
    """Since when a record that was found before is missing; null if it is not. The domain stays verified: remove it if it is no longer the organization’s."""


class EndedDashboardSession(TypedDict):
    """A dashboard session that was ended."""

    sessionId: str
    """Id of the session."""
    endedAt: str
    """When it was ended."""


class EndedRoom(TypedDict):
    """What the end of a class did."""

    roomId: str
    """Your id of the room."""
    participantsDisconnected: int
    """Number of participants who were connected."""
    wasRecording: bool
    """Whether a recording was running. It is stopped and saved."""
    endedAt: str
    """When the class ended."""


class Engagement(TypedDict):
    """How a participant took part in a class."""

    uid: str
    """Your id of the participant."""
    name: str
    """Display name of the participant."""
    role: str
    """Role of the participant in the room."""
    connections: int
    """Number of connections."""
    connectedSeconds: float
    """Seconds in class, to a tenth."""
    measuredSeconds: float
    """Seconds that the participant’s page measured; a client that is not our page may measure nothing, to a tenth."""
    talkSeconds: float | None
    """Seconds in which the participant spoke; null if nothing was measured."""
    cameraSeconds: float | None
    """Seconds in which the camera was on; null if nothing was measured."""
    handsRaised: int
    """How often the participant raised a hand."""
    chatMessages: int
    """Number of chat messages, deleted ones included."""
    reactions: int
    """Number of reactions."""
    pollAnswers: int
    """Number of polls in which the participant voted."""
    boardElements: int
    """Number of elements that the participant drew on the board, without those that were deleted."""
    tutorQuestions: int | None
    """Number of questions to the AI tutor; null if the AI service does not answer."""


class ErasureSignature(TypedDict):
    algorithm: Literal["Ed25519"]
    """How the receipt is signed."""
    publicKey: str
    """The public key (SPKI as DER in base64). It stays the same while the installation keeps its secret."""
    value: str
    """The signature, in base64, of the receipt as JSON (RFC 8785: keys sorted, no spaces)."""


class Erasure(TypedDict):
    """A request to erase a person, a class or an organization."""

    erasureId: str
    """Id of the erasure."""
    status: Literal["PENDING", "RUNNING", "COMPLETED"]
    """`PENDING`: the services are not asked yet, and nothing is erased. `RUNNING`: they erase; a class that is not over is waited for. `COMPLETED`: all have."""
    waitingFor: Sequence[str]
    """The services that have not finished."""
    requestedAt: str
    """When the erasure was requested."""
    beginsAt: NotRequired[str | None]
    """When the erasure of an organization begins, until which it can be cancelled; null for that of a person or a class."""
    receipt: ErasureReceipt | None
    """The receipt; null until the erasure is completed."""
    signature: ErasureSignature | None
    """The signature of the receipt; null until the erasure is completed."""


class ErasureReceiptStoresItem(TypedDict):
    service: str
    """The service that stored it."""
    store: str
    """What was erased, such as `chat messages`."""
    count: int
    """How many rows, files or messages."""


class ErasureReceiptRemainingItem(TypedDict):
    store: str
    """What may still contain the data."""
    until: str | None
    """When it is deleted at the latest; null if that is up to the operator."""


class ErasureReceipt(TypedDict):
    """What was erased, and which copies are deleted later."""

    erasureId: str
    """Id of the erasure."""
    subjectHash: str
    """SHA-256, in hexadecimal, of `<erasureId>:uid:<uid>`, `<erasureId>:roomId:<roomId>` or `<erasureId>:organization:<id>`."""
    requestedAt: str
    """When the erasure was requested."""
    completedAt: str
    """When the last service had erased."""
    stores: Sequence[ErasureReceiptStoresItem]
    """What was erased, by service and store."""
    remaining: Sequence[ErasureReceiptRemainingItem]
    """Copies that are deleted by their age."""


class EvaluatedAttendance(TypedDict):
    """The attendance of one participant by the policy of the class."""

    status: Literal["PRESENT", "LATE", "LEFT_EARLY", "ABSENT"]
    """`ABSENT`: never in the lesson, or for less than `minimumPresence` of it. Otherwise `LATE`, otherwise `LEFT_EARLY`, otherwise `PRESENT`. More may be added."""
    secondsLate: int | None
    """Seconds from the start of the lesson to the arrival, 0 if they were there; null if never in the lesson."""
    secondsLeftEarly: int | None
    """Seconds from the leave to the end of the lesson, 0 if they were there; null if never in the lesson."""
    percentOfLesson: float
    """Share of the lesson in percent, one decimal, with the gaps that count as presence."""
    isOnRoster: bool | None
    """Whether they are on the roster; null if the room has none."""


class Event(TypedDict):
    """An event, as the history lists it and a webhook sends it."""

    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["room.created", "room.started", "room.ending_soon", "room.finished", "room.budget_reached", "attendance.evaluated", "engagement.summarized", "participant.joined", "participant.left", "participant.waiting", "participant.admitted", "participant.refused", "participant.removed", "chat.message_deleted", "chat.message_reported", "board.exported", "recording.started", "recording.completed", "recording.failed", "recording.health", "recording.deleted", "recording.copied", "recording.copy_failed", "credits.low", "credits.overconsumed", "credits.threshold_reached", "video.completed", "video.failed", "document.converted", "document.failed", "webhook.endpoint_disabled"]
    """Type of the event. More types will be added: ignore those that you do not know."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: Mapping[str, Any]
    """The data of the event; the fields depend on `type`. More fields may be added."""


class ExplainedEntrySessionsItem(TypedDict):
    connectionSid: str
    """Id of the connection."""
    uid: str
    """Your id of the participant."""
    joinedAt: str
    """When the connection began."""
    leftAt: str | None
    """When it ended; null while it is open."""
    seconds: int
    """Seconds up to `chargedThrough`."""
    openedBy: str
    """The evidence that opened it, such as a webhook."""
    closedBy: str | None
    """The evidence that closed it; null while it is open."""


class ExplainedEntryAiUsageItem(TypedDict):
    usageId: str
    """Id of the call of a model."""
    kind: str
    """What called it: `agent` or `tutor`. More may be added."""
    roomId: str | None
    """Your id of the room of the question; null outside a room."""
    inputTokens: int
    """Tokens that the model read."""
    outputTokens: int
    """Tokens that the model wrote."""
    credits: float
    """Credits of the call, with decimals. Fractions add up until they are whole credits."""
    usedAt: str
    """When the model was called."""


class ExplainedEntry(TypedDict):
    """A charge, with the sessions or the AI usage behind it."""

    entry: LedgerEntry
    """The entry."""
    totalSeconds: int
    """Seconds of the room up to `chargedThrough`, summed from `sessions`; 0 for `AI_USAGE`."""
    totalCredits: int
    """Credits for `totalSeconds`, rounded up; for `AI_USAGE` those of all AI usage up to this entry, rounded up."""
    chargedBefore: int
    """Credits charged by earlier entries of this room, or by earlier ones of `AI_USAGE`."""
    isConsistent: bool
    """Whether the entry is exactly the difference of the two."""
    sessions: Sequence[ExplainedEntrySessionsItem]
    """The sessions that were charged."""
    aiUsage: NotRequired[Sequence[ExplainedEntryAiUsageItem]]
    """The AI usage that was charged, oldest first; only for `AI_USAGE`."""


class HealthData(TypedDict):
    """The health of the service."""

    status: Literal["healthy", "degraded", "unhealthy"]
    """`healthy`: everything works. `degraded`: a feature is down, classes work. `unhealthy`: a part that every class needs is down."""
    healthy: bool
    """Whether `status` is `healthy`."""
    timestamp: str
    """Time of the check, ISO 8601 in UTC."""
    version: NotRequired[str]
    """Version of the API; absent if it is not known."""


class Health(TypedDict):
    """The health of the service."""

    success: Literal[True]
    """Always `true`, also for `unhealthy`."""
    warnings: NotRequired[Sequence[Problem]]
    """Fields and query parameters of the request that are unknown and were ignored."""
    message: str
    """The status in a sentence."""
    data: HealthData
    """The health of the service."""


class JoinHook(TypedDict):
    """What is asked before a participant of the organization joins a class."""

    url: str
    """Address that is asked."""
    timeoutMs: int
    """Milliseconds that the answer may take."""
    fallback: Literal["allow", "refuse"]
    """What holds if there is no answer in time, or none that can be understood. `allow`: the participant joins. `refuse`: they do not."""


class JoinHookWithSecret(TypedDict):
    """A join hook, with its secret."""

    url: str
    """Address that is asked."""
    timeoutMs: int
    """Milliseconds that the answer may take."""
    fallback: Literal["allow", "refuse"]
    """What holds if there is no answer in time, or none that can be understood. `allow`: the participant joins. `refuse`: they do not."""
    secret: str
    """The secret that signs the questions, `whsec_…`."""


class JoinResult(TypedDict):
    """What one participant needs to join."""

    token: str
    """Token for one participant and one room. Give it to that participant only."""
    iframeUrl: str
    """Address of the class page with the token: open or embed it."""
    expiresAt: str
    """The last time at which the token can be used to join: about an hour from now, unless `expiresIn` or a schedule says otherwise."""


class LedgerEntry(TypedDict):
    """One change of a balance. Entries never change."""

    entryId: str
    """Id of the entry, a UUID."""
    kind: Literal["OPENING", "TOP_UP", "CORRECTION", "CHARGE", "ADJUSTMENT", "AI_USAGE"]
    """What changed the balance. `CHARGE` and `ADJUSTMENT` name a room; `OPENING`, `TOP_UP` and `CORRECTION` have a `reference`."""
    credits: int
    """Change of the balance: positive adds credits, negative takes them."""
    debitAccount: str
    """Account that gives: `customer`, `funding` or `usage`."""
    creditAccount: str
    """Account that receives: `customer`, `funding` or `usage`."""
    creditRate: float
    """Price of one credit in `currency`."""
    amount: float
    """`credits` × `creditRate`, in `currency`."""
    currency: str
    """ISO 4217 code, such as `USD`."""
    recordedAt: str
    """When the entry was written. Entries never change."""
    reference: str | None
    """The operator’s reference, such as an invoice number; null for a charge."""
    note: str | None
    """The operator’s note; null if there is none."""
    roomId: str | None
    """Your id of the charged room; null for other entries."""
    roomTitle: NotRequired[str | None]
    """Title of the charged room; null for other entries. Only in lists."""
    sid: str | None
    """Our id of the charged room; null for other entries."""
    meterSequence: int | None
    """Number of the charge of this room: 1, 2, 3 … without a gap; null for other entries."""
    meterVersion: int | None
    """Version of the room’s sessions that was charged; null for other entries."""
    chargedThrough: str | None
    """Time up to which the room is charged; null for other entries."""
    correctsEntryId: str | None
    """The earlier entry that an `ADJUSTMENT` corrects; null for other entries."""
    settles: Literal["PREPAID", "POSTPAID"] | None
    """The billing plan that ended with this correction, which set the balance to 0; null for any other entry."""


class ModelPrice(TypedDict):
    """Prices of a model in the currency of the price table."""

    model: str
    """Name of the model, 1 to 128 characters."""
    perMillionInputTokens: str
    """Price of a million tokens read: up to 9 digits and 9 decimals. Default: 0."""
    perMillionOutputTokens: str
    """Price of a million tokens written: up to 9 digits and 9 decimals. Default: 0."""
    perMinuteOfAudio: str
    """Price of a minute of audio to a speech-to-text model: up to 9 digits and 9 decimals. Default: 0."""
    perMillionCharacters: str
    """Price of a million characters to a text-to-speech model: up to 9 digits and 9 decimals. Default: 0."""


class MutedParticipant(TypedDict):
    """A participant’s muted track."""

    uid: str
    """Your id of the participant."""
    source: Literal["microphone", "camera", "screen"]
    """The muted track."""
    wasPublishing: bool
    """Whether the track was on."""


class OperatorsAuditEntry(TypedDict):
    """One call in any audit log."""

    id: str
    """Id of the entry."""
    sequence: int
    """Position in the log of the organization: 1, 2, 3 … without gaps."""
    at: str
    """When the call began."""
    actor: AuditActor
    """Who made the call."""
    operation: str
    """The operation: its `operationId` in this reference."""
    target: Mapping[str, str]
    """The ids that the call named, such as `roomId`, `uid` or `keyId`, and the `format` of an export."""
    fields: Sequence[str]
    """The names of the fields in the body of the call."""
    changes: Sequence[AuditChange]
    """What the call changed of organizations, credentials, API keys, webhook endpoints and dead letters, and which erasure it requested."""
    status: int | None
    """HTTP status of the answer; null if it is unknown, because the gateway ended before it answered."""
    address: str | None
    """Address of the client. Null where it is not shown: organizations do not see those of operators."""
    requestId: str
    """`X-Request-Id` of the call."""
    hash: str
    """SHA-256 over this entry and the hash of the one before, hexadecimal. Keep it to prove later what came before."""
    organizationId: str | None
    """The organization in whose log the entry is; null for the log of the operators."""


class OrganizationBilling1(TypedDict):
    type: Literal["PREPAID"]
    """The organization buys credits in advance."""
    credits: int
    """Opening balance in credits, 0 to 1,000,000,000. Default: 0."""
    creditRate: float
    """Price of one credit in `currency`."""
    currency: str
    """ISO 4217 code, such as `USD`."""


class OrganizationBilling2(TypedDict):
    type: Literal["POSTPAID"]
    """The organization pays for what it used, cycle by cycle."""
    billingFrequency: Literal["WEEKLY", "MONTHLY"]
    """Length of a cycle."""
    cycleStartDate: str
    """Start of the first cycle."""
    creditRate: float
    """Price of one credit in `currency`."""
    currency: str
    """ISO 4217 code, such as `USD`."""


class OrganizationBranding(TypedDict):
    """Logo and colors of the class page."""

    logoUrl: str | None
    """Address of the logo, `upload:…` if it was uploaded; null if there is none."""
    primaryColor: str | None
    """Main color, such as `#1a73e8`; null if none is set."""
    accentColor: str | None
    """Second color, such as `#f9a825`; null if none is set."""


class OrganizationRetention(TypedDict):
    """How long personal data is kept."""

    presence: float
    """Whole days for which these are kept: who was in which class when: uid, name, role, permissions and picture address of a participant, and the times of each connection; the roster of a class: uid and name."""
    addresses: float
    """Whole days for which these are kept: IP addresses of participants."""
    chat: float
    """Whole days for which these are kept: chat messages and reactions of a class."""
    polls: float
    """Whole days for which these are kept: polls of a class and who voted for what."""
    board: float
    """Whole days for which these are kept: the board of a class: what was drawn and written on it, and by whom."""
    engagement: float
    """Whole days for which these are kept: how long a participant spoke and showed the camera, how often they raised a hand or reacted, and the quality of the connection in each minute."""
    aiDialogues: float
    """Whole days for which these are kept: questions to the AI agent and the AI tutor, their answers, teachers’ written answers with their names, and summaries of them; the uid of who asked, of the agent only where the backend names it."""
    recordings: float
    """Whole hours for which these are kept: recordings of classes: faces, voices, screens and the board."""


class OrganizationQuotas(TypedDict):
    """What the organization may store and have transcoded."""

    videoGib: int | None
    """GiB that the organization’s videos and documents may occupy: uploads with the size that they declare, from their creation on, and the files that are made of them; null: the value of the installation."""
    videoMinutes: int | None
    """Minutes of videos that may be transcoded in a calendar month (UTC); each video counts once, with its length; null: the value of the installation."""


class Organization(TypedDict):
    """A school or a company that calls the API."""

    id: NotRequired[str]
    """Id of the organization in events, addresses and logs. It is no secret and never changes."""
    organizationId: str
    """Id of the organization."""
    name: str
    """Display name."""
    billing: OrganizationBilling1 | OrganizationBilling2 | None
    """The billing plan; null if there is none."""
    verifiedDomains: Sequence[str]
    """Hosts whose pages may embed the class."""
    branding: OrganizationBranding
    """Logo and colors of the class page."""
    retention: OrganizationRetention
    """How long personal data is kept."""
    consent: ConsentSettings
    """Consent to recordings, and AI, in new rooms."""
    attendance: AttendancePolicy | None
    """The attendance policy of new rooms; null if none is set."""
    quotas: OrganizationQuotas
    """What the organization may store and have transcoded."""
    joinHook: JoinHook | None
    """What is asked before a participant joins; null if there is none."""
    createdAt: str
    """When the organization was created."""
    updatedAt: str
    """When it last changed."""
    closedAt: NotRequired[str | None]
    """When its erasure was requested, from when on it can only read; null if it was not."""
    erasureBeginsAt: NotRequired[str | None]
    """When its erasure begins, from when on it can only read that; null if it was not requested."""


class Pagination(TypedDict):
    """Where a list continues."""

    nextCursor: str | None
    """Cursor of the next page; null on the last."""
    hasMore: bool
    """Whether there is a next page."""


class Participant(TypedDict):
    """A person for whom a token of the room was created."""

    uid: str
    """Your id of the participant."""
    name: str
    """Display name of the participant."""
    role: Literal["TEACHER", "STUDENT", "MODERATOR", "ADMIN"]
    """Role in the room."""
    photoURL: str | None
    """Address of the participant’s photo; null if there is none."""
    isConnected: bool
    """Whether the participant is connected now."""
    joinedAt: str | None
    """When the current connection began, otherwise the latest; null if there never was one."""
    leftAt: str | None
    """When the latest connection ended; null while connected, or if there never was one."""
    removedAt: str | None
    """When the participant was last removed: earlier tokens no longer admit them. Null if they never were."""


class ParticipantQuality(TypedDict):
    """How well sound and picture of a class reached a participant, and why not better."""

    uid: str
    """Your id of the participant."""
    name: str
    """Display name of the participant."""
    role: str
    """Role of the participant in the room."""
    verdict: Literal["good", "fair", "poor"] | None
    """`good`: no cause was found. `poor`: a fifth of the minutes or more were bad. Null: nothing was measured."""
    causes: Sequence[QualityCause]
    """What was wrong, in the order of time: the first 50."""
    mos: float | None
    """Mean of the minutes; null if nothing arrived."""
    connections: int
    """Number of connections."""
    connectedSeconds: float
    """Seconds in class, to a tenth."""
    measuredSeconds: float
    """Seconds that were measured, to a tenth."""
    joinSeconds: float | None
    """Seconds from pressing “Join” to being connected, at the first join; null if not measured."""
    minutes: Sequence[QualityMinute]
    """The minutes, oldest first: the last 1,000."""


class PollReportOptionsItem(TypedDict):
    text: str
    """The option."""
    votes: int
    """Votes for it. With `hideResult`, 0 for who does not manage polls, until the poll is closed."""


class PollReportCreatedBy(TypedDict):
    """Who opened the poll."""

    uid: str
    """Your id of the participant."""
    name: str
    """Display name of the participant."""


class PollReportVotesItem(TypedDict):
    uid: str
    """Your id of the participant."""
    name: str
    """Display name of the participant."""
    option: int
    """Index of the chosen option, from 0."""
    votedAt: str
    """When the vote was cast."""


class PollReport(TypedDict):
    """A poll with each participant’s vote."""

    pollId: str
    """Id of the poll, a UUID."""
    question: str
    """The question."""
    options: Sequence[PollReportOptionsItem]
    """The options in the order given at creation. A vote refers to an option by its index."""
    hideResult: NotRequired[bool]
    """`true`: only who manages polls sees the votes for each option before the poll is closed. Otherwise absent."""
    correctOption: NotRequired[int]
    """Index of the correct option, from 0. Absent if none is marked, and in class until the poll is closed."""
    status: Literal["open", "closed"]
    """`open` until it is closed for votes."""
    totalVotes: int
    """Number of votes."""
    createdBy: PollReportCreatedBy
    """Who opened the poll."""
    createdAt: str
    """When the poll was opened."""
    closedAt: str | None
    """When it was closed; null while it is open."""
    votes: Sequence[PollReportVotesItem]
    """Who voted for what."""


class PostedCredits(TypedDict):
    """The entry that was posted, and the balance after it."""

    entry: LedgerEntry
    """The ledger entry."""
    balance: Balance
    """The balance after it."""
    replayed: bool
    """Whether the reference had been posted before; then nothing changed."""


class PostpaidBalanceForecast(TypedDict):
    """What the live classes use; absent while no participant is connected."""

    creditsPerHour: int
    """Credits that the participants who are connected now use in an hour."""


class PostpaidBalance(TypedDict):
    """Credits used in the current cycle."""

    type: Literal["POSTPAID"]
    """The billing plan."""
    status: Literal["CONSUMED"]
    """Always `CONSUMED`."""
    billingFrequency: Literal["WEEKLY", "MONTHLY"]
    """Length of a cycle."""
    cycleStartDate: str
    """Start of the current cycle."""
    creditsConsumed: int
    """Credits used in the current cycle."""
    creditsThisCycle: int
    """The same as `creditsConsumed`."""
    creditRate: float
    """Price of one credit in `currency`."""
    estimatedCost: float
    """Cost of the current cycle so far, in `currency`."""
    currency: str
    """ISO 4217 code, such as `USD`."""
    classroomsThisCycle: int
    """Classes charged in the current cycle."""
    message: str
    """The balance in a sentence."""
    forecast: NotRequired[PostpaidBalanceForecast]
    """What the live classes use; absent while no participant is connected."""


class PrepaidBalanceForecast(TypedDict):
    """What the live classes use; absent while no participant is connected."""

    creditsPerHour: int
    """Credits that the participants who are connected now use in an hour."""
    reachesZeroAt: str | None
    """When nothing is left if no participant joins or leaves; null if nothing is left now."""


class PrepaidBalance(TypedDict):
    """Credits left of those that were bought."""

    type: Literal["PREPAID"]
    """The billing plan."""
    status: Literal["ACTIVE", "OVERCONSUMED"]
    """`OVERCONSUMED` while more credits were used than were bought; new rooms may then be refused with 402."""
    remainingCredits: int
    """Credits left; negative when overconsumed. One credit is one minute of one participant."""
    displayCredits: int
    """The absolute value of `remainingCredits`."""
    isOverconsumed: bool
    """Whether more credits were used than were bought."""
    creditRate: float
    """Price of one credit in `currency`."""
    estimatedValue: float
    """`remainingCredits` × `creditRate`, in `currency`."""
    currency: str
    """ISO 4217 code, such as `USD`."""
    message: str
    """The balance in a sentence."""
    forecast: NotRequired[PrepaidBalanceForecast]
    """What the live classes use; absent while no participant is connected."""


class PresetCustomization(TypedDict):
    """How the class pages look; what was omitted has the defaults of *Create room*."""

    showLobby: NotRequired[bool]
    """Begin with a lobby, where people see and hear themselves; `true` unless given. With `false` who may publish enters with camera and microphone on."""
    showVideoControls: NotRequired[bool]
    """Show the controls of camera, microphone, screen share and layout; `true` unless given."""
    theme: NotRequired[str]
    """`light`, `dark`, or `auto` for what the device has, which is also what it is unless given. Any other text is kept and treated as `auto`."""


class PresetSettingsBudget(TypedDict):
    """The most credits that a class may use."""

    maxCredits: int
    """Credits that the class may use, 1 to 1,000,000,000."""
    onReached: Literal["warn", "closeDoors", "endClass"]
    """What happens when they are used up, in addition to the event `room.budget_reached`: `warn`: nothing. `closeDoors`: only who was in class may join. `endClass`: the class ends. A class is charged once a minute, so it may use what its participants use until then. Default: `warn`."""


class PresetSettingsAttendance(TypedDict):
    lateAfter: NotRequired[int]
    """Seconds after the start of the lesson: who comes later is `LATE`. 0 to 86,400. Default: 300."""
    leftBefore: NotRequired[int]
    """Seconds before the end of the lesson: who left earlier is `LEFT_EARLY`. 0 to 86,400. Default: 300."""
    minimumPresence: NotRequired[int]
    """Percent of the lesson: who was in class for less is `ABSENT`. 0 to 100. Default: 50."""
    reconnectGrace: NotRequired[int]
    """Seconds: a gap between two connections that is not longer counts as presence. 0 to 3,600. Default: 60."""


class PresetSettingsChat(TypedDict):
    """Who may write in the chat, and how often."""

    mode: NotRequired[Literal["ALL", "TEACHERS", "OFF"]]
    """`ALL`: students write to everyone. `TEACHERS`: students write to the teachers, moderators and admins; no other student gets it. `OFF`: students do not write. Teachers, moderators and admins always write to everyone."""
    slowModeSeconds: NotRequired[int]
    """Seconds that a student waits after a message before the next one, 0 to 3,600; 0: no wait. Teachers, moderators and admins do not wait."""


class PresetSettingsPermissionsTEACHER(TypedDict):
    """Of teachers."""

    publishAudio: NotRequired[bool]
    """May use the microphone."""
    publishVideo: NotRequired[bool]
    """May use the camera."""
    shareScreen: NotRequired[bool]
    """May share the screen."""
    chat: NotRequired[bool]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool]
    """May raise the hand."""
    react: NotRequired[bool]
    """May send reactions."""
    answerPolls: NotRequired[bool]
    """May vote in polls."""
    managePolls: NotRequired[bool]
    """May open and close polls."""
    draw: NotRequired[bool]
    """May draw on the board."""
    manageBoard: NotRequired[bool]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool]
    """May start a recording."""
    stopRecording: NotRequired[bool]
    """May stop a recording."""
    endClass: NotRequired[bool]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool]
    """May change title, description and limits."""


class PresetSettingsPermissionsSTUDENT(TypedDict):
    """Of students."""

    publishAudio: NotRequired[bool]
    """May use the microphone."""
    publishVideo: NotRequired[bool]
    """May use the camera."""
    shareScreen: NotRequired[bool]
    """May share the screen."""
    chat: NotRequired[bool]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool]
    """May raise the hand."""
    react: NotRequired[bool]
    """May send reactions."""
    answerPolls: NotRequired[bool]
    """May vote in polls."""
    managePolls: NotRequired[bool]
    """May open and close polls."""
    draw: NotRequired[bool]
    """May draw on the board."""
    manageBoard: NotRequired[bool]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool]
    """May start a recording."""
    stopRecording: NotRequired[bool]
    """May stop a recording."""
    endClass: NotRequired[bool]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool]
    """May change title, description and limits."""


class PresetSettingsPermissionsMODERATOR(TypedDict):
    """Of moderators."""

    publishAudio: NotRequired[bool]
    """May use the microphone."""
    publishVideo: NotRequired[bool]
    """May use the camera."""
    shareScreen: NotRequired[bool]
    """May share the screen."""
    chat: NotRequired[bool]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool]
    """May raise the hand."""
    react: NotRequired[bool]
    """May send reactions."""
    answerPolls: NotRequired[bool]
    """May vote in polls."""
    managePolls: NotRequired[bool]
    """May open and close polls."""
    draw: NotRequired[bool]
    """May draw on the board."""
    manageBoard: NotRequired[bool]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool]
    """May start a recording."""
    stopRecording: NotRequired[bool]
    """May stop a recording."""
    endClass: NotRequired[bool]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool]
    """May change title, description and limits."""


class PresetSettingsPermissionsADMIN(TypedDict):
    """Of admins."""

    publishAudio: NotRequired[bool]
    """May use the microphone."""
    publishVideo: NotRequired[bool]
    """May use the camera."""
    shareScreen: NotRequired[bool]
    """May share the screen."""
    chat: NotRequired[bool]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool]
    """May raise the hand."""
    react: NotRequired[bool]
    """May send reactions."""
    answerPolls: NotRequired[bool]
    """May vote in polls."""
    managePolls: NotRequired[bool]
    """May open and close polls."""
    draw: NotRequired[bool]
    """May draw on the board."""
    manageBoard: NotRequired[bool]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool]
    """May start a recording."""
    stopRecording: NotRequired[bool]
    """May stop a recording."""
    endClass: NotRequired[bool]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool]
    """May change title, description and limits."""


class PresetSettingsPermissions(TypedDict):
    """What each role may do, where that differs from the role. The `permissions` of a participant come before it."""

    TEACHER: NotRequired[PresetSettingsPermissionsTEACHER]
    """Of teachers."""
    STUDENT: NotRequired[PresetSettingsPermissionsSTUDENT]
    """Of students."""
    MODERATOR: NotRequired[PresetSettingsPermissionsMODERATOR]
    """Of moderators."""
    ADMIN: NotRequired[PresetSettingsPermissionsADMIN]
    """Of admins."""


class PresetSettingsConsentRecording(TypedDict):
    ask: Literal["join", "recording"]
    """`join`: before joining. `recording`: when a recording starts, and at the join while one runs. Not asked: who may start a recording (TEACHER, ADMIN)."""
    without: Literal["refuse", "mute", "hide"]
    """What happens without consent. `refuse`: no place in class; before the answer no camera, microphone or screen. `mute`: no camera, microphone or screen. `hide`: everything, but the recording does not show or play them. With `ask: "recording"`, only while a recording runs. No recording ever contains who has not consented."""
    version: str
    """Version of the text, 1 to 50 characters. After a change everyone is asked again."""
    text: str
    """The question, plain text of 1 to 2,000 characters."""


class PresetSettingsConsent(TypedDict):
    """Consent to recordings, and AI."""

    recording: NotRequired[PresetSettingsConsentRecording | None]
    """Which consent to recordings is asked for; null: none."""
    ai: NotRequired[bool]
    """Whether the AI tutor and its summaries may be used."""


class PresetSettings(TypedDict):
    """Settings of the rooms; what was omitted has the defaults of *Create room*."""

    maxParticipants: NotRequired[int]
    """Maximum number of participants at the same time, 1 to 5,000."""
    emptyTimeout: NotRequired[int]
    """Seconds from the last leave to the end of the class, 1 to 1,800."""
    autoRecord: NotRequired[bool]
    """Whether a recording starts with the first published track."""
    budget: NotRequired[PresetSettingsBudget]
    """The most credits that a class may use."""
    attendance: NotRequired[PresetSettingsAttendance | None]
    """The attendance policy. Null: attendance is not evaluated."""
    waitingRoom: NotRequired[Literal["OFF", "STUDENTS", "ALL"]]
    """Who waits until they are admitted. `OFF`: no participant. `STUDENTS`: students; a teacher, moderator, admin or your backend admits them. `ALL`: everyone except admins. Who waits gets nothing of the class, takes no place and costs nothing."""
    duplicateJoin: NotRequired[Literal["replace", "refuse"]]
    """What happens when a participant who is in class joins from another device. `replace`: the new device replaces the other. `refuse`: the new one gets `ALREADY_CONNECTED` as long as the other is connected; the token then opens sessions only and does not connect to LiveKit by itself."""
    muteOnJoin: NotRequired[bool]
    """Whether everyone enters with the microphone off, except who manages participants. They turn it on themselves, in the lobby or in class."""
    chat: NotRequired[PresetSettingsChat]
    """Who may write in the chat, and how often."""
    permissions: NotRequired[PresetSettingsPermissions]
    """What each role may do, where that differs from the role. The `permissions` of a participant come before it."""
    consent: NotRequired[PresetSettingsConsent]
    """Consent to recordings, and AI."""
    joinBefore: NotRequired[int]
    """Seconds before `startsAt` at which the room opens, 0 to 86,400. Default: 600."""
    maxDuration: NotRequired[int]
    """Seconds after which the class ends for everyone, 60 to 86,400, counted from the first join or, if that is later, from `startsAt`. Default: none."""


class Preset(TypedDict):
    """A named template for rooms."""

    name: str
    """Name of the preset."""
    customization: PresetCustomization
    """How the class pages look; what was omitted has the defaults of *Create room*."""
    settings: PresetSettings
    """Settings of the rooms; what was omitted has the defaults of *Create room*."""
    updatedAt: str
    """When the preset was last set."""


class Problem(TypedDict):
    """A field of a request, and what is wrong with it."""

    path: str
    """Path of the field, with dots: `participant.uid`."""
    message: str
    """What is wrong with the field."""


QualityCause = TypedDict(
    "QualityCause",
    {
        "code": "Literal[\"SLOW_JOIN\", \"RECONNECTED\", \"LOSS_RECEIVED\", \"LOSS_SENT\", \"ROUND_TRIP\", \"JITTER\", \"FREEZES\"]",
        "text": "str",
        "from": "str",
        "until": "str",
    },
)


class QualityMinute(TypedDict):
    """The quality of a connection in one minute."""

    startedAt: str
    """When the minute began."""
    measuredSeconds: float
    """Seconds that were measured, to a tenth."""
    mos: float | None
    """Mean opinion score of the sound that arrived, 1 to 4.4, estimated from loss, round trip and jitter by the E-model (ITU-T G.107); null if nothing arrived."""
    receivedKbps: int
    """Received media in kbit/s."""
    sentKbps: int
    """Sent media in kbit/s."""
    lossPercent: float | None
    """Lost packets in percent of those that were sent to the participant; null if there were none."""
    sentLossPercent: float | None
    """Lost packets in percent of those that the participant sent; null if there were none."""
    roundTripMs: int | None
    """Milliseconds to the media server and back; null if not measured."""
    bufferMs: int | None
    """Milliseconds that media waited to be played evenly: what jitter cost. Null if not measured."""
    freezes: int
    """How often a video stood still."""
    frozenSeconds: float
    """Seconds in which a video stood still, to a tenth."""
    reconnections: int
    """How often the connection was lost."""


class Recording(TypedDict):
    """A recording of a class."""

    recordingId: str
    """Id of the recording: `rec_` and the `egressId`."""
    roomId: str
    """Your id of the room."""
    status: Literal["STARTING", "ACTIVE", "ENDING", "COMPLETED", "FAILED", "ABORTED"]
    """`STARTING`, `ACTIVE`, `ENDING` (the file is being finalized), `COMPLETED` (the file is available), `FAILED` or `ABORTED`."""
    startedAt: str
    """When the recording began."""
    endedAt: str | None
    """When it ended; null while it runs."""
    duration: int
    """Seconds: the length of the file if it exists, otherwise the time recorded so far."""
    mergedFrom: Sequence[str]
    """The recordings whose files are in this one, in their order; empty for a recording of the room itself."""
    audioOnly: bool
    """Whether the file has sound only."""
    reason: str | None
    """Why there is no file, or no whole one, for people; null if nothing is wrong. The text may change: branch on `health`."""
    health: Literal["OK", "STALLED", "RETRYING", "LIMIT_REACHED", "CUT", "FAILED"]
    """`OK`; `STALLED`: its recorder does not answer, the recording fails unless that comes back; `RETRYING`: it did not begin, another recorder tries; `LIMIT_REACHED`: the file ends at the greatest length of a recording; `CUT`: the file ends where the recorder broke off; `FAILED`: there is no file. More may be added."""
    paused: bool
    """Whether it ended by a pause. The next recording continues it if it was resumed."""
    availableUntil: NotRequired[str | None]
    """Until when the file can be downloaded, in the past if it was deleted; null while that is not known: before the class has ended or the file exists, and during a legal hold."""
    copy: RecordingCopy | None
    """The copy in your own bucket; null if there is none to be."""


class RecordingBucket(TypedDict):
    """The organization’s own bucket, to which its recordings are copied."""

    endpoint: str
    """Address of the S3 API."""
    region: str
    """Region of the bucket."""
    bucket: str
    """Name of the bucket."""
    prefix: str
    """Folder for the copies; empty: none."""
    accessKeyId: str
    """Id of the key."""
    forcePathStyle: bool
    """Whether the bucket’s name is in the path of the address."""
    state: Literal["OK", "FAILING"]
    """`FAILING`: the last attempt to write to the bucket failed."""
    error: str | None
    """Why the last attempt failed; null if it succeeded. `unreachable`, `access-denied`, `no-such-bucket`, `wrong-region`, `storage-full`, `refused` (by the storage, for another reason) or `address-refused`: about your bucket. `key-unreadable`: the stored key can’t be decrypted, set the bucket again. `file-unavailable` or `file-missing`: about the file here. `retention-ended`, `bucket-removed` or `erased`: why the copy was given up. More may be added."""
    failingSince: str | None
    """Since when every attempt has failed; null if the last one succeeded."""
    lastCopiedAt: str | None
    """When the last copy was complete; null before the first."""
    updatedAt: str
    """When the bucket was set."""


class RecordingCopy(TypedDict):
    """The copy of a recording in the organization’s own bucket."""

    status: Literal["PENDING", "COPIED", "FAILED"]
    """`PENDING`: an attempt follows. `COPIED`: the file is in your bucket. `FAILED`: given up."""
    copiedAt: str | None
    """When the copy was complete; null before."""
    key: str | None
    """Key of the file in your bucket; null until it is copied."""
    error: str | None
    """Why the last attempt failed; null if none did. `unreachable`, `access-denied`, `no-such-bucket`, `wrong-region`, `storage-full`, `refused` (by the storage, for another reason) or `address-refused`: about your bucket. `key-unreadable`: the stored key can’t be decrypted, set the bucket again. `file-unavailable` or `file-missing`: about the file here. `retention-ended`, `bucket-removed` or `erased`: why the copy was given up. More may be added."""


class RecordingDownloads(TypedDict):
    """The files of a class that has ended."""

    roomId: str
    """Your id of the room."""
    files: Sequence[RecordingFile]
    """The files that are available."""
    expiresIn: str
    """Time until the first file is deleted, such as `5h 42m`."""
    availableUntil: str
    """The end of `expiresIn` as a timestamp. From then on the answer is 410."""


class RecordingEventData(TypedDict):
    """A recording, in its events."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    recordingId: str
    """Id of the recording, `rec_` and `egressId`."""
    egressId: str
    """Id of the recording job."""
    status: str
    """Status of the recording, such as `COMPLETED`. More may be added."""
    startedAt: str
    """When the recording began."""
    endedAt: str | None
    """When it ended; null while it runs."""
    duration: int | None
    """Seconds of the file; null until it is known."""
    reason: str | None
    """Why there is no file, or no whole one; null if nothing is wrong."""
    health: str
    """What is wrong: `OK`, `STALLED`, `RETRYING`, `LIMIT_REACHED`, `CUT` or `FAILED`, as in the list of recordings. More may be added."""


class RecordingFile(TypedDict):
    """The file of a recording, with a link to download it."""

    recordingId: str
    """Id of the recording, as in the list."""
    filename: str
    """Name of the file."""
    downloadUrl: str
    """Signed address of the file, valid for about an hour."""
    urlExpiresAt: str
    """Until this time `downloadUrl` opens the file; call again for a new one."""
    size: int
    """Size in bytes."""
    duration: int
    """Length in seconds."""
    startedAt: str
    """When the recording began."""
    endedAt: str
    """When it ended."""
    mergedFrom: Sequence[str]
    """The recordings whose files are in this one, in their order; empty for a recording of the room itself."""
    audioOnly: bool
    """Whether the file has sound only."""
    reason: str | None
    """Why there is no file, or no whole one, for people; null if nothing is wrong. The text may change: branch on `health`."""
    health: Literal["OK", "STALLED", "RETRYING", "LIMIT_REACHED", "CUT", "FAILED"]
    """`OK`; `STALLED`: its recorder does not answer, the recording fails unless that comes back; `RETRYING`: it did not begin, another recorder tries; `LIMIT_REACHED`: the file ends at the greatest length of a recording; `CUT`: the file ends where the recorder broke off; `FAILED`: there is no file. More may be added."""
    copy: RecordingCopy | None
    """The copy in your own bucket; null if there is none to be."""


class RecordingHold(TypedDict):
    """How long a recording is kept."""

    recordingId: str
    """Id of the recording."""
    roomId: str
    """Your id of the room."""
    legalHold: bool
    """Whether the files are kept until the hold ends."""
    deleteAt: str | None
    """When the files are deleted; null during a hold and while the class runs."""


class RemovedParticipant(TypedDict):
    """A participant who was removed."""

    uid: str
    """Your id of the participant."""
    wasConnected: bool
    """Whether the participant was connected at that moment."""


class ReplayedWebhooks(TypedDict):
    """How many deliveries will be sent again."""

    queued: int
    """Deliveries that will be sent, at most 10,000 per call."""
    hasMore: bool
    """Whether there are more events; repeat the same call to continue."""


class RevokedApiKey(TypedDict):
    """An API key that was revoked."""

    keyId: str
    """Id of the key."""
    revokedAt: str
    """When the key was revoked."""
    alsoRevoked: NotRequired[Sequence[str]]
    """Ids of the keys that were revoked with it, because it created them."""


class RevokedCredential(TypedDict):
    """A credential that was revoked."""

    credentialId: str
    """Id of the credential."""
    revokedAt: str
    """When the credential was revoked."""


class RevokedDashboardTokens(TypedDict):
    """The dashboard tokens of an organization that were revoked."""

    organizationId: str
    """Id of the organization."""
    revokedAt: str
    """When the tokens were revoked."""


class RolePermissionsTEACHER(TypedDict):
    """Of teachers."""

    publishAudio: NotRequired[bool]
    """May use the microphone."""
    publishVideo: NotRequired[bool]
    """May use the camera."""
    shareScreen: NotRequired[bool]
    """May share the screen."""
    chat: NotRequired[bool]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool]
    """May raise the hand."""
    react: NotRequired[bool]
    """May send reactions."""
    answerPolls: NotRequired[bool]
    """May vote in polls."""
    managePolls: NotRequired[bool]
    """May open and close polls."""
    draw: NotRequired[bool]
    """May draw on the board."""
    manageBoard: NotRequired[bool]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool]
    """May start a recording."""
    stopRecording: NotRequired[bool]
    """May stop a recording."""
    endClass: NotRequired[bool]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool]
    """May change title, description and limits."""


class RolePermissionsSTUDENT(TypedDict):
    """Of students."""

    publishAudio: NotRequired[bool]
    """May use the microphone."""
    publishVideo: NotRequired[bool]
    """May use the camera."""
    shareScreen: NotRequired[bool]
    """May share the screen."""
    chat: NotRequired[bool]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool]
    """May raise the hand."""
    react: NotRequired[bool]
    """May send reactions."""
    answerPolls: NotRequired[bool]
    """May vote in polls."""
    managePolls: NotRequired[bool]
    """May open and close polls."""
    draw: NotRequired[bool]
    """May draw on the board."""
    manageBoard: NotRequired[bool]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool]
    """May start a recording."""
    stopRecording: NotRequired[bool]
    """May stop a recording."""
    endClass: NotRequired[bool]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool]
    """May change title, description and limits."""


class RolePermissionsMODERATOR(TypedDict):
    """Of moderators."""

    publishAudio: NotRequired[bool]
    """May use the microphone."""
    publishVideo: NotRequired[bool]
    """May use the camera."""
    shareScreen: NotRequired[bool]
    """May share the screen."""
    chat: NotRequired[bool]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool]
    """May raise the hand."""
    react: NotRequired[bool]
    """May send reactions."""
    answerPolls: NotRequired[bool]
    """May vote in polls."""
    managePolls: NotRequired[bool]
    """May open and close polls."""
    draw: NotRequired[bool]
    """May draw on the board."""
    manageBoard: NotRequired[bool]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool]
    """May start a recording."""
    stopRecording: NotRequired[bool]
    """May stop a recording."""
    endClass: NotRequired[bool]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool]
    """May change title, description and limits."""


class RolePermissionsADMIN(TypedDict):
    """Of admins."""

    publishAudio: NotRequired[bool]
    """May use the microphone."""
    publishVideo: NotRequired[bool]
    """May use the camera."""
    shareScreen: NotRequired[bool]
    """May share the screen."""
    chat: NotRequired[bool]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool]
    """May raise the hand."""
    react: NotRequired[bool]
    """May send reactions."""
    answerPolls: NotRequired[bool]
    """May vote in polls."""
    managePolls: NotRequired[bool]
    """May open and close polls."""
    draw: NotRequired[bool]
    """May draw on the board."""
    manageBoard: NotRequired[bool]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool]
    """May start a recording."""
    stopRecording: NotRequired[bool]
    """May stop a recording."""
    endClass: NotRequired[bool]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool]
    """May change title, description and limits."""


class RolePermissions(TypedDict):
    """What each role may do, where that differs from the role. The `permissions` of a participant come before it."""

    TEACHER: NotRequired[RolePermissionsTEACHER]
    """Of teachers."""
    STUDENT: NotRequired[RolePermissionsSTUDENT]
    """Of students."""
    MODERATOR: NotRequired[RolePermissionsMODERATOR]
    """Of moderators."""
    ADMIN: NotRequired[RolePermissionsADMIN]
    """Of admins."""


class Room(TypedDict):
    """A class, with its state."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    title: str
    """Title of the room."""
    status: Literal["created", "live", "finished"]
    """`created`: no participant has joined yet. `live`: the class is running. `finished`: it is over and cannot be resumed."""
    participantCount: int
    """Number of participants who are connected now."""
    hasTeacher: bool
    """Whether a teacher is connected now."""
    isRecording: bool
    """Whether a recording is running."""
    createdAt: str
    """When the room was created."""
    startedAt: str | None
    """When the first participant joined; null before."""
    endedAt: str | None
    """When the class ended; null before."""
    startsAt: NotRequired[str | None]
    """When the class is planned to start; null if it has no time."""
    teachers: NotRequired[Sequence[str]]
    """Names of the teachers for whom a token was created, at most 3."""
    totalParticipants: NotRequired[int]
    """Number of participants who joined."""


class RoomBoardPagesItem(TypedDict):
    pageId: str
    """Id of the page, a UUID."""
    template: Literal["blank", "grid", "lines", "music"]
    """What is printed on the page: nothing, a grid, lines, or staves."""
    documentId: str | None
    """The document whose page lies under it; null if there is none."""
    documentPage: int | None
    """The page of the document, from 1; null if there is none."""
    elements: Sequence[BoardElement]
    """What is drawn on the page, the oldest first."""


class RoomBoard(TypedDict):
    """The board of a room."""

    isShown: bool
    """Whether the class sees the board."""
    currentPageId: str | None
    """The page that the class sees; null if the board has none."""
    pages: Sequence[RoomBoardPagesItem]
    """All pages, in order."""


class RoomContext(TypedDict):
    """What the tutor knows of a class."""

    roomId: str
    """Your id of the room."""
    topic: str | None
    """Topic of the class; null if none is set."""
    notes: str | None
    """The notes; null if none are set."""
    updatedAt: str
    """When the context last changed."""


class RoomSettingsBudget(TypedDict):
    maxCredits: int
    """Credits that the class may use, 1 to 1,000,000,000."""
    onReached: Literal["warn", "closeDoors", "endClass"]
    """What happens when they are used up, in addition to the event `room.budget_reached`: `warn`: nothing. `closeDoors`: only who was in class may join. `endClass`: the class ends. A class is charged once a minute, so it may use what its participants use until then. Default: `warn`."""


class RoomSettings(TypedDict):
    """The settings of a room."""

    maxParticipants: int
    """Maximum number of participants at the same time."""
    emptyTimeout: int
    """Seconds from the last leave to the end of the class."""
    waitingRoom: Literal["OFF", "STUDENTS", "ALL"]
    """Who waits until they are admitted. `OFF`: no participant. `STUDENTS`: students; a teacher, moderator, admin or your backend admits them. `ALL`: everyone except admins. Who waits gets nothing of the class, takes no place and costs nothing."""
    duplicateJoin: Literal["replace", "refuse"]
    """What happens when a participant who is in class joins from another device. `replace`: the new device replaces the other. `refuse`: the new one gets `ALREADY_CONNECTED` as long as the other is connected; the token then opens sessions only and does not connect to LiveKit by itself."""
    muteOnJoin: bool
    """Whether everyone enters with the microphone off, except who manages participants. They turn it on themselves, in the lobby or in class."""
    budget: RoomSettingsBudget | None
    """The most credits that the class may use; null: no limit."""
    attendance: AttendancePolicy | None
    """The attendance policy; null: attendance is not evaluated."""
    autoRecord: bool
    """Whether a recording starts with the first published track."""
    chat: ChatSettings
    """Who may write in the chat, and how often."""
    permissions: RolePermissions
    consent: ConsentSettings
    """Which consent to recordings the class asks for, and whether AI may be used."""
    startsAt: str | None
    """When the lesson starts. The room opens `joinBefore` seconds earlier; teachers and admins may enter at any time. `emptyTimeout` does not end the class before it. Null if there is none."""
    endsAt: str | None
    """When the class ends for everyone. Null if there is none."""
    joinBefore: int
    """Seconds before `startsAt` at which the room opens."""
    maxDuration: int | None
    """Seconds after which the class ends for everyone, 60 to 86,400, counted from the first join or, if that is later, from `startsAt`. Null if there is no limit."""


class RoomStatusReport1(TypedDict):
    exists: Literal[True]
    """Whether the room exists."""
    isActive: bool
    """Whether the class is live: a participant has joined and it has not ended."""
    roomId: str
    """Your id of the room."""
    title: str
    """Title of the room."""
    participantCount: int
    """Number of participants who are connected now."""
    hasTeacher: bool
    """Whether a teacher is connected now."""
    isRecording: bool
    """Whether a recording is running."""
    createdAt: str
    """When the room was created."""
    startedAt: str | None
    """When the first participant joined; null before."""


class RoomStatusReport2(TypedDict):
    exists: Literal[False]
    """Whether the room exists."""
    isActive: Literal[False]
    """Whether the class is live: a participant has joined and it has not ended."""
    roomId: str
    """Your id of the room."""


RoomStatusReport: TypeAlias = "RoomStatusReport1 | RoomStatusReport2"
"""Whether a room exists and is live. Only `exists`, `isActive` and `roomId` if it does not exist."""


class RoomSummaryTimestamps(TypedDict):
    """When the class began and ended."""

    startedAt: str | None
    """When the first participant joined; null before."""
    endedAt: str | None
    """When the class ended; null before."""


class RoomSummaryBudget(TypedDict):
    """The budget of the class, if it has one; `totalCredits` are used of it."""

    maxCredits: int
    """Credits that the class may use, 1 to 1,000,000,000."""
    onReached: Literal["warn", "closeDoors", "endClass"]
    """What happens when they are used up, in addition to the event `room.budget_reached`: `warn`: nothing. `closeDoors`: only who was in class may join. `endClass`: the class ends. A class is charged once a minute, so it may use what its participants use until then. Default: `warn`."""


class RoomSummary(TypedDict):
    """The totals of a class."""

    roomId: str
    """Your id of the room."""
    roomName: str
    """Title of the room."""
    totalCredits: int
    """Credits of the class: the minutes of all participants, summed and rounded up once."""
    totalParticipants: int
    """Number of participants who joined."""
    avgStay: int
    """Mean seconds per participant."""
    timestamps: RoomSummaryTimestamps
    """When the class began and ended."""
    budget: NotRequired[RoomSummaryBudget]
    """The budget of the class, if it has one; `totalCredits` are used of it."""
    status: Literal["live", "finished"]
    """`finished` after the class, otherwise `live`, also before the first participant joins."""


class Session(TypedDict):
    """One stay of a participant in a room, from join to leave."""

    joinedAt: str
    """When the session began."""
    leftAt: str | None
    """When it ended; null while it continues."""
    duration: int
    """Seconds, up to now while it continues."""
    creditsConsumed: float
    """The session’s share of the credits, two decimals. For display: the sum is rounded once per room."""
    ipAddress: NotRequired[str]
    """The participant’s address, if known."""
    isActive: bool
    """Whether the session continues."""
    openedBy: NotRequired[str]
    """The evidence that opened it: `webhook`, or `reconciler` for a list of connected participants. More may be added."""
    closedBy: NotRequired[str | None]
    """The evidence that closed it: also `room_end`, the end of the class; null while it continues. More may be added."""


class SessionsByRoomParticipant(TypedDict):
    """The participant."""

    uid: str
    """Your id of the participant."""
    name: str | None
    """The latest display name; null for an unknown uid."""
    role: str | None
    """The latest role; null for an unknown uid."""


class SessionsByRoomRoomGroupsItem(TypedDict):
    roomId: str
    """Your id of the room."""
    roomTitle: str
    """Title of the room."""
    sessions: Sequence[Session]
    """The newest sessions in the room, at most 10."""
    totalDuration: int
    """Seconds of all sessions."""
    totalCredits: int
    """Credits of all sessions: minutes, summed and rounded up once."""
    averageDuration: int
    """Mean seconds per session."""
    sessionCount: int
    """Number of all sessions in the room."""


SessionsByRoomSummaryDateRange = TypedDict(
    "SessionsByRoomSummaryDateRange",
    {
        "from": "str",
        "to": "str",
    },
)


class SessionsByRoomSummary(TypedDict):
    """Totals over all rooms and pages."""

    totalSessions: int
    """Number of sessions."""
    totalDuration: int
    """Seconds of all sessions."""
    totalCredits: int
    """Credits of all sessions: minutes, summed and rounded up once."""
    averageDuration: int
    """Mean seconds per session."""
    roomsAttended: int
    """Number of rooms."""
    dateRange: SessionsByRoomSummaryDateRange
    """The days that the report covers, in UTC."""


class SessionsByRoomPagination(TypedDict):
    """The page."""

    page: float
    """Page, from 1."""
    limit: float
    """Rooms per page."""
    totalRooms: float
    """Number of all rooms."""
    hasMore: bool
    """Whether there is a next page."""


class SessionsByRoom(TypedDict):
    """A participant’s sessions in all rooms, grouped by room."""

    participant: SessionsByRoomParticipant
    """The participant."""
    roomGroups: Sequence[SessionsByRoomRoomGroupsItem]
    """One entry per room, newest first."""
    summary: SessionsByRoomSummary
    """Totals over all rooms and pages."""
    pagination: SessionsByRoomPagination
    """The page."""


class SessionsInRoomParticipant(TypedDict):
    """The participant."""

    uid: str
    """Your id of the participant."""
    name: str | None
    """The latest display name; null for an unknown uid."""
    role: str | None
    """The latest role; null for an unknown uid."""


class SessionsInRoomRoom(TypedDict):
    """The room, with the participant’s totals in it."""

    roomId: str
    """Your id of the room."""
    roomTitle: str | None
    """Title of the room; null if the room is unknown."""
    totalDuration: int
    """Seconds of all sessions."""
    totalCredits: int
    """Credits of all sessions: minutes, summed and rounded up once."""
    averageDuration: int
    """Mean seconds per session."""


SessionsInRoomSummaryDateRange = TypedDict(
    "SessionsInRoomSummaryDateRange",
    {
        "from": "str",
        "to": "str",
    },
)


class SessionsInRoomSummary(TypedDict):
    """Totals over all pages."""

    totalSessions: int
    """Number of sessions."""
    totalDuration: int
    """Seconds of all sessions."""
    totalCredits: int
    """Credits of all sessions: minutes, summed and rounded up once."""
    averageDuration: int
    """Mean seconds per session."""
    roomsAttended: int
    """Number of rooms."""
    dateRange: SessionsInRoomSummaryDateRange
    """The days that the report covers, in UTC."""


class SessionsInRoomPagination(TypedDict):
    """The page."""

    page: float
    """Page, from 1."""
    limit: float
    """Sessions per page."""
    total: float
    """Number of all sessions."""
    hasMore: bool
    """Whether there is a next page."""


class SessionsInRoom(TypedDict):
    """A participant’s sessions in one room."""

    participant: SessionsInRoomParticipant
    """The participant."""
    room: SessionsInRoomRoom
    """The room, with the participant’s totals in it."""
    sessions: Sequence[Session]
    """The sessions, newest first."""
    summary: SessionsInRoomSummary
    """Totals over all pages."""
    pagination: SessionsInRoomPagination
    """The page."""


class StartedRecording(TypedDict):
    """A recording that was started."""

    egressId: str
    """Id of the recording job."""
    roomId: str
    """Your id of the room."""
    status: str
    """Status with the prefix `EGRESS_`, such as `EGRESS_STARTING`."""
    startedAt: str
    """When the recording began."""


class Statement(TypedDict):
    """The summary of one closed billing cycle."""

    statementId: str
    """Id of the statement."""
    cycleStart: str
    """Start of the cycle, inclusive."""
    cycleEnd: str
    """End of the cycle, exclusive."""
    creditsConsumed: int
    """Credits used in the cycle."""
    amount: float
    """Amount due, in `currency`."""
    currency: str
    """ISO 4217 code, such as `USD`."""
    classrooms: int
    """Classes charged in the cycle."""
    closedAt: str
    """When the statement was made."""


class StoppedRecording(TypedDict):
    """A recording that was stopped; its file is finalized next."""

    egressId: str
    """Id of the recording job."""
    status: str
    """Status with the prefix `EGRESS_`, such as `EGRESS_ENDING`."""
    duration: int
    """Seconds recorded so far."""
    keptHours: NotRequired[int]
    """Hours after the end of the class for which the file can be downloaded."""


class SystemProcessesItem(TypedDict):
    version: str
    """Version of the release that it runs."""
    roles: Sequence[str]
    """`service` answers calls, `worker` consumes events and jobs."""
    startedAt: str
    """When it started."""
    slots: int | None
    """How many classes a recorder captures at once; null for others."""
    freeSlots: int | None
    """How many more it could capture now; null for others."""
    service: str
    """The service."""


class SystemQueuesItem(TypedDict):
    queue: str
    """Name of the queue."""
    overdueSeconds: float
    """How late the work is that has waited longest; 0 if none is late."""
    service: str
    """The service."""


class SystemConsumersItem(TypedDict):
    consumer: str
    """Name of the consumer."""
    waiting: int
    """Messages that it has not finished."""
    lagSeconds: float
    """Age of the oldest of them."""
    service: str
    """The service."""


class System(TypedDict):
    """The processes of the installation, and what waits."""

    at: str
    """When the processes were asked."""
    processes: Sequence[SystemProcessesItem]
    """Every process that answered. Answers are waited for until no more arrive, 1.5 seconds at most."""
    missing: NotRequired[Sequence[str]]
    """The services without a process that answered. Recorders are not among them: an installation with LiveKit Egress has none."""
    queues: Sequence[SystemQueuesItem]
    """The queues of jobs."""
    consumers: Sequence[SystemConsumersItem]
    """The consumers of events."""
    tracesUrl: str | None
    """Address of slow traces (`TRACES_URL` of the gateway); null if none is configured."""


class TokenUsage(TypedDict):
    """Tokens of the models."""

    inputTokens: int
    """Tokens that the models read."""
    outputTokens: int
    """Tokens that the models wrote."""


class TopQuery(TypedDict):
    """A question that a class asked."""

    question: str
    """The question, as one of the students asked it."""
    answer: str
    """The tutor’s answer."""
    frequency: int
    """How often it was asked."""


class TutorCostsTotal(TypedDict):
    """The totals of the room."""

    interactions: int
    """Number of questions."""
    inputTokens: int
    """Tokens that the models read."""
    outputTokens: int
    """Tokens that the models wrote."""
    cost: float
    """Cost in the currency of the price table: USD unless the installation configures another."""


class TutorCostsStudentsItem(TypedDict):
    studentUid: str
    """Your id of the student."""
    interactions: int
    """Number of questions."""
    inputTokens: int
    """Tokens that the models read."""
    outputTokens: int
    """Tokens that the models wrote."""
    cost: float
    """Cost in the currency of the price table: USD unless the installation configures another."""


class TutorCosts(TypedDict):
    """What the questions of a room cost."""

    roomId: str
    """Your id of the room."""
    total: TutorCostsTotal
    """The totals of the room."""
    students: Sequence[TutorCostsStudentsItem]
    """One entry per student, by uid."""
    pagination: Pagination
    """Where the list continues."""


class Video(TypedDict):
    """A stored video."""

    videoId: str
    """Id of the video."""
    title: str
    """Display title."""
    fileName: str
    """Name of the uploaded file."""
    size: int
    """Size of the source in bytes."""
    status: Literal["pending", "processing", "completed", "failed"]
    """`pending`: the upload or the transcoding has not begun. `processing`: it is being transcoded. `completed`: it can be played. `failed`: it never will be."""
    progress: int
    """Progress of the transcoding in percent, 0 to 100."""
    type: Literal["hls", "mp4"] | None
    """Form of the stream; null until it is known."""
    duration: int | None
    """Length in seconds; null until it is known."""
    createdAt: str
    """When the video was created."""
    message: NotRequired[str]
    """Why the video failed or waits. Present if there is something to say."""


class VideoCaptions(TypedDict):
    """The caption tracks of a video."""

    videoId: str
    """Id of the video."""
    captions: Sequence[Caption]
    """All tracks of the video."""


class VideoProgress(TypedDict):
    """Status and transcoding progress of a video."""

    videoId: str
    """Id of the video."""
    status: Literal["pending", "processing", "completed", "failed"]
    """`pending`: the upload or the transcoding has not begun. `processing`: it is being transcoded. `completed`: it can be played. `failed`: it never will be."""
    progress: int
    """Progress of the transcoding in percent, 0 to 100."""
    createdAt: str
    """When the video was created."""
    message: NotRequired[str]
    """Why the video failed or waits. Present if there is something to say."""


class VideoUrl(TypedDict):
    """Signed addresses to play a video."""

    type: Literal["hls", "mp4"] | None
    """Form of the stream: `hls` is a playlist, `mp4` one file; null until the video is ready."""
    url: str | None
    """Signed playback address, valid for about an hour; null until the video is ready."""
    posterUrl: str | None
    """Signed address of the poster image, valid for about an hour; null if there is none."""
    status: Literal["pending", "processing", "completed", "failed"]
    """`pending`: the upload or the transcoding has not begun. `processing`: it is being transcoded. `completed`: it can be played. `failed`: it never will be."""
    message: NotRequired[str]
    """Why the video cannot be played. Present if there is something to say."""


class VideoUsage(TypedDict):
    """What an organization uses of its quotas."""

    bytes: int
    """Bytes that videos and documents occupy: uploads with the size that they declare, and the files that are made of them."""
    maxBytes: int
    """Bytes that they may occupy."""
    minutes: int
    """Minutes of videos that were transcoded in this calendar month (UTC), rounded up."""
    maxMinutes: int
    """Minutes that may be transcoded in a month."""


class Voice(TypedDict):
    """A voice for spoken answers."""

    voiceName: str
    """Value for `voiceName`."""
    language: str
    """Language of the voice, a BCP 47 tag such as `en`."""
    isDefault: bool
    """Whether this voice is used if the request names none."""


class WaitingParticipant(TypedDict):
    """A participant in the waiting room, whose page is open."""

    uid: str
    """Your id of the participant."""
    name: str
    """Display name of the participant."""
    role: str
    """Role of the participant in the room."""
    waitingSince: str
    """When the participant began to wait."""


class WebhookDeliveryLastAttempt(TypedDict):
    at: str
    """When it was made."""
    statusCode: int | None
    """HTTP status of the response; null if there was none."""
    error: str | None
    """Why the attempt failed, such as `timeout`, `redirect` or `status`; null if it succeeded."""
    durationMs: int
    """Milliseconds until the response or the failure."""
    responseBody: str | None
    """The first KiB of the response body; null if there was none."""


class WebhookDelivery(TypedDict):
    """An event on its way to an endpoint."""

    deliveryId: str
    """Id of the delivery."""
    eventId: str
    """Id of the event."""
    type: str
    """Type of the event."""
    status: Literal["pending", "delivered", "failed"]
    """`pending`: an attempt will follow. `delivered`: the endpoint answered 2xx. `failed`: given up."""
    attempts: int
    """Attempts since the delivery was created or last replayed."""
    nextAttemptAt: str | None
    """When the next attempt is due; null if none is."""
    createdAt: str
    """When the delivery was created."""
    lastAttempt: WebhookDeliveryLastAttempt | None
    """The last attempt; null before the first."""


class WebhookDeliveryDetailsLastAttempt(TypedDict):
    at: str
    """When it was made."""
    statusCode: int | None
    """HTTP status of the response; null if there was none."""
    error: str | None
    """Why the attempt failed, such as `timeout`, `redirect` or `status`; null if it succeeded."""
    durationMs: int
    """Milliseconds until the response or the failure."""
    responseBody: str | None
    """The first KiB of the response body; null if there was none."""


class WebhookDeliveryDetails(TypedDict):
    """A delivery with the request body."""

    deliveryId: str
    """Id of the delivery."""
    eventId: str
    """Id of the event."""
    type: str
    """Type of the event."""
    status: Literal["pending", "delivered", "failed"]
    """`pending`: an attempt will follow. `delivered`: the endpoint answered 2xx. `failed`: given up."""
    attempts: int
    """Attempts since the delivery was created or last replayed."""
    nextAttemptAt: str | None
    """When the next attempt is due; null if none is."""
    createdAt: str
    """When the delivery was created."""
    lastAttempt: WebhookDeliveryDetailsLastAttempt | None
    """The last attempt; null before the first."""
    payload: str
    """The request body as text. The signature covers its bytes."""


class WebhookEndpoint(TypedDict):
    """A URL that receives events."""

    endpointId: str
    """Id of the endpoint."""
    url: str
    """Address to which events are sent."""
    eventTypes: Sequence[str]
    """The event types to send; empty means all."""
    description: str
    """A note of your own."""
    isEnabled: bool
    """Whether events are sent."""
    disabledReason: Literal["requested", "gone", "failing"] | None
    """`requested`: you disabled it. `gone`: it answered 410. `failing`: every attempt failed for five days. Null while enabled."""
    disabledAt: str | None
    """When it was disabled; null while enabled."""
    failingSince: str | None
    """The time since which every attempt has failed, without two days in which none was made; null if the last one succeeded."""
    createdAt: str
    """When the endpoint was created."""
    updatedAt: str
    """When it last changed."""


class WebhookEndpointWithSecret(TypedDict):
    """A webhook endpoint and its signing secret."""

    endpointId: str
    """Id of the endpoint."""
    url: str
    """Address to which events are sent."""
    eventTypes: Sequence[str]
    """The event types to send; empty means all."""
    description: str
    """A note of your own."""
    isEnabled: bool
    """Whether events are sent."""
    disabledReason: Literal["requested", "gone", "failing"] | None
    """`requested`: you disabled it. `gone`: it answered 410. `failing`: every attempt failed for five days. Null while enabled."""
    disabledAt: str | None
    """When it was disabled; null while enabled."""
    failingSince: str | None
    """The time since which every attempt has failed, without two days in which none was made; null if the last one succeeded."""
    createdAt: str
    """When the endpoint was created."""
    updatedAt: str
    """When it last changed."""
    secret: str
    """The secret that signs deliveries: `whsec_` and the key in base64, as the Standard Webhooks libraries accept it. It is shown only here."""
    previousSecretExpiresAt: str | None
    """Until this time deliveries are signed with the previous secret as well; null if there is none."""


class WholeRoomCustomization(TypedDict):
    """How the class page looks."""

    showLobby: bool
    """Whether the page begins with a lobby."""
    showVideoControls: bool
    """Whether the controls of camera, microphone, screen share and layout are shown."""
    theme: Literal["light", "dark", "auto"]
    """Theme of the page; `auto` for what the device has."""


class WholeRoom(TypedDict):
    """A class with everything that was given for it, and what happened."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    title: str
    """Title of the room."""
    status: Literal["created", "live", "finished"]
    """`created`: no participant has joined yet. `live`: the class is running. `finished`: it is over and cannot be resumed."""
    participantCount: int
    """Number of participants who are connected now."""
    hasTeacher: bool
    """Whether a teacher is connected now."""
    isRecording: bool
    """Whether a recording is running."""
    createdAt: str
    """When the room was created."""
    startedAt: str | None
    """When the first participant joined; null before."""
    endedAt: str | None
    """When the class ended; null before."""
    roomDescription: str | None
    """Description of the room; null if there is none."""
    metadata: Mapping[str, Any] | None
    """Data of your own; null if there is none."""
    customization: WholeRoomCustomization
    """How the class page looks."""
    settings: RoomSettings
    """The settings of the room."""
    rosterSize: int
    """Number of people on the roster, who are in *Get attendance* from the start of the lesson; 0: no roster."""
    endReason: str | None
    """Why the class ended: `deleted` by your backend, `class_ended` by a participant, `empty` for `emptyTimeout`, `schedule` for `endsAt` or `maxDuration`, `budget` for a budget with `endClass`, `unused`: no participant came. More may be added. Null before the end."""


class CreateRoomBodyParticipantPermissions(TypedDict):
    publishAudio: NotRequired[bool | None]
    """May use the microphone."""
    publishVideo: NotRequired[bool | None]
    """May use the camera."""
    shareScreen: NotRequired[bool | None]
    """May share the screen."""
    chat: NotRequired[bool | None]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool | None]
    """May raise the hand."""
    react: NotRequired[bool | None]
    """May send reactions."""
    answerPolls: NotRequired[bool | None]
    """May vote in polls."""
    managePolls: NotRequired[bool | None]
    """May open and close polls."""
    draw: NotRequired[bool | None]
    """May draw on the board."""
    manageBoard: NotRequired[bool | None]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool | None]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool | None]
    """May start a recording."""
    stopRecording: NotRequired[bool | None]
    """May stop a recording."""
    endClass: NotRequired[bool | None]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool | None]
    """May change title, description and limits."""


class CreateRoomBodyParticipantUi(TypedDict):
    hideChat: NotRequired[bool | None]
    """No chat."""
    hideParticipants: NotRequired[bool | None]
    """No list of participants."""
    hidePolls: NotRequired[bool | None]
    """No polls."""
    hideLobby: NotRequired[bool | None]
    """No lobby, whatever `customization.showLobby` says."""


class CreateRoomBodyParticipant(TypedDict):
    """The first participant; the answer contains their token."""

    uid: str
    """Your id of the participant, 1 to 128 of `A-Z a-z 0-9 . _ : - @ | + = ~`. It must not begin with `EG_`."""
    name: str
    """Display name, 1 to 256 characters."""
    role: Literal["TEACHER", "STUDENT", "MODERATOR", "ADMIN"]
    """Role in the room. It decides what the participant may do."""
    photoURL: NotRequired[str | None]
    """Address of a photo (http or https), at most 2,048 characters. Shown if it is a PNG, JPEG, GIF or WebP of at most 1 MiB. Default: none."""
    permissions: NotRequired[CreateRoomBodyParticipantPermissions | None]
    """Replaces what the role and the room allow; what is omitted stays as they say. The latest token of a participant counts, also for who is in class."""
    ui: NotRequired[CreateRoomBodyParticipantUi | None]
    """What the class page leaves out for one participant. It only concerns the display: `permissions` are what the service enforces. The latest token of a participant counts."""
    ai: NotRequired[bool | None]
    """May use the AI tutor, where the class has it. The latest token of a participant counts. Default: `true`."""
    notBefore: NotRequired[str | None]
    """The token can be used from this time on, at most 366 days from now; earlier: `ROOM_NOT_OPEN`. Default: now."""
    expiresIn: NotRequired[int | None]
    """Seconds for which the token can be used to join, 60 to 86,400, from `notBefore` or now. Default: an hour; in a room with a schedule, until an hour after its end."""


class CreateRoomBodyCustomization(TypedDict):
    showLobby: NotRequired[bool | None]
    """Begin with a lobby, where people see and hear themselves; `true` unless given. With `false` who may publish enters with camera and microphone on."""
    showVideoControls: NotRequired[bool | None]
    """Show the controls of camera, microphone, screen share and layout; `true` unless given."""
    theme: NotRequired[str | None]
    """`light`, `dark`, or `auto` for what the device has, which is also what it is unless given. Any other text is kept and treated as `auto`."""


class CreateRoomBodySettingsBudget(TypedDict):
    maxCredits: int
    """Credits that the class may use, 1 to 1,000,000,000."""
    onReached: NotRequired[Literal["warn", "closeDoors", "endClass"] | None]
    """What happens when they are used up, in addition to the event `room.budget_reached`: `warn`: nothing. `closeDoors`: only who was in class may join. `endClass`: the class ends. A class is charged once a minute, so it may use what its participants use until then. Default: `warn`."""


class CreateRoomBodySettingsAttendance(TypedDict):
    lateAfter: NotRequired[int | None]
    """Seconds after the start of the lesson: who comes later is `LATE`. 0 to 86,400. Default: 300."""
    leftBefore: NotRequired[int | None]
    """Seconds before the end of the lesson: who left earlier is `LEFT_EARLY`. 0 to 86,400. Default: 300."""
    minimumPresence: NotRequired[int | None]
    """Percent of the lesson: who was in class for less is `ABSENT`. 0 to 100. Default: 50."""
    reconnectGrace: NotRequired[int | None]
    """Seconds: a gap between two connections that is not longer counts as presence. 0 to 3,600. Default: 60."""


class CreateRoomBodySettingsChat(TypedDict):
    mode: NotRequired[Literal["ALL", "TEACHERS", "OFF"] | None]
    """`ALL`: students write to everyone. `TEACHERS`: students write to the teachers, moderators and admins; no other student gets it. `OFF`: students do not write. Teachers, moderators and admins always write to everyone. Default: `ALL`."""
    slowModeSeconds: NotRequired[int | None]
    """Seconds that a student waits after a message before the next one, 0 to 3,600; 0: no wait. Teachers, moderators and admins do not wait. Default: 0."""


class CreateRoomBodySettingsPermissionsTEACHER(TypedDict):
    publishAudio: NotRequired[bool | None]
    """May use the microphone."""
    publishVideo: NotRequired[bool | None]
    """May use the camera."""
    shareScreen: NotRequired[bool | None]
    """May share the screen."""
    chat: NotRequired[bool | None]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool | None]
    """May raise the hand."""
    react: NotRequired[bool | None]
    """May send reactions."""
    answerPolls: NotRequired[bool | None]
    """May vote in polls."""
    managePolls: NotRequired[bool | None]
    """May open and close polls."""
    draw: NotRequired[bool | None]
    """May draw on the board."""
    manageBoard: NotRequired[bool | None]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool | None]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool | None]
    """May start a recording."""
    stopRecording: NotRequired[bool | None]
    """May stop a recording."""
    endClass: NotRequired[bool | None]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool | None]
    """May change title, description and limits."""


class CreateRoomBodySettingsPermissionsSTUDENT(TypedDict):
    publishAudio: NotRequired[bool | None]
    """May use the microphone."""
    publishVideo: NotRequired[bool | None]
    """May use the camera."""
    shareScreen: NotRequired[bool | None]
    """May share the screen."""
    chat: NotRequired[bool | None]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool | None]
    """May raise the hand."""
    react: NotRequired[bool | None]
    """May send reactions."""
    answerPolls: NotRequired[bool | None]
    """May vote in polls."""
    managePolls: NotRequired[bool | None]
    """May open and close polls."""
    draw: NotRequired[bool | None]
    """May draw on the board."""
    manageBoard: NotRequired[bool | None]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool | None]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool | None]
    """May start a recording."""
    stopRecording: NotRequired[bool | None]
    """May stop a recording."""
    endClass: NotRequired[bool | None]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool | None]
    """May change title, description and limits."""


class CreateRoomBodySettingsPermissionsMODERATOR(TypedDict):
    publishAudio: NotRequired[bool | None]
    """May use the microphone."""
    publishVideo: NotRequired[bool | None]
    """May use the camera."""
    shareScreen: NotRequired[bool | None]
    """May share the screen."""
    chat: NotRequired[bool | None]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool | None]
    """May raise the hand."""
    react: NotRequired[bool | None]
    """May send reactions."""
    answerPolls: NotRequired[bool | None]
    """May vote in polls."""
    managePolls: NotRequired[bool | None]
    """May open and close polls."""
    draw: NotRequired[bool | None]
    """May draw on the board."""
    manageBoard: NotRequired[bool | None]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool | None]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool | None]
    """May start a recording."""
    stopRecording: NotRequired[bool | None]
    """May stop a recording."""
    endClass: NotRequired[bool | None]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool | None]
    """May change title, description and limits."""


class CreateRoomBodySettingsPermissionsADMIN(TypedDict):
    publishAudio: NotRequired[bool | None]
    """May use the microphone."""
    publishVideo: NotRequired[bool | None]
    """May use the camera."""
    shareScreen: NotRequired[bool | None]
    """May share the screen."""
    chat: NotRequired[bool | None]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool | None]
    """May raise the hand."""
    react: NotRequired[bool | None]
    """May send reactions."""
    answerPolls: NotRequired[bool | None]
    """May vote in polls."""
    managePolls: NotRequired[bool | None]
    """May open and close polls."""
    draw: NotRequired[bool | None]
    """May draw on the board."""
    manageBoard: NotRequired[bool | None]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool | None]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool | None]
    """May start a recording."""
    stopRecording: NotRequired[bool | None]
    """May stop a recording."""
    endClass: NotRequired[bool | None]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool | None]
    """May change title, description and limits."""


class CreateRoomBodySettingsPermissions(TypedDict):
    TEACHER: NotRequired[CreateRoomBodySettingsPermissionsTEACHER | None]
    """Of teachers."""
    STUDENT: NotRequired[CreateRoomBodySettingsPermissionsSTUDENT | None]
    """Of students."""
    MODERATOR: NotRequired[CreateRoomBodySettingsPermissionsMODERATOR | None]
    """Of moderators."""
    ADMIN: NotRequired[CreateRoomBodySettingsPermissionsADMIN | None]
    """Of admins."""


class CreateRoomBodySettingsConsentRecording(TypedDict):
    ask: Literal["join", "recording"]
    """`join`: before joining. `recording`: when a recording starts, and at the join while one runs. Not asked: who may start a recording (TEACHER, ADMIN)."""
    without: Literal["refuse", "mute", "hide"]
    """What happens without consent. `refuse`: no place in class; before the answer no camera, microphone or screen. `mute`: no camera, microphone or screen. `hide`: everything, but the recording does not show or play them. With `ask: "recording"`, only while a recording runs. No recording ever contains who has not consented."""
    version: str
    """Version of the text, 1 to 50 characters. After a change everyone is asked again."""
    text: str
    """The question, plain text of 1 to 2,000 characters."""


class CreateRoomBodySettingsConsent(TypedDict):
    recording: NotRequired[CreateRoomBodySettingsConsentRecording | None]
    """Which consent to recordings is asked for; null: none."""
    ai: NotRequired[bool | None]
    """Whether the AI tutor and its summaries may be used."""


class CreateRoomBodySettings(TypedDict):
    maxParticipants: NotRequired[int | None]
    """Maximum number of participants at the same time, 1 to 5,000. Default: 1,000."""
    emptyTimeout: NotRequired[int | None]
    """Seconds from the last leave to the end of the class, 1 to 1,800. Default: 300."""
    autoRecord: NotRequired[bool | None]
    """Whether a recording starts with the first published track. Default: `false`."""
    budget: NotRequired[CreateRoomBodySettingsBudget | None]
    """The most credits that the class may use. Default: no limit."""
    attendance: NotRequired[CreateRoomBodySettingsAttendance | None]
    """The attendance policy. Omitted fields are those of the organization, if it has set a policy. Null: attendance is not evaluated. Default: the policy of the organization; without one, none, or the built-in one if there is a `roster`."""
    waitingRoom: NotRequired[Literal["OFF", "STUDENTS", "ALL"] | None]
    """Who waits until they are admitted. `OFF`: no participant. `STUDENTS`: students; a teacher, moderator, admin or your backend admits them. `ALL`: everyone except admins. Who waits gets nothing of the class, takes no place and costs nothing. Default: `OFF`."""
    duplicateJoin: NotRequired[Literal["replace", "refuse"] | None]
    """What happens when a participant who is in class joins from another device. `replace`: the new device replaces the other. `refuse`: the new one gets `ALREADY_CONNECTED` as long as the other is connected; the token then opens sessions only and does not connect to LiveKit by itself. Default: `replace`."""
    muteOnJoin: NotRequired[bool | None]
    """Whether everyone enters with the microphone off, except who manages participants. They turn it on themselves, in the lobby or in class. Default: `false`."""
    chat: NotRequired[CreateRoomBodySettingsChat | None]
    """Who may write in the chat, and how often."""
    permissions: NotRequired[CreateRoomBodySettingsPermissions | None]
    """What each role may do, where that differs from the role. The `permissions` of a participant come before it. Default: as the roles."""
    consent: NotRequired[CreateRoomBodySettingsConsent | None]
    """Consent to recordings, and AI. Omitted fields are those of the organization at the creation of the room."""
    startsAt: NotRequired[str | None]
    """When the lesson starts. The room opens `joinBefore` seconds earlier; teachers and admins may enter at any time. `emptyTimeout` does not end the class before it. At most 366 days from now. Default: none, the room is open."""
    endsAt: NotRequired[str | None]
    """When the class ends for everyone. At most 366 days from now. Default: none."""
    joinBefore: NotRequired[int | None]
    """Seconds before `startsAt` at which the room opens, 0 to 86,400. Default: 600."""
    maxDuration: NotRequired[int | None]
    """Seconds after which the class ends for everyone, 60 to 86,400, counted from the first join or, if that is later, from `startsAt`. Default: none."""


class CreateRoomBodyRosterItem(TypedDict):
    uid: str
    """Your id of the person, as in their token."""
    name: NotRequired[str | None]
    """Display name, 1 to 256 characters. Default: none."""


class CreateRoomBody(TypedDict):
    roomId: str
    """Your id of the room, 1 to 128 of `A-Z a-z 0-9 . _ : -`. It can be used only once, also after the room has ended."""
    title: str
    """Display title, 1 to 256 characters."""
    participant: CreateRoomBodyParticipant
    """The first participant; the answer contains their token."""
    roomDescription: NotRequired[str | None]
    """Description, at most 4,000 characters. Default: none."""
    metadata: NotRequired[Mapping[str, Any] | None]
    """Data of your own, at most 8 KiB as JSON. The tutor knows it. Default: none."""
    customization: NotRequired[CreateRoomBodyCustomization | None]
    """How the classroom page looks. Unknown keys are ignored."""
    settings: NotRequired[CreateRoomBodySettings | None]
    """Limits, permissions, recording, chat, admission and consent settings, the budget, the attendance policy and the schedule of the room."""
    roster: NotRequired[Sequence[CreateRoomBodyRosterItem] | None]
    """The people who are expected, at most 1,000, each `uid` once. Attendance is evaluated against it. Default: none."""
    preset: NotRequired[str | None]
    """Name of a preset: its settings and its look are the defaults of this room. Without it, the defaults are those stated here."""


class JoinRoomBodyParticipantPermissions(TypedDict):
    publishAudio: NotRequired[bool | None]
    """May use the microphone."""
    publishVideo: NotRequired[bool | None]
    """May use the camera."""
    shareScreen: NotRequired[bool | None]
    """May share the screen."""
    chat: NotRequired[bool | None]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool | None]
    """May raise the hand."""
    react: NotRequired[bool | None]
    """May send reactions."""
    answerPolls: NotRequired[bool | None]
    """May vote in polls."""
    managePolls: NotRequired[bool | None]
    """May open and close polls."""
    draw: NotRequired[bool | None]
    """May draw on the board."""
    manageBoard: NotRequired[bool | None]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool | None]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool | None]
    """May start a recording."""
    stopRecording: NotRequired[bool | None]
    """May stop a recording."""
    endClass: NotRequired[bool | None]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool | None]
    """May change title, description and limits."""


class JoinRoomBodyParticipantUi(TypedDict):
    hideChat: NotRequired[bool | None]
    """No chat."""
    hideParticipants: NotRequired[bool | None]
    """No list of participants."""
    hidePolls: NotRequired[bool | None]
    """No polls."""
    hideLobby: NotRequired[bool | None]
    """No lobby, whatever `customization.showLobby` says."""


class JoinRoomBodyParticipant(TypedDict):
    """The participant who will join."""

    uid: str
    """Your id of the participant, 1 to 128 of `A-Z a-z 0-9 . _ : - @ | + = ~`. It must not begin with `EG_`."""
    name: str
    """Display name, 1 to 256 characters."""
    role: Literal["TEACHER", "STUDENT", "MODERATOR", "ADMIN"]
    """Role in the room. It decides what the participant may do."""
    photoURL: NotRequired[str | None]
    """Address of a photo (http or https), at most 2,048 characters. Shown if it is a PNG, JPEG, GIF or WebP of at most 1 MiB. Default: none."""
    permissions: NotRequired[JoinRoomBodyParticipantPermissions | None]
    """Replaces what the role and the room allow; what is omitted stays as they say. The latest token of a participant counts, also for who is in class."""
    ui: NotRequired[JoinRoomBodyParticipantUi | None]
    """What the class page leaves out for one participant. It only concerns the display: `permissions` are what the service enforces. The latest token of a participant counts."""
    ai: NotRequired[bool | None]
    """May use the AI tutor, where the class has it. The latest token of a participant counts. Default: `true`."""
    notBefore: NotRequired[str | None]
    """The token can be used from this time on, at most 366 days from now; earlier: `ROOM_NOT_OPEN`. Default: now."""
    expiresIn: NotRequired[int | None]
    """Seconds for which the token can be used to join, 60 to 86,400, from `notBefore` or now. Default: an hour; in a room with a schedule, until an hour after its end."""


class JoinRoomBody(TypedDict):
    participant: JoinRoomBodyParticipant
    """The participant who will join."""


class ListRoomsQuery(TypedDict):
    status: NotRequired[Literal["created", "live", "finished"]]
    """Only rooms in this state. Default: all."""
    startDate: NotRequired[str]
    """Only rooms created on or after this day (UTC), or at or after this instant."""
    endDate: NotRequired[str]
    """Only rooms created up to the end of this day (UTC), or up to and including this instant."""
    startedFrom: NotRequired[str]
    """Only rooms whose class began on or after this day (UTC), or at or after this instant."""
    startedTo: NotRequired[str]
    """Only rooms whose class began up to the end of this day (UTC), or up to and including this instant."""
    title: NotRequired[str]
    """Only rooms whose title contains this text, ignoring case, accents and width of characters; 1 to 256 characters."""
    cursor: NotRequired[str]
    """`nextCursor` of the previous page, at most 256 characters. Default: the first page."""
    limit: NotRequired[int]
    """Rooms per page, 1 to 100. Default: 20."""
    bom: NotRequired[Literal["true", "false"]]
    """`true`: with `csv`, the file begins with a byte order mark, by which Excel recognizes UTF-8. Default: `false`."""


class ListRoomsData(TypedDict):
    """The result."""

    rooms: Sequence[Room]
    """The rooms, newest first."""
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class ChangeRoomBodyCustomization(TypedDict):
    showLobby: NotRequired[bool | None]
    """Begin with a lobby, where people see and hear themselves; `true` unless given. With `false` who may publish enters with camera and microphone on."""
    showVideoControls: NotRequired[bool | None]
    """Show the controls of camera, microphone, screen share and layout; `true` unless given."""
    theme: NotRequired[str | None]
    """`light`, `dark`, or `auto` for what the device has, which is also what it is unless given. Any other text is kept and treated as `auto`."""


class ChangeRoomBodySettingsChat(TypedDict):
    mode: NotRequired[Literal["ALL", "TEACHERS", "OFF"] | None]
    """`ALL`: students write to everyone. `TEACHERS`: students write to the teachers, moderators and admins; no other student gets it. `OFF`: students do not write. Teachers, moderators and admins always write to everyone."""
    slowModeSeconds: NotRequired[int | None]
    """Seconds that a student waits after a message before the next one, 0 to 3,600; 0: no wait. Teachers, moderators and admins do not wait."""


class ChangeRoomBodySettingsPermissionsTEACHER(TypedDict):
    publishAudio: NotRequired[bool | None]
    """May use the microphone. Null: as the role allows."""
    publishVideo: NotRequired[bool | None]
    """May use the camera. Null: as the role allows."""
    shareScreen: NotRequired[bool | None]
    """May share the screen. Null: as the role allows."""
    chat: NotRequired[bool | None]
    """May write in the chat, as far as its settings allow. Null: as the role allows."""
    raiseHand: NotRequired[bool | None]
    """May raise the hand. Null: as the role allows."""
    react: NotRequired[bool | None]
    """May send reactions. Null: as the role allows."""
    answerPolls: NotRequired[bool | None]
    """May vote in polls. Null: as the role allows."""
    managePolls: NotRequired[bool | None]
    """May open and close polls. Null: as the role allows."""
    draw: NotRequired[bool | None]
    """May draw on the board. Null: as the role allows."""
    manageBoard: NotRequired[bool | None]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw. Null: as the role allows."""
    manageParticipants: NotRequired[bool | None]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do. Null: as the role allows."""
    startRecording: NotRequired[bool | None]
    """May start a recording. Null: as the role allows."""
    stopRecording: NotRequired[bool | None]
    """May stop a recording. Null: as the role allows."""
    endClass: NotRequired[bool | None]
    """May end the class for everyone. Null: as the role allows."""
    changeRoom: NotRequired[bool | None]
    """May change title, description and limits. Null: as the role allows."""


class ChangeRoomBodySettingsPermissionsSTUDENT(TypedDict):
    publishAudio: NotRequired[bool | None]
    """May use the microphone. Null: as the role allows."""
    publishVideo: NotRequired[bool | None]
    """May use the camera. Null: as the role allows."""
    shareScreen: NotRequired[bool | None]
    """May share the screen. Null: as the role allows."""
    chat: NotRequired[bool | None]
    """May write in the chat, as far as its settings allow. Null: as the role allows."""
    raiseHand: NotRequired[bool | None]
    """May raise the hand. Null: as the role allows."""
    react: NotRequired[bool | None]
    """May send reactions. Null: as the role allows."""
    answerPolls: NotRequired[bool | None]
    """May vote in polls. Null: as the role allows."""
    managePolls: NotRequired[bool | None]
    """May open and close polls. Null: as the role allows."""
    draw: NotRequired[bool | None]
    """May draw on the board. Null: as the role allows."""
    manageBoard: NotRequired[bool | None]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw. Null: as the role allows."""
    manageParticipants: NotRequired[bool | None]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do. Null: as the role allows."""
    startRecording: NotRequired[bool | None]
    """May start a recording. Null: as the role allows."""
    stopRecording: NotRequired[bool | None]
    """May stop a recording. Null: as the role allows."""
    endClass: NotRequired[bool | None]
    """May end the class for everyone. Null: as the role allows."""
    changeRoom: NotRequired[bool | None]
    """May change title, description and limits. Null: as the role allows."""


class ChangeRoomBodySettingsPermissionsMODERATOR(TypedDict):
    publishAudio: NotRequired[bool | None]
    """May use the microphone. Null: as the role allows."""
    publishVideo: NotRequired[bool | None]
    """May use the camera. Null: as the role allows."""
    shareScreen: NotRequired[bool | None]
    """May share the screen. Null: as the role allows."""
    chat: NotRequired[bool | None]
    """May write in the chat, as far as its settings allow. Null: as the role allows."""
    raiseHand: NotRequired[bool | None]
    """May raise the hand. Null: as the role allows."""
    react: NotRequired[bool | None]
    """May send reactions. Null: as the role allows."""
    answerPolls: NotRequired[bool | None]
    """May vote in polls. Null: as the role allows."""
    managePolls: NotRequired[bool | None]
    """May open and close polls. Null: as the role allows."""
    draw: NotRequired[bool | None]
    """May draw on the board. Null: as the role allows."""
    manageBoard: NotRequired[bool | None]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw. Null: as the role allows."""
    manageParticipants: NotRequired[bool | None]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do. Null: as the role allows."""
    startRecording: NotRequired[bool | None]
    """May start a recording. Null: as the role allows."""
    stopRecording: NotRequired[bool | None]
    """May stop a recording. Null: as the role allows."""
    endClass: NotRequired[bool | None]
    """May end the class for everyone. Null: as the role allows."""
    changeRoom: NotRequired[bool | None]
    """May change title, description and limits. Null: as the role allows."""


class ChangeRoomBodySettingsPermissionsADMIN(TypedDict):
    publishAudio: NotRequired[bool | None]
    """May use the microphone. Null: as the role allows."""
    publishVideo: NotRequired[bool | None]
    """May use the camera. Null: as the role allows."""
    shareScreen: NotRequired[bool | None]
    """May share the screen. Null: as the role allows."""
    chat: NotRequired[bool | None]
    """May write in the chat, as far as its settings allow. Null: as the role allows."""
    raiseHand: NotRequired[bool | None]
    """May raise the hand. Null: as the role allows."""
    react: NotRequired[bool | None]
    """May send reactions. Null: as the role allows."""
    answerPolls: NotRequired[bool | None]
    """May vote in polls. Null: as the role allows."""
    managePolls: NotRequired[bool | None]
    """May open and close polls. Null: as the role allows."""
    draw: NotRequired[bool | None]
    """May draw on the board. Null: as the role allows."""
    manageBoard: NotRequired[bool | None]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw. Null: as the role allows."""
    manageParticipants: NotRequired[bool | None]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do. Null: as the role allows."""
    startRecording: NotRequired[bool | None]
    """May start a recording. Null: as the role allows."""
    stopRecording: NotRequired[bool | None]
    """May stop a recording. Null: as the role allows."""
    endClass: NotRequired[bool | None]
    """May end the class for everyone. Null: as the role allows."""
    changeRoom: NotRequired[bool | None]
    """May change title, description and limits. Null: as the role allows."""


class ChangeRoomBodySettingsPermissions(TypedDict):
    TEACHER: NotRequired[ChangeRoomBodySettingsPermissionsTEACHER | None]
    """Of teachers."""
    STUDENT: NotRequired[ChangeRoomBodySettingsPermissionsSTUDENT | None]
    """Of students."""
    MODERATOR: NotRequired[ChangeRoomBodySettingsPermissionsMODERATOR | None]
    """Of moderators."""
    ADMIN: NotRequired[ChangeRoomBodySettingsPermissionsADMIN | None]
    """Of admins."""


class ChangeRoomBodySettingsConsentRecording(TypedDict):
    ask: Literal["join", "recording"]
    """`join`: before joining. `recording`: when a recording starts, and at the join while one runs. Not asked: who may start a recording (TEACHER, ADMIN)."""
    without: Literal["refuse", "mute", "hide"]
    """What happens without consent. `refuse`: no place in class; before the answer no camera, microphone or screen. `mute`: no camera, microphone or screen. `hide`: everything, but the recording does not show or play them. With `ask: "recording"`, only while a recording runs. No recording ever contains who has not consented."""
    version: str
    """Version of the text, 1 to 50 characters. After a change everyone is asked again."""
    text: str
    """The question, plain text of 1 to 2,000 characters."""


class ChangeRoomBodySettingsConsent(TypedDict):
    recording: NotRequired[ChangeRoomBodySettingsConsentRecording | None]
    """Which consent to recordings is asked for; null: none."""
    ai: NotRequired[bool | None]
    """Whether the AI tutor and its summaries may be used."""


class ChangeRoomBodySettingsBudget(TypedDict):
    maxCredits: NotRequired[int | None]
    """Credits that the class may use, 1 to 1,000,000,000. Required if the room has no budget."""
    onReached: NotRequired[Literal["warn", "closeDoors", "endClass"] | None]
    """What happens when they are used up, in addition to the event `room.budget_reached`: `warn`: nothing. `closeDoors`: only who was in class may join. `endClass`: the class ends. A class is charged once a minute, so it may use what its participants use until then."""


class ChangeRoomBodySettingsAttendance(TypedDict):
    lateAfter: NotRequired[int | None]
    """Seconds after the start of the lesson: who comes later is `LATE`. 0 to 86,400. Default: 300."""
    leftBefore: NotRequired[int | None]
    """Seconds before the end of the lesson: who left earlier is `LEFT_EARLY`. 0 to 86,400. Default: 300."""
    minimumPresence: NotRequired[int | None]
    """Percent of the lesson: who was in class for less is `ABSENT`. 0 to 100. Default: 50."""
    reconnectGrace: NotRequired[int | None]
    """Seconds: a gap between two connections that is not longer counts as presence. 0 to 3,600. Default: 60."""


class ChangeRoomBodySettings(TypedDict):
    maxParticipants: NotRequired[int | None]
    """Maximum number of participants at the same time, 1 to 5,000."""
    emptyTimeout: NotRequired[int | None]
    """Seconds from the last leave to the end of the class, 1 to 1,800."""
    chat: NotRequired[ChangeRoomBodySettingsChat | None]
    """Who may write in the chat, and how often. Applies at once."""
    waitingRoom: NotRequired[Literal["OFF", "STUDENTS", "ALL"] | None]
    """Who waits until they are admitted. `OFF`: no participant. `STUDENTS`: students; a teacher, moderator, admin or your backend admits them. `ALL`: everyone except admins. Who waits gets nothing of the class, takes no place and costs nothing. Who is in the class stays. Tokens from before this change do not connect without admission for longer than a moment."""
    autoRecord: NotRequired[bool | None]
    """Whether a recording starts with the first published track, or at once if the class has one. A recording that runs continues."""
    duplicateJoin: NotRequired[Literal["replace", "refuse"] | None]
    """What happens when a participant who is in class joins from another device. `replace`: the new device replaces the other. `refuse`: the new one gets `ALREADY_CONNECTED` as long as the other is connected; the token then opens sessions only and does not connect to LiveKit by itself. Tokens from before a change to `refuse` still connect to LiveKit by themselves."""
    muteOnJoin: NotRequired[bool | None]
    """Whether everyone enters with the microphone off, except who manages participants. They turn it on themselves, in the lobby or in class. Applies to later joins."""
    permissions: NotRequired[ChangeRoomBodySettingsPermissions | None]
    """What each role may do, where that differs from the role. The `permissions` of a participant come before it. What is omitted stays as it is. Applies at once, also to who is in class."""
    consent: NotRequired[ChangeRoomBodySettingsConsent | None]
    """Consent to recordings, and AI. Omitted fields stay as they are. Applies at once."""
    budget: NotRequired[ChangeRoomBodySettingsBudget | None]
    """The most credits that the class may use. Omitted fields stay as they are. Null: no limit. Applies with the next charge, within a minute."""
    attendance: NotRequired[ChangeRoomBodySettingsAttendance | None]
    """The attendance policy. Omitted fields stay as they are. Null: attendance is not evaluated."""
    startsAt: NotRequired[str | None]
    """When the lesson starts. The room opens `joinBefore` seconds earlier; teachers and admins may enter at any time. `emptyTimeout` does not end the class before it. Null removes it."""
    endsAt: NotRequired[str | None]
    """When the class ends for everyone. Null removes it."""
    joinBefore: NotRequired[int | None]
    """Seconds before `startsAt` at which the room opens, 0 to 86,400."""
    maxDuration: NotRequired[int | None]
    """Seconds after which the class ends for everyone, 60 to 86,400, counted from the first join or, if that is later, from `startsAt`. Null removes it."""


class ChangeRoomBodyRosterItem(TypedDict):
    uid: str
    """Your id of the person, as in their token."""
    name: NotRequired[str | None]
    """Display name, 1 to 256 characters. Default: none."""


class ChangeRoomBody(TypedDict):
    title: NotRequired[str | None]
    """Display title, 1 to 256 characters."""
    roomDescription: NotRequired[str | None]
    """Description, at most 4,000 characters. Null removes it."""
    metadata: NotRequired[Mapping[str, Any] | None]
    """Data of your own, at most 8 KiB as JSON, which replaces the earlier data. Null removes it."""
    customization: NotRequired[ChangeRoomBodyCustomization | None]
    """How the class page looks. Omitted fields stay as they are; pages of the running class follow at once."""
    settings: NotRequired[ChangeRoomBodySettings | None]
    """Limits, permissions, recording, chat, admission and consent settings, the budget, the attendance policy and the schedule of the room."""
    roster: NotRequired[Sequence[ChangeRoomBodyRosterItem] | None]
    """The people who are expected, at most 1,000, each `uid` once. Replaces the earlier roster. Null or an empty list removes it."""


ListRoomPollsData: TypeAlias = "Sequence[PollReport]"
"""The result."""


class ListRoomChatQuery(TypedDict):
    cursor: NotRequired[str]
    """`nextCursor` of the previous page, at most 256 characters. Default: the first page."""
    limit: NotRequired[int]
    """Messages per page, 1 to 200. Default: 100."""
    format: NotRequired[Literal["report", "table"]]
    """With `csv`: `report` begins with a title and the totals, `table` with the names of the columns. Default: `report`."""
    bom: NotRequired[Literal["true", "false"]]
    """`true`: with `csv`, the file begins with a byte order mark, by which Excel recognizes UTF-8. Default: `false`."""


class ListRoomChatData(TypedDict):
    """The result."""

    messages: Sequence[ChatMessage]
    """The messages, in the order in which they were sent."""
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class GetRoomBoardQuery(TypedDict):
    format: NotRequired[Literal["json", "svg", "png", "pdf"]]
    """`pdf`: all pages, with text that can be selected. `svg` and `png`: one page as a picture; `svg` is without the slide under it and without pictures of documents. Default: `json`."""
    pageId: NotRequired[str]
    """The page of the picture, by default the first; or the only page of the PDF file, by default all."""


class ListConsentsQuery(TypedDict):
    cursor: NotRequired[str]
    """`nextCursor` of the previous page, at most 256 characters. Default: the first page."""
    limit: NotRequired[int]
    """Answers per page, 1 to 200. Default: 100."""


class ListConsentsData(TypedDict):
    """The result."""

    consents: Sequence[ConsentRecord]
    """The answers, oldest first."""
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class SetPresetBodyCustomization(TypedDict):
    showLobby: NotRequired[bool | None]
    """Begin with a lobby, where people see and hear themselves; `true` unless given. With `false` who may publish enters with camera and microphone on."""
    showVideoControls: NotRequired[bool | None]
    """Show the controls of camera, microphone, screen share and layout; `true` unless given."""
    theme: NotRequired[str | None]
    """`light`, `dark`, or `auto` for what the device has, which is also what it is unless given. Any other text is kept and treated as `auto`."""


class SetPresetBodySettingsBudget(TypedDict):
    maxCredits: int
    """Credits that the class may use, 1 to 1,000,000,000."""
    onReached: NotRequired[Literal["warn", "closeDoors", "endClass"] | None]
    """What happens when they are used up, in addition to the event `room.budget_reached`: `warn`: nothing. `closeDoors`: only who was in class may join. `endClass`: the class ends. A class is charged once a minute, so it may use what its participants use until then. Default: `warn`."""


class SetPresetBodySettingsAttendance(TypedDict):
    lateAfter: NotRequired[int | None]
    """Seconds after the start of the lesson: who comes later is `LATE`. 0 to 86,400. Default: 300."""
    leftBefore: NotRequired[int | None]
    """Seconds before the end of the lesson: who left earlier is `LEFT_EARLY`. 0 to 86,400. Default: 300."""
    minimumPresence: NotRequired[int | None]
    """Percent of the lesson: who was in class for less is `ABSENT`. 0 to 100. Default: 50."""
    reconnectGrace: NotRequired[int | None]
    """Seconds: a gap between two connections that is not longer counts as presence. 0 to 3,600. Default: 60."""


class SetPresetBodySettingsChat(TypedDict):
    mode: NotRequired[Literal["ALL", "TEACHERS", "OFF"] | None]
    """`ALL`: students write to everyone. `TEACHERS`: students write to the teachers, moderators and admins; no other student gets it. `OFF`: students do not write. Teachers, moderators and admins always write to everyone."""
    slowModeSeconds: NotRequired[int | None]
    """Seconds that a student waits after a message before the next one, 0 to 3,600; 0: no wait. Teachers, moderators and admins do not wait."""


class SetPresetBodySettingsPermissionsTEACHER(TypedDict):
    publishAudio: NotRequired[bool | None]
    """May use the microphone."""
    publishVideo: NotRequired[bool | None]
    """May use the camera."""
    shareScreen: NotRequired[bool | None]
    """May share the screen."""
    chat: NotRequired[bool | None]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool | None]
    """May raise the hand."""
    react: NotRequired[bool | None]
    """May send reactions."""
    answerPolls: NotRequired[bool | None]
    """May vote in polls."""
    managePolls: NotRequired[bool | None]
    """May open and close polls."""
    draw: NotRequired[bool | None]
    """May draw on the board."""
    manageBoard: NotRequired[bool | None]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool | None]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool | None]
    """May start a recording."""
    stopRecording: NotRequired[bool | None]
    """May stop a recording."""
    endClass: NotRequired[bool | None]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool | None]
    """May change title, description and limits."""


class SetPresetBodySettingsPermissionsSTUDENT(TypedDict):
    publishAudio: NotRequired[bool | None]
    """May use the microphone."""
    publishVideo: NotRequired[bool | None]
    """May use the camera."""
    shareScreen: NotRequired[bool | None]
    """May share the screen."""
    chat: NotRequired[bool | None]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool | None]
    """May raise the hand."""
    react: NotRequired[bool | None]
    """May send reactions."""
    answerPolls: NotRequired[bool | None]
    """May vote in polls."""
    managePolls: NotRequired[bool | None]
    """May open and close polls."""
    draw: NotRequired[bool | None]
    """May draw on the board."""
    manageBoard: NotRequired[bool | None]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool | None]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool | None]
    """May start a recording."""
    stopRecording: NotRequired[bool | None]
    """May stop a recording."""
    endClass: NotRequired[bool | None]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool | None]
    """May change title, description and limits."""


class SetPresetBodySettingsPermissionsMODERATOR(TypedDict):
    publishAudio: NotRequired[bool | None]
    """May use the microphone."""
    publishVideo: NotRequired[bool | None]
    """May use the camera."""
    shareScreen: NotRequired[bool | None]
    """May share the screen."""
    chat: NotRequired[bool | None]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool | None]
    """May raise the hand."""
    react: NotRequired[bool | None]
    """May send reactions."""
    answerPolls: NotRequired[bool | None]
    """May vote in polls."""
    managePolls: NotRequired[bool | None]
    """May open and close polls."""
    draw: NotRequired[bool | None]
    """May draw on the board."""
    manageBoard: NotRequired[bool | None]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool | None]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool | None]
    """May start a recording."""
    stopRecording: NotRequired[bool | None]
    """May stop a recording."""
    endClass: NotRequired[bool | None]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool | None]
    """May change title, description and limits."""


class SetPresetBodySettingsPermissionsADMIN(TypedDict):
    publishAudio: NotRequired[bool | None]
    """May use the microphone."""
    publishVideo: NotRequired[bool | None]
    """May use the camera."""
    shareScreen: NotRequired[bool | None]
    """May share the screen."""
    chat: NotRequired[bool | None]
    """May write in the chat, as far as its settings allow."""
    raiseHand: NotRequired[bool | None]
    """May raise the hand."""
    react: NotRequired[bool | None]
    """May send reactions."""
    answerPolls: NotRequired[bool | None]
    """May vote in polls."""
    managePolls: NotRequired[bool | None]
    """May open and close polls."""
    draw: NotRequired[bool | None]
    """May draw on the board."""
    manageBoard: NotRequired[bool | None]
    """May show the board, add, clear and delete its pages, change what others have drawn, and let others draw."""
    manageParticipants: NotRequired[bool | None]
    """May mute and remove participants, lower hands, allow students to speak, admit who waits, delete chat messages, and change roles, the chat settings and what students may do."""
    startRecording: NotRequired[bool | None]
    """May start a recording."""
    stopRecording: NotRequired[bool | None]
    """May stop a recording."""
    endClass: NotRequired[bool | None]
    """May end the class for everyone."""
    changeRoom: NotRequired[bool | None]
    """May change title, description and limits."""


class SetPresetBodySettingsPermissions(TypedDict):
    TEACHER: NotRequired[SetPresetBodySettingsPermissionsTEACHER | None]
    """Of teachers."""
    STUDENT: NotRequired[SetPresetBodySettingsPermissionsSTUDENT | None]
    """Of students."""
    MODERATOR: NotRequired[SetPresetBodySettingsPermissionsMODERATOR | None]
    """Of moderators."""
    ADMIN: NotRequired[SetPresetBodySettingsPermissionsADMIN | None]
    """Of admins."""


class SetPresetBodySettingsConsentRecording(TypedDict):
    ask: Literal["join", "recording"]
    """`join`: before joining. `recording`: when a recording starts, and at the join while one runs. Not asked: who may start a recording (TEACHER, ADMIN)."""
    without: Literal["refuse", "mute", "hide"]
    """What happens without consent. `refuse`: no place in class; before the answer no camera, microphone or screen. `mute`: no camera, microphone or screen. `hide`: everything, but the recording does not show or play them. With `ask: "recording"`, only while a recording runs. No recording ever contains who has not consented."""
    version: str
    """Version of the text, 1 to 50 characters. After a change everyone is asked again."""
    text: str
    """The question, plain text of 1 to 2,000 characters."""


class SetPresetBodySettingsConsent(TypedDict):
    recording: NotRequired[SetPresetBodySettingsConsentRecording | None]
    """Which consent to recordings is asked for; null: none."""
    ai: NotRequired[bool | None]
    """Whether the AI tutor and its summaries may be used."""


class SetPresetBodySettings(TypedDict):
    maxParticipants: NotRequired[int | None]
    """Maximum number of participants at the same time, 1 to 5,000."""
    emptyTimeout: NotRequired[int | None]
    """Seconds from the last leave to the end of the class, 1 to 1,800."""
    autoRecord: NotRequired[bool | None]
    """Whether a recording starts with the first published track."""
    budget: NotRequired[SetPresetBodySettingsBudget | None]
    """The most credits that a class may use."""
    attendance: NotRequired[SetPresetBodySettingsAttendance | None]
    """The attendance policy. Null: attendance is not evaluated."""
    waitingRoom: NotRequired[Literal["OFF", "STUDENTS", "ALL"] | None]
    """Who waits until they are admitted. `OFF`: no participant. `STUDENTS`: students; a teacher, moderator, admin or your backend admits them. `ALL`: everyone except admins. Who waits gets nothing of the class, takes no place and costs nothing."""
    duplicateJoin: NotRequired[Literal["replace", "refuse"] | None]
    """What happens when a participant who is in class joins from another device. `replace`: the new device replaces the other. `refuse`: the new one gets `ALREADY_CONNECTED` as long as the other is connected; the token then opens sessions only and does not connect to LiveKit by itself."""
    muteOnJoin: NotRequired[bool | None]
    """Whether everyone enters with the microphone off, except who manages participants. They turn it on themselves, in the lobby or in class."""
    chat: NotRequired[SetPresetBodySettingsChat | None]
    """Who may write in the chat, and how often."""
    permissions: NotRequired[SetPresetBodySettingsPermissions | None]
    """What each role may do, where that differs from the role. The `permissions` of a participant come before it."""
    consent: NotRequired[SetPresetBodySettingsConsent | None]
    """Consent to recordings, and AI."""
    joinBefore: NotRequired[int | None]
    """Seconds before `startsAt` at which the room opens, 0 to 86,400. Default: 600."""
    maxDuration: NotRequired[int | None]
    """Seconds after which the class ends for everyone, 60 to 86,400, counted from the first join or, if that is later, from `startsAt`. Default: none."""


class SetPresetBody(TypedDict):
    customization: NotRequired[SetPresetBodyCustomization | None]
    """How the classroom page looks. Unknown keys are ignored."""
    settings: NotRequired[SetPresetBodySettings | None]
    """Settings of the rooms; what is omitted has the defaults of *Create room*."""


class DeletePresetData(TypedDict):
    """The result."""

    name: str
    """Name of the deleted preset."""


class ListPresetsData(TypedDict):
    """The result."""

    presets: Sequence[Preset]
    """The presets, by name."""


class ListParticipantsQuery(TypedDict):
    connected: NotRequired[Literal["true", "false"]]
    """`true`: only connected participants. `false`: only others. Default: all."""
    cursor: NotRequired[str]
    """`nextCursor` of the previous page, at most 512 characters. Default: the first page."""
    limit: NotRequired[int]
    """Participants per page, 1 to 200. Default: 100."""


class ListParticipantsData(TypedDict):
    """The result."""

    participants: Sequence[Participant]
    """Everyone for whom a token was created."""
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class ChangeRoleBody(TypedDict):
    role: Literal["TEACHER", "STUDENT", "MODERATOR", "ADMIN"]
    """The new role."""


class MuteParticipantBody(TypedDict):
    source: NotRequired[Literal["microphone", "camera", "screen"] | None]
    """The track to mute. Default: `microphone`."""


class ListWaitingData(TypedDict):
    """The result."""

    participants: Sequence[WaitingParticipant]
    """Who waits."""


class DecideAdmissionBody(TypedDict):
    decision: Literal["ADMIT", "REFUSE"]
    """`ADMIT` lets the participant in, now or when they come. `REFUSE` does not: their page says so. It can be changed."""


class AdmitEveryoneData(TypedDict):
    """The result."""

    admitted: int
    """How many were waiting."""


class StartRecordingBodyOptions(TypedDict):
    showLogo: NotRequired[bool | None]
    """Whether the organization’s logo is shown. Default: `true`."""
    layout: NotRequired[Literal["grid", "speaker"] | None]
    """`grid`: everyone in tiles. `speaker`: who speaks is large. Default: `grid`."""
    preset: NotRequired[Literal["H264_720P_30", "H264_1080P_30"] | None]
    """`H264_1080P_30`: 1080p, 30 frames per second. `H264_720P_30`: smaller files. Default: `H264_1080P_30`."""
    audioOnly: NotRequired[bool | None]
    """Whether only sound is recorded: an MP4 file with AAC, named `.m4a`. The other options then have no effect. Default: `false`."""


class StartRecordingBody(TypedDict):
    options: NotRequired[StartRecordingBodyOptions | None]
    """How the recording looks."""


class StopRecordingBody(TypedDict):
    egressId: NotRequired[str | None]
    """The recording to stop. Default: the active one."""


ListRecordingsData: TypeAlias = "Sequence[Recording]"
"""The result."""


class HoldRecordingBody(TypedDict):
    legalHold: bool
    """`true`: the files are not deleted. `false`: they are deleted at the end of their retention, an hour from now at the earliest."""


class SetRecordingBucketBody(TypedDict):
    endpoint: str
    """Public HTTPS address of the S3 API, without a path, at most 2,048 characters."""
    region: NotRequired[str | None]
    """Region of the bucket. Default: `us-east-1`, which most storages other than AWS accept."""
    bucket: str
    """Name of the bucket."""
    prefix: NotRequired[str | None]
    """Folder for the copies, such as `classes/recordings`, at most 256 characters. Default: none."""
    accessKeyId: str
    """Id of a key that may write below the prefix (`s3:PutObject`)."""
    secretAccessKey: str
    """Secret of the key. Stored encrypted; no answer contains it."""
    forcePathStyle: NotRequired[bool | None]
    """Whether the bucket’s name is in the path of the address and not in its host name. Default: true."""


class DeleteRecordingBucketData(TypedDict):
    """The result."""

    deletedAt: str
    """When the setting was deleted."""


class GetAttendanceQuery(TypedDict):
    format: NotRequired[Literal["report", "table"]]
    """With `csv`: `report` begins with a title and the totals, `table` with the names of the columns. Default: `report`."""
    bom: NotRequired[Literal["true", "false"]]
    """`true`: with `csv`, the file begins with a byte order mark, by which Excel recognizes UTF-8. Default: `false`."""


class ListEngagementQuery(TypedDict):
    cursor: NotRequired[str]
    """`nextCursor` of the previous page, at most 256 characters. Default: the first page."""
    limit: NotRequired[int]
    """Participants per page, 1 to 200. Default: 100."""


class ListEngagementData(TypedDict):
    """The result."""

    participants: Sequence[Engagement]
    """The participants, by uid."""
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class GetParticipantSessionsBody(TypedDict):
    uid: str
    """Your id of the participant."""
    roomId: NotRequired[str | None]
    """Limits the report to one room, which changes the form of the answer. Default: all rooms, grouped."""
    startDate: NotRequired[str | None]
    """First day (UTC), as a date or a timestamp. Default: today."""
    endDate: NotRequired[str | None]
    """Last day (UTC), inclusive; requires `startDate` and is not before it. Default: `startDate`."""
    page: NotRequired[int | None]
    """Page, from 1. Default: 1."""
    limit: NotRequired[int | None]
    """Entries per page, 1 to 10: rooms, or sessions with `roomId`. Default: 10."""
    format: NotRequired[Literal["report", "table"] | None]
    """With `csv`: `report` begins with a title and the totals, `table` with the names of the columns. Default: `report`."""
    bom: NotRequired[bool | None]
    """`true`: with `csv`, the file begins with a byte order mark, by which Excel recognizes UTF-8. Default: `false`."""


GetParticipantSessionsData: TypeAlias = "SessionsByRoom | SessionsInRoom"
"""The result."""


class ListLedgerQuery(TypedDict):
    cursor: NotRequired[str]
    """`nextCursor` of the previous page, at most 512 characters. Default: the first page."""
    limit: NotRequired[str]
    """Entries per page, 1 to 100. Default: 20."""
    kind: NotRequired[Literal["OPENING", "TOP_UP", "CORRECTION", "CHARGE", "ADJUSTMENT", "AI_USAGE"]]
    """Limits the list to entries of this kind. Default: all kinds."""
    roomId: NotRequired[str]
    """Limits the list to the charges of this room. Default: all entries."""


class ListLedgerData(TypedDict):
    """The result."""

    entries: Sequence[LedgerEntry]
    """The entries, newest first."""
    pagination: Pagination
    """Where the list continues."""


ListStatementsData: TypeAlias = "Sequence[Statement]"
"""The result."""


class GetStatementPdfQuery(TypedDict):
    language: NotRequired[Literal["en", "de"]]
    """Language of the file: `en` or `de`. Default: `en`."""


class SetCreditAlertsBody(TypedDict):
    remaining: NotRequired[Sequence[int] | None]
    """`credits.threshold_reached` is sent when the prepaid balance falls below one of these, 0 to 1,000,000,000, at most 10. Default: none."""
    consumed: NotRequired[Sequence[int] | None]
    """`credits.threshold_reached` is sent when the credits of a postpaid cycle reach one of these, 1 to 1,000,000,000, at most 10. Default: none."""


class CreateDocumentBody1(TypedDict):
    title: str
    """Display title, 1 to 256 characters."""
    fileName: str
    """Name of the file that you will upload, 1 to 256 characters."""
    size: int
    """Bytes of that file: 1 to 104,857,600 (100 MiB)."""
    contentType: Literal["application/pdf", "image/png", "image/jpeg", "application/vnd.openxmlformats-officedocument.presentationml.presentation", "application/vnd.oasis.opendocument.presentation"]
    """Media type of that file: PDF, PNG, JPEG, and where the installation has LibreOffice also PPTX and ODP."""


class CreateDocumentBody2(TypedDict):
    title: str
    """Display title, 1 to 256 characters."""
    url: str
    """HTTPS address from which the file is loaded, in place of an upload. Its type is that of its content."""


CreateDocumentBody: TypeAlias = "CreateDocumentBody1 | CreateDocumentBody2"


class ListDocumentsData(TypedDict):
    """The result."""

    documents: Sequence[Document]
    """The documents, oldest first."""


class GetDocumentQuery(TypedDict):
    after: NotRequired[int]
    """Number of the last page that you have, 0 to 500. Default: 0."""


class DeleteDocumentData(TypedDict):
    """The result."""

    documentId: str
    """Id of the document."""
    deletedAt: str
    """When the document was deleted."""


class CreateVideoBody(TypedDict):
    title: str
    """Display title, 1 to 256 characters."""
    fileName: str
    """Name of the file, 1 to 256 characters."""
    size: int
    """Bytes of the file that will be uploaded: 1 to 53,687,091,200 (50 GiB)."""
    contentType: str
    """Media type of the file, such as `video/mp4`. Parameters are ignored."""
    playback: NotRequired[Literal["hls", "mp4"] | None]
    """`hls`: adaptive streaming. `mp4`: one file, unchanged if browsers can play it. Default: `hls`."""


class ListVideosQuery(TypedDict):
    cursor: NotRequired[str]
    """`nextCursor` of the previous page, at most 256 characters. Default: the first page."""
    limit: NotRequired[int]
    """Videos per page, 1 to 100. Default: 20."""


class ListVideosData(TypedDict):
    """The result."""

    videos: Sequence[Video]
    """The videos, newest first."""
    nextCursor: str | None
    """Cursor of the next page; null on the last."""
    usage: NotRequired[VideoUsage]
    """What the organization uses of its quotas. Only on the first page."""


class AddCaptionBody(TypedDict):
    language: str
    """Language of the track, a BCP 47 tag such as `en` or `pt-BR`. A track of the same language is replaced."""
    label: str
    """Name of the track in the player, 1 to 64 characters."""
    isDefault: NotRequired[bool | None]
    """Whether the player shows this track at first. Default: `false`."""
    content: str
    """The captions as WebVTT, at most 500,000 characters."""


class DeleteVideoData(TypedDict):
    """The result."""

    videoId: str
    """Id of the video."""
    deletedAt: str
    """When the video was deleted."""


class ListVoicesData(TypedDict):
    """The result."""

    voices: Sequence[Voice]
    """All voices."""


class AgentChatBody(TypedDict):
    chatId: str
    """Your id of the chat; same form as a `roomId`. The agent remembers earlier turns of the same chat."""
    participantUid: NotRequired[str | None]
    """The participant for whom you ask. The chat then belongs to this person: the person’s erasure deletes it, the person’s export contains it. Later messages may omit it; another participant is refused."""
    message: str
    """What the user says, at most 32,000 characters."""
    audio: NotRequired[str | None]
    """Base64 of at most 10 MiB and 10 minutes: WAV, MP3, M4A or AAC, Ogg (Opus, Vorbis) or WebM (Opus, Vorbis)."""
    image: NotRequired[str | None]
    """Base64 of at most 10 MiB: PNG, JPEG, WebP and GIF go to the model without their metadata (place, camera, comments), other pictures made of pixels as JPEG. SVG is refused. A model that cannot see says so in its text."""
    imageMimeType: NotRequired[str | None]
    """Media type of `image`, such as `image/png`. Required with `image`."""
    voiceName: NotRequired[str | None]
    """Voice of a spoken answer, one of `GET /v1/ai-agent/voices`. Default: the voice with `isDefault`."""
    responseType: NotRequired[Literal["text", "audio", "both"] | None]
    """Form of the answer. Default: `both`, which has the speech of the whole answer in base64: ask for `text` if you do not play it. The SDKs ask for `text`."""
    responseModality: NotRequired[Literal["text", "audio", "both"] | None]
    """The same as `responseType`, which wins if both are given."""


class AgentChatDataUsage(TypedDict):
    """What the answer used."""

    inputTokens: int
    """Tokens that the models read."""
    outputTokens: int
    """Tokens that the models wrote."""
    latencyMs: int
    """Milliseconds from the request to the end of the answer."""


class AgentChatData(TypedDict):
    message: NotRequired[str]
    """Present where the answer is less than was asked for: why there is no audio though it was wanted, or that the question was transcribed by the embedded recognizer, at low quality."""
    text: str
    """The answer."""
    audio: NotRequired[str]
    """The spoken answer: WAV in base64. Present if audio was requested and could be made."""
    dialogIndex: int
    """Index of this turn in the chat, from 0."""
    usage: AgentChatDataUsage
    """What the answer used."""


class AgentChatStreamBody(TypedDict):
    chatId: str
    """Your id of the chat; same form as a `roomId`. The agent remembers earlier turns of the same chat."""
    participantUid: NotRequired[str | None]
    """The participant for whom you ask. The chat then belongs to this person: the person’s erasure deletes it, the person’s export contains it. Later messages may omit it; another participant is refused."""
    message: str
    """What the user says, at most 32,000 characters."""
    audio: NotRequired[str | None]
    """Base64 of at most 10 MiB and 10 minutes: WAV, MP3, M4A or AAC, Ogg (Opus, Vorbis) or WebM (Opus, Vorbis)."""
    image: NotRequired[str | None]
    """Base64 of at most 10 MiB: PNG, JPEG, WebP and GIF go to the model without their metadata (place, camera, comments), other pictures made of pixels as JPEG. SVG is refused. A model that cannot see says so in its text."""
    imageMimeType: NotRequired[str | None]
    """Media type of `image`, such as `image/png`. Required with `image`."""
    voiceName: NotRequired[str | None]
    """Voice of a spoken answer, one of `GET /v1/ai-agent/voices`. Default: the voice with `isDefault`."""
    responseType: NotRequired[Literal["text", "audio", "both"] | None]
    """Form of the answer. Default: `both`, which has the speech of the whole answer in base64: ask for `text` if you do not play it. The SDKs ask for `text`."""
    responseModality: NotRequired[Literal["text", "audio", "both"] | None]
    """The same as `responseType`, which wins if both are given."""


class GetAiUsageQuery(TypedDict):
    startDate: NotRequired[str]
    """First day (UTC) or first instant. Default: no limit."""
    endDate: NotRequired[str]
    """Last day (UTC, all its hours) or last instant; not before `startDate`. Default: no limit."""


class SetRoomContextBody(TypedDict):
    topic: NotRequired[str | None]
    """Topic of the class, at most 256 characters. Null removes it."""
    notes: NotRequired[str | None]
    """Notes that the tutor may use in its answers, at most 32,000 characters. Null removes them."""


class TutorChatBody(TypedDict):
    roomId: str
    """Your id of the room."""
    studentUid: str
    """Your id of the student who asks. Each student has a dialogue of their own."""
    organizationId: NotRequired[str]
    """Id of the organization; it must be the one that makes the call."""
    text: NotRequired[str | None]
    """The question, at most 32,000 characters. Required without `audio`."""
    audio: NotRequired[str | None]
    """Base64 of at most 10 MiB and 10 minutes: WAV, MP3, M4A or AAC, Ogg (Opus, Vorbis) or WebM (Opus, Vorbis)."""
    responseModality: NotRequired[Literal["text", "audio", "both"] | None]
    """Form of the answer. Default: `text`."""


class TutorChatData(TypedDict):
    message: NotRequired[str]
    """Present where the answer is less than was asked for: why there is no audio though it was wanted, or that the question was transcribed by the embedded recognizer, at low quality."""
    text: str
    """The answer."""
    audio: NotRequired[str]
    """The spoken answer: WAV in base64. Present if audio was requested and could be made."""
    usage: TokenUsage
    """What the answer used."""
    requestModality: Literal["text", "audio", "both"]
    """Form of the question."""
    responseModality: Literal["text", "audio", "both"]
    """Form of the answer."""


class TutorChatStreamBody(TypedDict):
    roomId: str
    """Your id of the room."""
    studentUid: str
    """Your id of the student who asks. Each student has a dialogue of their own."""
    organizationId: NotRequired[str]
    """Id of the organization; it must be the one that makes the call."""
    text: NotRequired[str | None]
    """The question, at most 32,000 characters. Required without `audio`."""
    audio: NotRequired[str | None]
    """Base64 of at most 10 MiB and 10 minutes: WAV, MP3, M4A or AAC, Ogg (Opus, Vorbis) or WebM (Opus, Vorbis)."""
    responseModality: NotRequired[Literal["text", "audio", "both"] | None]
    """Form of the answer. Default: `text`."""


class TutorSummaryData(TypedDict):
    summary: str
    """What the class asked, in a few sentences."""
    topQueries: Sequence[TopQuery]
    """The most frequent questions, most frequent first."""


class TutorUsageDataUsage(TypedDict):
    """The result."""

    inputTokens: int
    """Tokens that the models read."""
    outputTokens: int
    """Tokens that the models wrote."""


class TutorUsageData(TypedDict):
    usage: TutorUsageDataUsage
    """The result."""


class GetTutorCostsQuery(TypedDict):
    cursor: NotRequired[str]
    """`nextCursor` of the previous page, at most 512 characters. Default: the first page."""
    limit: NotRequired[str]
    """Entries per page, 1 to 100. Default: 20."""


class CreateWebhookEndpointBody(TypedDict):
    url: str
    """A public HTTPS address, at most 2,048 characters."""
    eventTypes: NotRequired[Sequence[Literal["room.created", "room.started", "room.ending_soon", "room.finished", "room.budget_reached", "attendance.evaluated", "engagement.summarized", "participant.joined", "participant.left", "participant.waiting", "participant.admitted", "participant.refused", "participant.removed", "chat.message_deleted", "chat.message_reported", "board.exported", "recording.started", "recording.completed", "recording.failed", "recording.health", "recording.deleted", "recording.copied", "recording.copy_failed", "credits.low", "credits.overconsumed", "credits.threshold_reached", "video.completed", "video.failed", "document.converted", "document.failed", "webhook.endpoint_disabled"]] | None]
    """The event types to send, at most 100; empty means all. Default: all."""
    description: NotRequired[str | None]
    """A note of your own, at most 256 characters. Default: empty."""


class ListWebhookEndpointsData(TypedDict):
    """The result."""

    endpoints: Sequence[WebhookEndpoint]
    """The endpoints, oldest first."""


class UpdateWebhookEndpointBody(TypedDict):
    url: NotRequired[str | None]
    """A public HTTPS address, at most 2,048 characters."""
    eventTypes: NotRequired[Sequence[Literal["room.created", "room.started", "room.ending_soon", "room.finished", "room.budget_reached", "attendance.evaluated", "engagement.summarized", "participant.joined", "participant.left", "participant.waiting", "participant.admitted", "participant.refused", "participant.removed", "chat.message_deleted", "chat.message_reported", "board.exported", "recording.started", "recording.completed", "recording.failed", "recording.health", "recording.deleted", "recording.copied", "recording.copy_failed", "credits.low", "credits.overconsumed", "credits.threshold_reached", "video.completed", "video.failed", "document.converted", "document.failed", "webhook.endpoint_disabled"]] | None]
    """The event types to send, at most 100; empty means all."""
    description: NotRequired[str | None]
    """A note of your own, at most 256 characters."""
    isEnabled: NotRequired[bool | None]
    """`false` disables the endpoint. `true` enables it again: waiting deliveries are sent, and events of the time in between can be replayed as `missed`."""


class DeleteWebhookEndpointData(TypedDict):
    """The result."""

    endpointId: str
    """Id of the endpoint."""
    deletedAt: str
    """When the endpoint was deleted."""


class ListWebhookDeliveriesQuery(TypedDict):
    status: NotRequired[Literal["pending", "delivered", "failed"]]
    """Only deliveries with this status. Default: all."""
    cursor: NotRequired[str]
    """`nextCursor` of the previous page, at most 256 characters. Default: the first page."""
    limit: NotRequired[int]
    """Deliveries per page, 1 to 100. Default: 20."""


class ListWebhookDeliveriesData(TypedDict):
    """The result."""

    deliveries: Sequence[WebhookDelivery]
    """The deliveries, newest first."""
    nextCursor: str | None
    """Cursor of the next page; null on the last."""


class ReplayWebhooksBody(TypedDict):
    since: str
    """Events at or after this time."""
    until: NotRequired[str | None]
    """Events before this time; after `since`. Default: now."""
    types: NotRequired[Sequence[Literal["room.created", "room.started", "room.ending_soon", "room.finished", "room.budget_reached", "attendance.evaluated", "engagement.summarized", "participant.joined", "participant.left", "participant.waiting", "participant.admitted", "participant.refused", "participant.removed", "chat.message_deleted", "chat.message_reported", "board.exported", "recording.started", "recording.completed", "recording.failed", "recording.health", "recording.deleted", "recording.copied", "recording.copy_failed", "credits.low", "credits.overconsumed", "credits.threshold_reached", "video.completed", "video.failed", "document.converted", "document.failed", "webhook.endpoint_disabled"]] | None]
    """The event types to send again, at most 100; empty means all. Default: all."""
    status: NotRequired[Literal["failed", "missed"] | None]
    """`failed`: deliveries that were given up. `missed`: events that were never queued for the endpoint, because it did not exist, was disabled or did not want the type. Default: `failed`."""


class ListEventsQuery(TypedDict):
    after: NotRequired[str]
    """`nextCursor` of the previous page, or the `sequence` of the last event that you have. After the end of the history it is refused: the history was restored from a backup, so read it again. Default: 0, the earliest event that is kept."""
    types: NotRequired[str]
    """Event types, separated by commas. Default: all."""
    limit: NotRequired[int]
    """Events per page, 1 to 1,000. Default: 100."""


class ListEventsData(TypedDict):
    """The result."""

    events: Sequence[Event]
    """The events, in the order of `sequence`."""
    nextCursor: str
    """Cursor (`after`) for the next call, now or later. Always present."""
    hasMore: bool
    """Whether more events can be read now."""
    earliestSequence: int | None
    """The earliest `sequence` that is kept; null if there is none. If `after` + 1 is below it, you have missed events that expired."""
    lastSequence: int
    """The `sequence` of the newest event, whatever `after` and `types` select; 0 before the first event."""


class StreamEventsQuery(TypedDict):
    after: NotRequired[str]
    """The `sequence` of the last event that you have. The header `Last-Event-ID` overrides it. Default: now, the end of the history."""
    types: NotRequired[str]
    """Event types, separated by commas. Default: all."""


class CreateCredentialBody(TypedDict):
    expiresAt: NotRequired[str | None]
    """When the credential expires. Default: never."""


class ListCredentialsData(TypedDict):
    """The result."""

    credentials: Sequence[Credential]
    """The credentials, oldest first."""


class CreateApiKeyBody(TypedDict):
    name: str
    """Name of the key, 1 to 128 characters, to tell your keys apart."""
    scopes: Sequence[Literal["rooms:read", "rooms:write", "chat:read", "reports:read", "recordings:read", "recordings:write", "recordings:manage", "videos:read", "videos:write", "billing:read", "billing:manage", "ai:use", "events:read", "webhooks:manage", "keys:manage", "dashboard:issue", "privacy:manage", "audit:read"]]
    """The only permissions of the key, 1 to 50; at most those of the caller."""
    expiresAt: NotRequired[str | None]
    """When the key expires. Default: never, or after the longest lifetime that the operators allow. A later time is refused."""


class ListApiKeysData(TypedDict):
    """The result."""

    apiKeys: Sequence[ApiKey]
    """The keys, oldest first."""


class RotateApiKeyBody(TypedDict):
    graceSeconds: NotRequired[int | None]
    """Seconds for which the earlier secrets stay valid, 0 to 2,592,000 (30 days); 0 revokes them immediately. Default: 86,400 (a day)."""


class RevokeApiKeyQuery(TypedDict):
    keepCreated: NotRequired[Literal["true", "false"]]
    """`true` keeps the keys that this key created. Default: they are revoked, too, because a stolen key can create others."""


class IssueDashboardTokenBody(TypedDict):
    subject: str
    """The user of the token, by the organization’s own name for them, 1 to 128 characters."""
    role: Literal["OWNER", "MEMBER"]
    """Both roles read classes and costs. `OWNER` also changes branding and retention, and manages webhooks and API keys; with a token that an API key issued, within the rights of that key."""
    ttlSeconds: NotRequired[int | None]
    """Lifetime in seconds, 60 to 43,200 (12 hours). Default: 3,600."""


class IssueDashboardTokenData(TypedDict):
    """The result."""

    token: str
    """The token, a JWT for `Authorization: Bearer`."""
    expiresAt: str
    """When the token expires."""
    sessionId: str
    """Id of the session that the token opens, with which it can be ended. It is no secret."""
    code: str | None
    """Signs the person in once, within a minute, by a link to `/console#code=…`. Prefer it to the token, which works in every link until it expires. Null while codes cannot be stored."""


ListAuditQuery = TypedDict(
    "ListAuditQuery",
    {
        "cursor": "NotRequired[str]",
        "limit": "NotRequired[str]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
        "operation": "NotRequired[str]",
        "actor": "NotRequired[str]",
    },
)


class ListAuditData(TypedDict):
    """The result."""

    entries: Sequence[AuditEntry]
    """The entries, newest first."""
    pagination: Pagination
    """Where the list continues."""


class GetHealthData(TypedDict):
    """The health of the service."""

    status: Literal["healthy", "degraded", "unhealthy"]
    """`healthy`: everything works. `degraded`: a feature is down, classes work. `unhealthy`: a part that every class needs is down."""
    healthy: bool
    """Whether `status` is `healthy`."""
    timestamp: str
    """Time of the check, ISO 8601 in UTC."""
    version: NotRequired[str]
    """Version of the API; absent if it is not known."""


class CreateErasureBody1(TypedDict):
    uid: str
    """A participant, in all classes of the organization, also on the rosters of classes to come."""


class CreateErasureBody2(TypedDict):
    roomId: str
    """A class, with everyone in it. If it has not begun, it is cancelled."""


class CreateErasureBody3(TypedDict):
    organization: Literal[True]
    """The whole organization, with `VF-ORG-ID` and not with an API key. It is closed at once: it can only read. At `beginsAt`, 72 hours later by default, its classes end and everything is erased. Until then, you can cancel that."""


CreateErasureBody: TypeAlias = "CreateErasureBody1 | CreateErasureBody2 | CreateErasureBody3"


class CreateExportBody1(TypedDict):
    uid: str
    """A participant, in all classes of the organization."""


class CreateExportBody2(TypedDict):
    roomId: str
    """A class, with everyone in it."""


class CreateExportBody3(TypedDict):
    organization: Literal[True]
    """Everything of the organization."""


CreateExportBody: TypeAlias = "CreateExportBody1 | CreateExportBody2 | CreateExportBody3"


class OpenDashboardSessionBody(TypedDict):
    code: str
    """The code, `vdc_` and 32 characters."""


class OpenDashboardSessionData(TypedDict):
    """The result."""

    token: str
    """The token, a JWT for `Authorization: Bearer`."""
    expiresAt: str
    """When the token expires."""
    sessionId: str
    """Id of the session that the token opens, with which it can be ended. It is no secret."""


class CreateOrganizationBodyBilling1(TypedDict):
    type: Literal["PREPAID"]
    """The organization buys credits in advance."""
    credits: NotRequired[int | None]
    """Opening balance in credits, 0 to 1,000,000,000. Default: 0."""
    creditRate: float | str
    """Price of one credit in `currency`: up to 12 digits and 6 decimals, as a number or as text."""
    currency: str
    """ISO 4217 code, such as `USD`."""


class CreateOrganizationBodyBilling2(TypedDict):
    type: Literal["POSTPAID"]
    """The organization pays for what it used, cycle by cycle."""
    billingFrequency: Literal["WEEKLY", "MONTHLY"]
    """Length of a cycle."""
    cycleStartDate: NotRequired[str | None]
    """Start of the first cycle. Default: now."""
    creditRate: float | str
    """Price of one credit in `currency`: up to 12 digits and 6 decimals, as a number or as text."""
    currency: str
    """ISO 4217 code, such as `USD`."""


class CreateOrganizationBodyBranding(TypedDict):
    logoUrl: NotRequired[str | None]
    """Address of the logo (http or https), at most 2,048 characters. Shown if it is a PNG, JPEG, GIF or WebP of at most 1 MiB. Null removes it."""
    primaryColor: NotRequired[str | None]
    """Main color, such as `#1a73e8`. Null removes it."""
    accentColor: NotRequired[str | None]
    """Second color, such as `#f9a825`. Null removes it."""


class CreateOrganizationBodyRetention(TypedDict):
    presence: NotRequired[int | None]
    """Whole days for which these are kept: who was in which class when: uid, name, role, permissions and picture address of a participant, and the times of each connection; the roster of a class: uid and name. 90 to 3,650. Null: the default, 1,095."""
    addresses: NotRequired[int | None]
    """Whole days for which these are kept: IP addresses of participants. 1 to 365. Null: the default, 30."""
    chat: NotRequired[int | None]
    """Whole days for which these are kept: chat messages and reactions of a class. 1 to 1,095. Null: the default, 365."""
    polls: NotRequired[int | None]
    """Whole days for which these are kept: polls of a class and who voted for what. 1 to 1,095. Null: the default, 365."""
    board: NotRequired[int | None]
    """Whole days for which these are kept: the board of a class: what was drawn and written on it, and by whom. 1 to 1,095. Null: the default, 365."""
    engagement: NotRequired[int | None]
    """Whole days for which these are kept: how long a participant spoke and showed the camera, how often they raised a hand or reacted, and the quality of the connection in each minute. 1 to 365. Null: the default, 30."""
    aiDialogues: NotRequired[int | None]
    """Whole days for which these are kept: questions to the AI agent and the AI tutor, their answers, teachers’ written answers with their names, and summaries of them; the uid of who asked, of the agent only where the backend names it. 1 to 1,095. Null: the default, 365."""
    recordings: NotRequired[int | None]
    """Whole hours for which these are kept: recordings of classes: faces, voices, screens and the board. 6 to 8,760. Null: the default, 6."""


class CreateOrganizationBodyConsentRecording(TypedDict):
    ask: Literal["join", "recording"]
    """`join`: before joining. `recording`: when a recording starts, and at the join while one runs. Not asked: who may start a recording (TEACHER, ADMIN)."""
    without: Literal["refuse", "mute", "hide"]
    """What happens without consent. `refuse`: no place in class; before the answer no camera, microphone or screen. `mute`: no camera, microphone or screen. `hide`: everything, but the recording does not show or play them. With `ask: "recording"`, only while a recording runs. No recording ever contains who has not consented."""
    version: str
    """Version of the text, 1 to 50 characters. After a change everyone is asked again."""
    text: str
    """The question, plain text of 1 to 2,000 characters."""


class CreateOrganizationBodyConsent(TypedDict):
    recording: NotRequired[CreateOrganizationBodyConsentRecording | None]
    """Which consent to recordings is asked for; null: none."""
    ai: NotRequired[bool | None]
    """Whether the AI tutor and its summaries may be used."""


class CreateOrganizationBodyAttendance(TypedDict):
    lateAfter: NotRequired[int | None]
    """Seconds after the start of the lesson: who comes later is `LATE`. 0 to 86,400. Default: 300."""
    leftBefore: NotRequired[int | None]
    """Seconds before the end of the lesson: who left earlier is `LEFT_EARLY`. 0 to 86,400. Default: 300."""
    minimumPresence: NotRequired[int | None]
    """Percent of the lesson: who was in class for less is `ABSENT`. 0 to 100. Default: 50."""
    reconnectGrace: NotRequired[int | None]
    """Seconds: a gap between two connections that is not longer counts as presence. 0 to 3,600. Default: 60."""


class CreateOrganizationBodyQuotas(TypedDict):
    videoGib: NotRequired[int | None]
    """GiB that the organization’s videos and documents may occupy: uploads with the size that they declare, from their creation on, and the files that are made of them. 0 to 1,000,000. Null: the value of the installation."""
    videoMinutes: NotRequired[int | None]
    """Minutes of videos that may be transcoded in a calendar month (UTC); each video counts once, with its length. 0 to 100,000,000. Null: the value of the installation."""


class CreateOrganizationBody(TypedDict):
    organizationId: NotRequired[str | None]
    """The first value for `VF-ORG-ID`, 1 to 64 of `A-Z a-z 0-9 _ -`, in production at least 24. Default: a random one, which you should prefer: it is a secret."""
    name: str
    """Display name, 1 to 256 characters."""
    billing: NotRequired[CreateOrganizationBodyBilling1 | CreateOrganizationBodyBilling2 | None]
    """The billing plan. Without one, calls that need it answer 422."""
    verifiedDomains: NotRequired[Sequence[str] | None]
    """Hosts whose pages may embed the class, at most 100: `school.example`, `*.school.example`, `localhost:3000`. You vouch for them; *Add domain* has their owner prove them by DNS. Default: none."""
    branding: NotRequired[CreateOrganizationBodyBranding | None]
    """Logo and colors of the class page. Default: none."""
    retention: NotRequired[CreateOrganizationBodyRetention | None]
    """How long personal data is kept. Default: the default of each class."""
    consent: NotRequired[CreateOrganizationBodyConsent | None]
    """Consent to recordings, and AI, in new rooms. Default: no consent is asked for; AI may be used."""
    attendance: NotRequired[CreateOrganizationBodyAttendance | None]
    """The attendance policy of new rooms. Default: none."""
    quotas: NotRequired[CreateOrganizationBodyQuotas | None]
    """What the organization may store and have transcoded. Default: the values of the installation."""


class ListOrganizationsQuery(TypedDict):
    cursor: NotRequired[str]
    """`nextCursor` of the previous page, at most 512 characters. Default: the first page."""
    limit: NotRequired[str]
    """Entries per page, 1 to 100. Default: 20."""


class ListOrganizationsData(TypedDict):
    """The result."""

    organizations: Sequence[Organization]
    """The organizations, newest first."""
    pagination: Pagination
    """Where the list continues."""


class UpdateOrganizationBodyBilling1(TypedDict):
    type: Literal["PREPAID"]
    """The organization buys credits in advance."""
    credits: NotRequired[int | None]
    """Opening balance in credits, 0 to 1,000,000,000. Default: 0."""
    creditRate: float | str
    """Price of one credit in `currency`: up to 12 digits and 6 decimals, as a number or as text."""
    currency: str
    """ISO 4217 code, such as `USD`."""


class UpdateOrganizationBodyBilling2(TypedDict):
    type: Literal["POSTPAID"]
    """The organization pays for what it used, cycle by cycle."""
    billingFrequency: Literal["WEEKLY", "MONTHLY"]
    """Length of a cycle."""
    cycleStartDate: NotRequired[str | None]
    """Start of the first cycle. Default: now."""
    creditRate: float | str
    """Price of one credit in `currency`: up to 12 digits and 6 decimals, as a number or as text."""
    currency: str
    """ISO 4217 code, such as `USD`."""


class UpdateOrganizationBodyBranding(TypedDict):
    logoUrl: NotRequired[str | None]
    """Address of the logo (http or https), at most 2,048 characters. Shown if it is a PNG, JPEG, GIF or WebP of at most 1 MiB. It replaces an uploaded logo. Null removes the logo. `upload:…`, as answers name an uploaded logo, changes nothing."""
    primaryColor: NotRequired[str | None]
    """Main color, such as `#1a73e8`. Null removes it."""
    accentColor: NotRequired[str | None]
    """Second color, such as `#f9a825`. Null removes it."""


class UpdateOrganizationBodyRetention(TypedDict):
    presence: NotRequired[int | None]
    """Whole days for which these are kept: who was in which class when: uid, name, role, permissions and picture address of a participant, and the times of each connection; the roster of a class: uid and name. 90 to 3,650. Null: the default, 1,095."""
    addresses: NotRequired[int | None]
    """Whole days for which these are kept: IP addresses of participants. 1 to 365. Null: the default, 30."""
    chat: NotRequired[int | None]
    """Whole days for which these are kept: chat messages and reactions of a class. 1 to 1,095. Null: the default, 365."""
    polls: NotRequired[int | None]
    """Whole days for which these are kept: polls of a class and who voted for what. 1 to 1,095. Null: the default, 365."""
    board: NotRequired[int | None]
    """Whole days for which these are kept: the board of a class: what was drawn and written on it, and by whom. 1 to 1,095. Null: the default, 365."""
    engagement: NotRequired[int | None]
    """Whole days for which these are kept: how long a participant spoke and showed the camera, how often they raised a hand or reacted, and the quality of the connection in each minute. 1 to 365. Null: the default, 30."""
    aiDialogues: NotRequired[int | None]
    """Whole days for which these are kept: questions to the AI agent and the AI tutor, their answers, teachers’ written answers with their names, and summaries of them; the uid of who asked, of the agent only where the backend names it. 1 to 1,095. Null: the default, 365."""
    recordings: NotRequired[int | None]
    """Whole hours for which these are kept: recordings of classes: faces, voices, screens and the board. 6 to 8,760. Null: the default, 6."""


class UpdateOrganizationBodyConsentRecording(TypedDict):
    ask: Literal["join", "recording"]
    """`join`: before joining. `recording`: when a recording starts, and at the join while one runs. Not asked: who may start a recording (TEACHER, ADMIN)."""
    without: Literal["refuse", "mute", "hide"]
    """What happens without consent. `refuse`: no place in class; before the answer no camera, microphone or screen. `mute`: no camera, microphone or screen. `hide`: everything, but the recording does not show or play them. With `ask: "recording"`, only while a recording runs. No recording ever contains who has not consented."""
    version: str
    """Version of the text, 1 to 50 characters. After a change everyone is asked again."""
    text: str
    """The question, plain text of 1 to 2,000 characters."""


class UpdateOrganizationBodyConsent(TypedDict):
    recording: NotRequired[UpdateOrganizationBodyConsentRecording | None]
    """Which consent to recordings is asked for; null: none."""
    ai: NotRequired[bool | None]
    """Whether the AI tutor and its summaries may be used."""


class UpdateOrganizationBodyAttendance(TypedDict):
    lateAfter: NotRequired[int | None]
    """Seconds after the start of the lesson: who comes later is `LATE`. 0 to 86,400. Default: 300."""
    leftBefore: NotRequired[int | None]
    """Seconds before the end of the lesson: who left earlier is `LEFT_EARLY`. 0 to 86,400. Default: 300."""
    minimumPresence: NotRequired[int | None]
    """Percent of the lesson: who was in class for less is `ABSENT`. 0 to 100. Default: 50."""
    reconnectGrace: NotRequired[int | None]
    """Seconds: a gap between two connections that is not longer counts as presence. 0 to 3,600. Default: 60."""


class UpdateOrganizationBodyQuotas(TypedDict):
    videoGib: NotRequired[int | None]
    """GiB that the organization’s videos and documents may occupy: uploads with the size that they declare, from their creation on, and the files that are made of them. 0 to 1,000,000. Null: the value of the installation."""
    videoMinutes: NotRequired[int | None]
    """Minutes of videos that may be transcoded in a calendar month (UTC); each video counts once, with its length. 0 to 100,000,000. Null: the value of the installation."""


class UpdateOrganizationBody(TypedDict):
    name: NotRequired[str | None]
    """Display name, 1 to 256 characters."""
    billing: NotRequired[UpdateOrganizationBodyBilling1 | UpdateOrganizationBodyBilling2 | None]
    """The billing plan. Its type cannot change while a room is live."""
    verifiedDomains: NotRequired[Sequence[str] | None]
    """Hosts whose pages may embed the class, at most 100. Replaces the list. You vouch for them; *Add domain* has their owner prove them by DNS."""
    branding: NotRequired[UpdateOrganizationBodyBranding | None]
    """Logo and colors. Omitted ones stay as they are."""
    retention: NotRequired[UpdateOrganizationBodyRetention | None]
    """How long personal data is kept. Omitted classes stay as they are. Data that is older is erased within about an hour."""
    consent: NotRequired[UpdateOrganizationBodyConsent | None]
    """Consent to recordings, and AI, in rooms that are created from now on. Omitted fields stay as they are."""
    attendance: NotRequired[UpdateOrganizationBodyAttendance | None]
    """The attendance policy of rooms that are created from now on. Omitted fields stay as they are. Null removes it."""
    quotas: NotRequired[UpdateOrganizationBodyQuotas | None]
    """What the organization may store and have transcoded. Omitted fields stay as they are."""


class SetLogoForOrganizationBody(TypedDict):
    logo: str
    """Base64 of at most 1 MiB: a PNG, JPEG or WebP of at most 4,096 × 4,096 pixels that is not animated. It is kept without its metadata (place, camera, comments). SVG is refused."""


class SetLogoForOrganizationData(TypedDict):
    """The result."""

    logoUrl: str | None
    """Address of the logo, `upload:…` if it was uploaded; null if there is none."""
    primaryColor: str | None
    """Main color, such as `#1a73e8`; null if none is set."""
    accentColor: str | None
    """Second color, such as `#f9a825`; null if none is set."""
    servedLogoUrl: str | None
    """Address at which we serve the logo; null if there is none."""


class DeleteLogoForOrganizationData(TypedDict):
    """The result."""

    logoUrl: str | None
    """Address of the logo, `upload:…` if it was uploaded; null if there is none."""
    primaryColor: str | None
    """Main color, such as `#1a73e8`; null if none is set."""
    accentColor: str | None
    """Second color, such as `#f9a825`; null if none is set."""
    servedLogoUrl: str | None
    """Address at which we serve the logo; null if there is none."""


class SetJoinHookBody(TypedDict):
    url: str
    """A public HTTPS address, at most 2,048 characters."""
    timeoutMs: NotRequired[int | None]
    """Milliseconds that the answer may take, 100 to 3,000. Default: 1,500."""
    fallback: NotRequired[Literal["allow", "refuse"] | None]
    """What holds if there is no answer in time, or none that can be understood. `allow`: the participant joins. `refuse`: they do not. Default: `allow`."""


class DeleteJoinHookData(TypedDict):
    """The result."""

    organizationId: str
    """Id of the organization."""


class AddDomainBody(TypedDict):
    domain: str
    """A host: `school.example`, `*.school.example` for all hosts below it, `school.example:8443`."""
    verification: NotRequired[Literal["dns", "manual"] | None]
    """`manual`: the domain is verified at once, because you know whose it is, for example in a closed network. Default: `dns`."""


class ListDomainsForOrganizationData(TypedDict):
    """The result."""

    domains: Sequence[Domain]
    """The domains, by name."""


class RemoveDomainData(TypedDict):
    """The result."""

    domain: str
    """The domain."""


class PostCreditsBody(TypedDict):
    amount: int
    """Credits to add, or to take if negative: -1,000,000,000 to 1,000,000,000, not 0."""
    reference: str
    """Your reference, such as an invoice number, 1 to 128 characters. A repeated reference counts once."""
    note: NotRequired[str | None]
    """A note for the ledger, at most 1,000 characters."""


class ListLedgerForOrganizationQuery(TypedDict):
    cursor: NotRequired[str]
    """`nextCursor` of the previous page, at most 512 characters. Default: the first page."""
    limit: NotRequired[str]
    """Entries per page, 1 to 100. Default: 20."""
    kind: NotRequired[Literal["OPENING", "TOP_UP", "CORRECTION", "CHARGE", "ADJUSTMENT", "AI_USAGE"]]
    """Limits the list to entries of this kind. Default: all kinds."""
    roomId: NotRequired[str]
    """Limits the list to the charges of this room. Default: all entries."""


class ListLedgerForOrganizationData(TypedDict):
    """The result."""

    entries: Sequence[LedgerEntry]
    """The entries, newest first."""
    pagination: Pagination
    """Where the list continues."""


ListStatementsForOrganizationData: TypeAlias = "Sequence[Statement]"
"""The result."""


class GetStatementPdfForOrganizationQuery(TypedDict):
    language: NotRequired[Literal["en", "de"]]
    """Language of the file: `en` or `de`. Default: `en`."""


class CreateCredentialForOrganizationBody(TypedDict):
    expiresAt: NotRequired[str | None]
    """When the credential expires. Default: never."""
    value: NotRequired[str | None]
    """The value, 1 to 64 of `A-Z a-z 0-9 _ -`, in production at least 24. Default: a random one, which you should prefer: it is a secret."""


class ListCredentialsForOrganizationData(TypedDict):
    """The result."""

    credentials: Sequence[Credential]
    """The credentials, oldest first."""


class CreateApiKeyForOrganizationBody(TypedDict):
    name: str
    """Name of the key, 1 to 128 characters, to tell your keys apart."""
    scopes: Sequence[Literal["rooms:read", "rooms:write", "chat:read", "reports:read", "recordings:read", "recordings:write", "recordings:manage", "videos:read", "videos:write", "billing:read", "billing:manage", "ai:use", "events:read", "webhooks:manage", "keys:manage", "dashboard:issue", "privacy:manage", "audit:read"]]
    """The only permissions of the key, 1 to 50; at most those of the caller."""
    expiresAt: NotRequired[str | None]
    """When the key expires. Default: never, or after the longest lifetime that the operators allow. A later time is refused."""


class ListApiKeysForOrganizationData(TypedDict):
    """The result."""

    apiKeys: Sequence[ApiKey]
    """The keys, oldest first."""


class RevokeApiKeyForOrganizationQuery(TypedDict):
    keepCreated: NotRequired[Literal["true", "false"]]
    """`true` keeps the keys that this key created. Default: they are revoked, too, because a stolen key can create others."""


class IssueDashboardTokenForOrganizationBody(TypedDict):
    subject: str
    """The user of the token, by the organization’s own name for them, 1 to 128 characters."""
    role: Literal["OWNER", "MEMBER"]
    """Both roles read classes and costs. `OWNER` also changes branding and retention, and manages webhooks and API keys; with a token that an API key issued, within the rights of that key."""
    ttlSeconds: NotRequired[int | None]
    """Lifetime in seconds, 60 to 43,200 (12 hours). Default: 3,600."""


class IssueDashboardTokenForOrganizationData(TypedDict):
    """The result."""

    token: str
    """The token, a JWT for `Authorization: Bearer`."""
    expiresAt: str
    """When the token expires."""
    sessionId: str
    """Id of the session that the token opens, with which it can be ended. It is no secret."""
    code: str | None
    """Signs the person in once, within a minute, by a link to `/console#code=…`. Prefer it to the token, which works in every link until it expires. Null while codes cannot be stored."""


class UpdateAiSettingsBodyChat(TypedDict):
    provider: Literal["openai-compatible", "google", "anthropic", "offline"]
    """The provider’s protocol."""
    model: str
    """Name of the model at the provider, 1 to 128 characters."""
    baseUrl: NotRequired[str | None]
    """Address of the provider, at most 2,048 characters. Required for `openai-compatible`."""
    apiKey: NotRequired[str | None]
    """Key for the provider, at most 1,024 characters. Stored encrypted; no answer contains it."""
    vision: NotRequired[bool | None]
    """Of a chat model: whether it sees pictures (default true). With `false` they are not sent to it, and its answers say so."""


class UpdateAiSettingsBodyChatFallback(TypedDict):
    provider: Literal["openai-compatible", "google", "anthropic", "offline"]
    """The provider’s protocol."""
    model: str
    """Name of the model at the provider, 1 to 128 characters."""
    baseUrl: NotRequired[str | None]
    """Address of the provider, at most 2,048 characters. Required for `openai-compatible`."""
    apiKey: NotRequired[str | None]
    """Key for the provider, at most 1,024 characters. Stored encrypted; no answer contains it."""
    vision: NotRequired[bool | None]
    """Of a chat model: whether it sees pictures (default true). With `false` they are not sent to it, and its answers say so."""


class UpdateAiSettingsBodySpeechToText(TypedDict):
    provider: Literal["openai-compatible", "google", "offline"]
    """The provider’s protocol."""
    model: str
    """Name of the model at the provider, 1 to 128 characters."""
    baseUrl: NotRequired[str | None]
    """Address of the provider, at most 2,048 characters. Required for `openai-compatible`."""
    apiKey: NotRequired[str | None]
    """Key for the provider, at most 1,024 characters. Stored encrypted; no answer contains it."""
    vision: NotRequired[bool | None]
    """Of a chat model: whether it sees pictures (default true). With `false` they are not sent to it, and its answers say so."""


class UpdateAiSettingsBodyTextToSpeech(TypedDict):
    provider: Literal["openai-compatible", "offline"]
    """The provider’s protocol."""
    model: str
    """Name of the model at the provider, 1 to 128 characters."""
    baseUrl: NotRequired[str | None]
    """Address of the provider, at most 2,048 characters. Required for `openai-compatible`."""
    apiKey: NotRequired[str | None]
    """Key for the provider, at most 1,024 characters. Stored encrypted; no answer contains it."""
    vision: NotRequired[bool | None]
    """Of a chat model: whether it sees pictures (default true). With `false` they are not sent to it, and its answers say so."""


class UpdateAiSettingsBodyEmbedding(TypedDict):
    provider: Literal["openai-compatible", "google", "offline"]
    """The provider’s protocol."""
    model: str
    """Name of the model at the provider, 1 to 128 characters."""
    baseUrl: NotRequired[str | None]
    """Address of the provider, at most 2,048 characters. Required for `openai-compatible`."""
    apiKey: NotRequired[str | None]
    """Key for the provider, at most 1,024 characters. Stored encrypted; no answer contains it."""
    vision: NotRequired[bool | None]
    """Of a chat model: whether it sees pictures (default true). With `false` they are not sent to it, and its answers say so."""


class UpdateAiSettingsBodyPricesItem(TypedDict):
    model: str
    """Name of the model, 1 to 128 characters."""
    perMillionInputTokens: NotRequired[float | str | None]
    """Price of a million tokens read: up to 9 digits and 9 decimals. Default: 0."""
    perMillionOutputTokens: NotRequired[float | str | None]
    """Price of a million tokens written: up to 9 digits and 9 decimals. Default: 0."""
    perMinuteOfAudio: NotRequired[float | str | None]
    """Price of a minute of audio to a speech-to-text model: up to 9 digits and 9 decimals. Default: 0."""
    perMillionCharacters: NotRequired[float | str | None]
    """Price of a million characters to a text-to-speech model: up to 9 digits and 9 decimals. Default: 0."""


class UpdateAiSettingsBodyCredits(TypedDict):
    perMillionInputTokens: NotRequired[float | str | None]
    """Credits for a million tokens read: up to 9 digits and 9 decimals. Default: 0."""
    perMillionOutputTokens: NotRequired[float | str | None]
    """Credits for a million tokens written: up to 9 digits and 9 decimals. Default: 0."""


class UpdateAiSettingsBody(TypedDict):
    chat: NotRequired[UpdateAiSettingsBodyChat | None]
    """Model that answers. Null: the installation’s model."""
    chatFallback: NotRequired[UpdateAiSettingsBodyChatFallback | None]
    """Model that answers while the first one does not. Null: the installation’s model."""
    speechToText: NotRequired[UpdateAiSettingsBodySpeechToText | None]
    """Model that transcribes questions. Null: the installation’s model."""
    textToSpeech: NotRequired[UpdateAiSettingsBodyTextToSpeech | None]
    """Model that speaks answers. Null: the installation’s model."""
    embedding: NotRequired[UpdateAiSettingsBodyEmbedding | None]
    """Model that finds equal questions. Null: the installation’s model."""
    prices: NotRequired[Sequence[UpdateAiSettingsBodyPricesItem] | None]
    """Prices of the organization’s own models, at most 100. Null: the installation’s prices."""
    credits: NotRequired[UpdateAiSettingsBodyCredits | None]
    """What AI costs the organization in credits. Null: nothing."""


ListAuditOfAllQuery = TypedDict(
    "ListAuditOfAllQuery",
    {
        "cursor": "NotRequired[str]",
        "limit": "NotRequired[str]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
        "operation": "NotRequired[str]",
        "actor": "NotRequired[str]",
        "organizationId": "NotRequired[str]",
        "ofOperators": "NotRequired[Literal[\"true\", \"false\"]]",
    },
)


class ListAuditOfAllData(TypedDict):
    """The result."""

    entries: Sequence[OperatorsAuditEntry]
    """The entries, newest first."""
    pagination: Pagination
    """Where the list continues."""


class ListDeadLettersQuery(TypedDict):
    cursor: NotRequired[str]
    """`nextCursor` of the previous page, at most 512 characters. Default: the first page."""
    limit: NotRequired[str]
    """Entries per page, 1 to 100. Default: 20."""


class ListDeadLettersData(TypedDict):
    """The result."""

    deadLetters: Sequence[DeadLetter]
    """The dead letters, newest first."""
    pagination: Pagination
    """Where the list continues."""


class RoomCreatedEventData(TypedDict):
    """A room was created."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    title: str
    """Title of the room."""
    createdAt: str
    """When the room was created."""


class RoomCreatedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["room.created"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: RoomCreatedEventData
    """A room was created."""


class RoomStartedEventData(TypedDict):
    """The first participant joined."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    title: str
    """Title of the room."""
    startedAt: str
    """When the first participant joined."""


class RoomStartedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["room.started"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: RoomStartedEventData
    """The first participant joined."""


class RoomEndingSoonEventData(TypedDict):
    """The class ends in ten minutes by its schedule, or sooner if that was set later. Once for each end."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    title: str
    """Title of the room."""
    endsAt: str
    """When the class ends by its schedule."""


class RoomEndingSoonEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["room.ending_soon"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: RoomEndingSoonEventData
    """The class ends in ten minutes by its schedule, or sooner if that was set later. Once for each end."""


class RoomFinishedEventData(TypedDict):
    """The class ended. Its totals are final, apart from late corrections."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    title: str
    """Title of the room."""
    startedAt: str | None
    """When the first participant joined; null if none ever did."""
    endedAt: str
    """When the class ended."""
    reason: str
    """Why: `deleted` by your backend, `class_ended` by a participant, `empty` for `emptyTimeout`, `schedule` for `endsAt` or `maxDuration`, `unused`: no participant came, `budget`: the credits of its budget were used up. More may be added."""
    totalSeconds: int
    """Seconds of all participants together."""


class RoomFinishedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["room.finished"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: RoomFinishedEventData
    """The class ended. Its totals are final, apart from late corrections."""


class RoomBudgetReachedEventData(TypedDict):
    """A class has used 50, 80 or 100 percent of its budget. Each is sent once, and again if the class reaches it again after the budget was raised."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    percent: int
    """The share of the budget that was reached: 50, 80 or 100."""
    credits: int
    """Credits that the class has been charged."""
    maxCredits: int
    """Credits that the class may use, 1 to 1,000,000,000."""
    onReached: Literal["warn", "closeDoors", "endClass"]
    """What happens at 100 percent: `warn`, `closeDoors` or `endClass`."""


class RoomBudgetReachedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["room.budget_reached"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: RoomBudgetReachedEventData
    """A class has used 50, 80 or 100 percent of its budget. Each is sent once, and again if the class reaches it again after the budget was raised."""


class AttendanceEvaluatedEventDataCounts(TypedDict):
    """The numbers of people: of those on the roster or, without one, of everyone who joined."""

    present: int
    """Those with `PRESENT`."""
    late: int
    """Those with `LATE`."""
    leftEarly: int
    """Those with `LEFT_EARLY`."""
    absent: int
    """Those with `ABSENT`."""


class AttendanceEvaluatedEventDataPeopleItem(TypedDict):
    uid: str
    """Your id of the participant."""
    role: str | None
    """Role of the participant in the room; null if they never joined."""
    status: Literal["PRESENT", "LATE", "LEFT_EARLY", "ABSENT"]
    """`ABSENT`: never in the lesson, or for less than `minimumPresence` of it. Otherwise `LATE`, otherwise `LEFT_EARLY`, otherwise `PRESENT`. More may be added."""
    secondsLate: int | None
    """Seconds from the start of the lesson to the arrival, 0 if they were there; null if never in the lesson."""
    secondsLeftEarly: int | None
    """Seconds from the leave to the end of the lesson, 0 if they were there; null if never in the lesson."""
    isOnRoster: bool | None
    """Whether they are on the roster; null if the room has none."""


class AttendanceEvaluatedEventData(TypedDict):
    """A class with an attendance policy has ended. Sent once; *Get attendance* has later corrections."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    title: str
    """Title of the room."""
    policy: AttendancePolicy
    """The policy."""
    lessonStart: str
    """The start of the lesson: `startsAt` of its schedule, otherwise the first join."""
    lessonEnd: str
    """The end of the lesson: `endsAt` of its schedule or, if that is earlier, the last leave. Before the class has ended: now, if that is earlier."""
    counts: AttendanceEvaluatedEventDataCounts
    """The numbers of people: of those on the roster or, without one, of everyone who joined."""
    people: Sequence[AttendanceEvaluatedEventDataPeopleItem]
    """The people, at most 200: first `ABSENT`, then `LATE`, `LEFT_EARLY` and `PRESENT`. *Get attendance* has all of them."""
    furtherPeople: int
    """Number of people who are not in `people`."""


class AttendanceEvaluatedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["attendance.evaluated"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: AttendanceEvaluatedEventData
    """A class with an attendance policy has ended. Sent once; *Get attendance* has later corrections."""


class EngagementSummarizedEventDataTotals(TypedDict):
    """Sums over all participants, also those who are not in `participants`."""

    participants: int
    """Number of people who were in class."""
    connections: int
    """Number of connections."""
    connectedSeconds: float
    """Seconds in class, to a tenth."""
    measuredSeconds: float
    """Seconds that the participant’s page measured; a client that is not our page may measure nothing, to a tenth."""
    talkSeconds: float | None
    """Seconds in which the participant spoke; null if nothing was measured."""
    cameraSeconds: float | None
    """Seconds in which the camera was on; null if nothing was measured."""
    handsRaised: int
    """How often the participant raised a hand."""
    chatMessages: int
    """Number of chat messages, deleted ones included."""
    reactions: int
    """Number of reactions."""
    pollAnswers: int
    """Number of polls in which the participant voted."""
    boardElements: int
    """Number of elements that the participant drew on the board, without those that were deleted."""


class EngagementSummarizedEventDataParticipantsItem(TypedDict):
    uid: str
    """Your id of the participant."""
    name: str
    """Display name of the participant."""
    role: str
    """Role of the participant in the room."""
    connections: int
    """Number of connections."""
    connectedSeconds: float
    """Seconds in class, to a tenth."""
    measuredSeconds: float
    """Seconds that the participant’s page measured; a client that is not our page may measure nothing, to a tenth."""
    talkSeconds: float | None
    """Seconds in which the participant spoke; null if nothing was measured."""
    cameraSeconds: float | None
    """Seconds in which the camera was on; null if nothing was measured."""
    handsRaised: int
    """How often the participant raised a hand."""
    chatMessages: int
    """Number of chat messages, deleted ones included."""
    reactions: int
    """Number of reactions."""
    pollAnswers: int
    """Number of polls in which the participant voted."""
    boardElements: int
    """Number of elements that the participant drew on the board, without those that were deleted."""


class EngagementSummarizedEventData(TypedDict):
    """How everyone took part in a class that has ended. Sent once, five minutes after the end, when the numbers are final."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    title: str
    """Title of the room."""
    startedAt: str
    """When the first participant joined."""
    endedAt: str
    """When the class ended."""
    totals: EngagementSummarizedEventDataTotals
    """Sums over all participants, also those who are not in `participants`."""
    participants: Sequence[EngagementSummarizedEventDataParticipantsItem]
    """The participants by uid, at most 200. *List engagement* has all of them, and the questions to the tutor."""
    furtherParticipants: int
    """Number of participants who are not in `participants`."""


class EngagementSummarizedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["engagement.summarized"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: EngagementSummarizedEventData
    """How everyone took part in a class that has ended. Sent once, five minutes after the end, when the numbers are final."""


class ParticipantJoinedEventData(TypedDict):
    """A participant connected."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    connectionId: str
    """Id of this connection. A participant who rejoins has another."""
    uid: str
    """Your id of the participant."""
    name: str
    """Display name of the participant."""
    role: str
    """Role of the participant in the room."""
    joinedAt: str
    """When the connection began."""


class ParticipantJoinedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["participant.joined"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: ParticipantJoinedEventData
    """A participant connected."""


class ParticipantLeftEventData(TypedDict):
    """A participant’s connection ended."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    connectionId: str
    """Id of this connection. A participant who rejoins has another."""
    uid: str
    """Your id of the participant."""
    name: str
    """Display name of the participant."""
    role: str
    """Role of the participant in the room."""
    joinedAt: str
    """When the connection began."""
    leftAt: str
    """When the connection ended."""
    duration: int
    """Seconds of the connection."""


class ParticipantLeftEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["participant.left"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: ParticipantLeftEventData
    """A participant’s connection ended."""


class ParticipantWaitingEventData(TypedDict):
    """A participant entered the waiting room."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    uid: str
    """Your id of the participant."""
    name: str
    """Display name of the participant."""
    role: str
    """Role of the participant in the room."""
    waitingSince: str
    """When the participant began to wait."""


class ParticipantWaitingEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["participant.waiting"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: ParticipantWaitingEventData
    """A participant entered the waiting room."""


class ParticipantAdmittedEventData(TypedDict):
    """A participant was admitted from the waiting room."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    uid: str
    """Your id of the participant."""
    name: str
    """Display name of the participant."""
    role: str
    """Role of the participant in the room."""
    decidedBy: str | None
    """The uid of the participant who admitted this one; null if your backend did."""
    decidedAt: str
    """When the participant was admitted."""


class ParticipantAdmittedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["participant.admitted"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: ParticipantAdmittedEventData
    """A participant was admitted from the waiting room."""


class ParticipantRefusedEventData(TypedDict):
    """A participant in the waiting room was refused."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    uid: str
    """Your id of the participant."""
    name: str
    """Display name of the participant."""
    role: str
    """Role of the participant in the room."""
    decidedBy: str | None
    """The uid of the participant who refused this one; null if your backend did."""
    decidedAt: str
    """When the participant was refused."""


class ParticipantRefusedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["participant.refused"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: ParticipantRefusedEventData
    """A participant in the waiting room was refused."""


class ParticipantRemovedEventData(TypedDict):
    """A participant was removed from the class."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    uid: str
    """Your id of the participant."""
    removedBy: str | None
    """The uid of the participant who removed this one; null if your backend did."""
    removedAt: str
    """When the participant was removed."""


class ParticipantRemovedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["participant.removed"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: ParticipantRemovedEventData
    """A participant was removed from the class."""


class ChatMessageDeletedEventData(TypedDict):
    """A chat message was deleted."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    messageId: str
    """Id of the chat message. Its text is not part of any event."""
    uid: str
    """The uid of its author."""
    deletedBy: str | None
    """The uid of the participant who deleted it; null if your backend did."""
    deletedAt: str
    """When it was deleted."""


class ChatMessageDeletedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["chat.message_deleted"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: ChatMessageDeletedEventData
    """A chat message was deleted."""


class ChatMessageReportedEventData(TypedDict):
    """A participant reported a chat message."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    messageId: str
    """Id of the chat message. Its text is not part of any event."""
    uid: str
    """The uid of its author."""
    reportedBy: str
    """The uid of the participant who reported it."""
    reportedAt: str
    """When it was reported."""


class ChatMessageReportedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["chat.message_reported"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: ChatMessageReportedEventData
    """A participant reported a chat message."""


class BoardExportedEventData(TypedDict):
    """The board of a class, or a page of it, was requested with *Get board of room*."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    format: str
    """`json`, `svg`, `png` or `pdf`. More may be added."""
    exportedAt: str
    """When it was requested."""


class BoardExportedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["board.exported"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: BoardExportedEventData
    """The board of a class, or a page of it, was requested with *Get board of room*."""


class RecordingStartedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["recording.started"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: RecordingEventData
    """A recording began."""


class RecordingCompletedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["recording.completed"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: RecordingEventData
    """The file of a recording is available."""


class RecordingFailedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["recording.failed"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: RecordingEventData
    """A recording failed."""


class RecordingHealthEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["recording.health"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: RecordingEventData
    """What is wrong with a recording has changed: see `health`."""


class RecordingDeletedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["recording.deleted"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: RecordingEventData
    """The file of a recording was deleted."""


class RecordingCopiedEventData(TypedDict):
    """The file of a recording was copied to your own bucket."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    recordingId: str
    """Id of the recording, `rec_` and `egressId`."""
    egressId: str
    """Id of the recording job."""
    bucket: str
    """Name of your bucket."""
    key: str
    """Key of the file in your bucket."""
    size: int
    """Size in bytes."""
    sha256: str
    """SHA-256 of the file, in hexadecimal."""
    copiedAt: str
    """When the copy was complete."""


class RecordingCopiedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["recording.copied"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: RecordingCopiedEventData
    """The file of a recording was copied to your own bucket."""


class RecordingCopyFailedEventData(TypedDict):
    """The file of a recording could not be copied to your own bucket, and no further attempt follows."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    recordingId: str
    """Id of the recording, `rec_` and `egressId`."""
    egressId: str
    """Id of the recording job."""
    error: str
    """Why the last attempt failed, such as `access-denied`. More may be added."""
    attempts: int
    """How many attempts were made."""
    failedAt: str
    """When the copy was given up."""


class RecordingCopyFailedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["recording.copy_failed"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: RecordingCopyFailedEventData
    """The file of a recording could not be copied to your own bucket, and no further attempt follows."""


class CreditsLowEventData(TypedDict):
    """The prepaid balance fell below the threshold."""

    remainingCredits: int
    """Credits left."""
    threshold: int
    """The event is sent when the balance falls below this many credits."""


class CreditsLowEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["credits.low"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: CreditsLowEventData
    """The prepaid balance fell below the threshold."""


class CreditsOverconsumedEventData(TypedDict):
    """More credits were used than were bought."""

    remainingCredits: int
    """Credits left, a negative number."""


class CreditsOverconsumedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["credits.overconsumed"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: CreditsOverconsumedEventData
    """More credits were used than were bought."""


class CreditsThresholdReachedEventData(TypedDict):
    """A threshold of your own was crossed."""

    type: Literal["remaining", "consumed"]
    """`remaining`: the prepaid balance fell below the threshold. `consumed`: the credits of the postpaid cycle reached it."""
    threshold: int
    """The threshold, as it was set."""
    credits: int
    """The balance, or the credits of the cycle."""


class CreditsThresholdReachedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["credits.threshold_reached"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: CreditsThresholdReachedEventData
    """A threshold of your own was crossed."""


class VideoCompletedEventData(TypedDict):
    """A stored video can be played."""

    videoId: str
    """Id of the video."""
    title: str
    """Display title."""
    duration: int | None
    """Length in seconds; null if it is not known."""


class VideoCompletedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["video.completed"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: VideoCompletedEventData
    """A stored video can be played."""


class VideoFailedEventData(TypedDict):
    """A stored video could not be transcoded."""

    videoId: str
    """Id of the video."""
    title: str
    """Display title."""
    message: str | None
    """Why; null if it is not known."""


class VideoFailedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["video.failed"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: VideoFailedEventData
    """A stored video could not be transcoded."""


class DocumentConvertedEventData(TypedDict):
    """A document of a class can be shown."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    documentId: str
    """Id of the document."""
    title: str
    """Display title of the document."""
    pages: int
    """Number of its pages."""


class DocumentConvertedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["document.converted"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: DocumentConvertedEventData
    """A document of a class can be shown."""


class DocumentFailedEventData(TypedDict):
    """A document of a class could not be converted."""

    roomId: str
    """Your id of the room."""
    sid: str
    """Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations."""
    documentId: str
    """Id of the document."""
    title: str
    """Display title of the document."""
    reason: str
    """Why, for people."""


class DocumentFailedEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["document.failed"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: DocumentFailedEventData
    """A document of a class could not be converted."""


class WebhookEndpointDisabledEventData(TypedDict):
    """Another endpoint of yours no longer receives events."""

    endpointId: str
    """Id of the disabled endpoint. Your other endpoints receive this event."""
    reason: Literal["gone", "failing"]
    """`gone`: it answered 410. `failing`: every attempt failed for five days."""
    disabledAt: str
    """When it was disabled."""


class WebhookEndpointDisabledEvent(TypedDict):
    id: str
    """Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id."""
    type: Literal["webhook.endpoint_disabled"]
    """Type of the event."""
    timestamp: str
    """When the event became true."""
    sequence: int
    """Position in the organization’s history: 1, 2, 3 … without a gap."""
    data: WebhookEndpointDisabledEventData
    """Another endpoint of yours no longer receives events."""


HistoryEvent: TypeAlias = "RoomCreatedEvent | RoomStartedEvent | RoomEndingSoonEvent | RoomFinishedEvent | RoomBudgetReachedEvent | AttendanceEvaluatedEvent | EngagementSummarizedEvent | ParticipantJoinedEvent | ParticipantLeftEvent | ParticipantWaitingEvent | ParticipantAdmittedEvent | ParticipantRefusedEvent | ParticipantRemovedEvent | ChatMessageDeletedEvent | ChatMessageReportedEvent | BoardExportedEvent | RecordingStartedEvent | RecordingCompletedEvent | RecordingFailedEvent | RecordingHealthEvent | RecordingDeletedEvent | RecordingCopiedEvent | RecordingCopyFailedEvent | CreditsLowEvent | CreditsOverconsumedEvent | CreditsThresholdReachedEvent | VideoCompletedEvent | VideoFailedEvent | DocumentConvertedEvent | DocumentFailedEvent | WebhookEndpointDisabledEvent"
"""An event of the organization’s history."""
