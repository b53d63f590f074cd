/* eslint-disable max-lines */
// Written by `npm run generate -- reference` from docs/reference.

/** An organization’s own models and prices. */
export interface AiSettings {
  /** Id of the organization. */
  organizationId: string;
  /** Model that answers. Null where the installation’s model applies. */
  chat: {
    provider: 'openai-compatible' | 'google' | 'anthropic' | 'offline';
    model: string;
    baseUrl: string | null;
    hasApiKey: boolean;
    vision?: boolean;
  } | null;
  /** Model that answers while the first one does not. Null where the installation’s model applies. */
  chatFallback: {
    provider: 'openai-compatible' | 'google' | 'anthropic' | 'offline';
    model: string;
    baseUrl: string | null;
    hasApiKey: boolean;
    vision?: boolean;
  } | null;
  /** Model that transcribes questions. Null where the installation’s model applies. */
  speechToText: {
    provider: 'openai-compatible' | 'google' | 'anthropic' | 'offline';
    model: string;
    baseUrl: string | null;
    hasApiKey: boolean;
    vision?: boolean;
  } | null;
  /** Model that speaks answers. Null where the installation’s model applies. */
  textToSpeech: {
    provider: 'openai-compatible' | 'google' | 'anthropic' | 'offline';
    model: string;
    baseUrl: string | null;
    hasApiKey: boolean;
    vision?: boolean;
  } | null;
  /** Model that finds equal questions. Null where the installation’s model applies. */
  embedding: {
    provider: 'openai-compatible' | 'google' | 'anthropic' | 'offline';
    model: string;
    baseUrl: string | null;
    hasApiKey: boolean;
    vision?: boolean;
  } | null;
  /** Prices of the organization’s own models; null where the installation’s prices apply. */
  prices: ModelPrice[] | null;
  /** What AI costs the organization in credits; null: nothing. */
  credits: CreditPrice | null;
  /** When the settings last changed; null if they never did. */
  updatedAt: string | null;
}

/** Tokens and cost of agent and tutor. */
export interface AiUsage {
  /** The totals of agent and tutor. */
  summary: { totalSessions: number; totalTokenCost: number; totalInputTokens: number; totalOutputTokens: number };
  /** The same, separately. */
  breakdown: {
    aiAgent: { sessions: number; inputTokens: number; outputTokens: number; cost: number };
    aiTutor: { interactions: number; inputTokens: number; outputTokens: number; cost: number };
  };
}

/** An API key, without its secret. */
export interface ApiKey {
  /** Id of the key. */
  keyId: string;
  /** Name of the key. */
  name: string;
  /** The first characters of its secrets, to identify the key in a configuration. */
  prefix: string;
  /** The permissions of the key. */
  scopes: string[];
  /** When the key expires; null: never. */
  expiresAt: string | null;
  /** When the key was last used, to about a minute; null if it never was. */
  lastUsedAt: string | null;
  /** Until when secrets from before the last rotation are accepted; null if there are none. */
  previousSecretExpiresAt: string | null;
  /** The API key that created this one; null if it was created with `VF-ORG-ID` or by an operator. */
  createdByKeyId?: string | null;
  /** When the key was created. */
  createdAt: string;
}

/** An API key and its new secret. Only the hash of the secret is stored. */
export interface ApiKeyWithSecret {
  /** Id of the key. */
  keyId: string;
  /** Name of the key. */
  name: string;
  /** The first characters of its secrets, to identify the key in a configuration. */
  prefix: string;
  /** The permissions of the key. */
  scopes: string[];
  /** When the key expires; null: never. */
  expiresAt: string | null;
  /** When the key was last used, to about a minute; null if it never was. */
  lastUsedAt: string | null;
  /** Until when secrets from before the last rotation are accepted; null if there are none. */
  previousSecretExpiresAt: string | null;
  /** The API key that created this one; null if it was created with `VF-ORG-ID` or by an operator. */
  createdByKeyId?: string | null;
  /** When the key was created. */
  createdAt: string;
  /** The secret, `vc_live_…`, for `Authorization: Bearer`. It is shown only here. */
  secret: string;
}

/** Who was in a class, and for how long. */
export interface Attendance {
  /** Your id of the room. */
  roomId: string;
  /** Title of the room. */
  roomTitle: string;
  /** `finished` after the class, otherwise `live`, also before the first participant joins; `state` distinguishes the two. */
  status: 'live' | 'finished';
  /** State of the room. More states may be added. */
  state?: 'created' | 'live' | 'finished';
  /** When the first participant joined; null before. */
  startedAt: string | null;
  /** When the class ended; null before. */
  endedAt: string | null;
  /** Seconds from the first join to the end of the class, or to now. */
  classDuration: number;
  /** Number of participants who joined. */
  totalParticipants: number;
  /** One entry per participant who joined. */
  participants: {
    uid: string;
    name: string;
    role: string;
    firstJoinedAt: string;
    lastLeftAt: string | null;
    duration: number;
    percentOfClass: number;
    sessionCount: number;
    isPresent: boolean;
    evaluation?: EvaluatedAttendance;
  }[];
  /** By what attendance is evaluated, from the start of the lesson. Missing before it, and if the class has no policy. */
  evaluation?: {
    policy: AttendancePolicy;
    lessonStart: string;
    lessonEnd: string;
    counts: { present: number; late: number; leftEarly: number; absent: number };
  };
  /** The people on the roster who never joined, all of them `ABSENT`. Missing without `evaluation`. */
  neverJoined?: { uid: string; name: string | null }[];
}

/** How attendance of a class is evaluated. */
export interface AttendancePolicy {
  /** Seconds after the start of the lesson: who comes later is `LATE`. 0 to 86,400. */
  lateAfter: number;
  /** Seconds before the end of the lesson: who left earlier is `LEFT_EARLY`. 0 to 86,400. */
  leftBefore: number;
  /** Percent of the lesson: who was in class for less is `ABSENT`. 0 to 100. */
  minimumPresence: number;
  /** Seconds: a gap between two connections that is not longer counts as presence. 0 to 3,600. */
  reconnectGrace: number;
}

/** Who made an audited call. */
export interface AuditActor {
  /** What identified the caller: an operator’s secret, an API key, a value of `VF-ORG-ID`, a dashboard token, or a token of a class. */
  type: 'operator' | 'api-key' | 'credential' | 'dashboard' | 'participant';
  /** Name of the operator, id of the key or credential, subject of the dashboard token, or `uid` of the participant. */
  id: string;
}

/** What an audited call changed. */
export interface AuditChange {
  /** What was changed. */
  kind: 'organization' | 'credential' | 'api-key' | 'webhook-endpoint' | 'erasure' | 'dead-letter';
  /** Its id. */
  id: string;
  /** The fields that changed, as they were; null if it was created. `(withheld)` stands for a secret or a text. */
  before: Record<string, string | number | boolean | null | string[] | Record<string, string | number | boolean | null>> | null;
  /** The fields that changed, as they are; null if it was deleted or revoked. */
  after: Record<string, string | number | boolean | null | string[] | Record<string, string | number | boolean | null>> | null;
}

/** One call in the audit log. */
export interface AuditEntry {
  /** Id of the entry. */
  id: string;
  /** Position in the log of the organization: 1, 2, 3 … without gaps. */
  sequence: number;
  /** When the call began. */
  at: string;
  /** Who made the call. */
  actor: AuditActor;
  /** The operation: its `operationId` in this reference. */
  operation: string;
  /** The ids that the call named, such as `roomId`, `uid` or `keyId`, and the `format` of an export. */
  target: Record<string, string>;
  /** The names of the fields in the body of the call. */
  fields: string[];
  /** What the call changed of organizations, credentials, API keys, webhook endpoints and dead letters, and which erasure it requested. */
  changes: AuditChange[];
  /** HTTP status of the answer; null if it is unknown, because the gateway ended before it answered. */
  status: number | null;
  /** Address of the client. Null where it is not shown: organizations do not see those of operators. */
  address: string | null;
  /** `X-Request-Id` of the call. */
  requestId: string;
  /** SHA-256 over this entry and the hash of the one before, hexadecimal. Keep it to prove later what came before. */
  hash: string;
}

/** The balance of an organization, by its billing plan. */
export type Balance = PrepaidBalance | PostpaidBalance;

/** An element of the board. */
export interface BoardElement {
  /** Id of the page, a UUID. */
  pageId: string;
  /** Who drew the element first. */
  uid: string;
  /** Version of the board at which the element changed last. */
  version: number;
  /** The element in Excalidraw’s form, as it was drawn; only `id` and `isDeleted` if it was deleted. */
  element: { id: string; isDeleted: boolean };
}

/** The erasure of an organization that was cancelled. */
export interface CancelledErasure {
  /** Id of the erasure. */
  erasureId: string;
  /** When the erasure was cancelled. */
  cancelledAt: string;
}

/** A caption track of a video. */
export interface Caption {
  /** Language of the track, a BCP 47 tag such as `en`. */
  language: string;
  /** Name of the track in the player. */
  label: string;
  /** Whether the player shows this track at first. */
  isDefault: boolean;
}

/** A participant’s new role. */
export interface ChangedRole {
  /** Your id of the participant. */
  uid: string;
  /** The new role. */
  role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN';
}

/** What a room can be changed in, after a change. */
export interface ChangedRoom {
  /** Title of the room. */
  title: string;
  /** Description of the room; null if there is none. */
  roomDescription: string | null;
  /** Maximum number of participants at the same time. */
  maxParticipants: number;
  /** Seconds from the last leave to the end of the class. */
  emptyTimeout: number;
  /** Who may write in the chat, and how often. */
  chat: ChatSettings;
  permissions: RolePermissions;
  /** Which consent to recordings the class asks for, and whether AI may be used. */
  consent: ConsentSettings;
  /** Who waits until they are admitted. `OFF`: no participant. `STUDENTS`: students; a teacher, moderator, admin or your backend admits them. `ALL`: everyone except admins. Who waits gets nothing of the class, takes no place and costs nothing. */
  waitingRoom: 'OFF' | 'STUDENTS' | 'ALL';
  /** How the class page looks. */
  customization?: { showLobby: boolean; showVideoControls: boolean; theme: 'light' | 'dark' | 'auto' };
  /** When the class ends by its schedule at the latest; null if it has none, or if that depends on the first join. */
  classEndsAt?: string | null;
  /** Data of your own; null if there is none. */
  metadata: Record<string, unknown> | null;
  /** What happens when a participant who is in class joins from another device. `replace`: the new device replaces the other. `refuse`: the new one gets `ALREADY_CONNECTED` as long as the other is connected; the token then opens sessions only and does not connect to LiveKit by itself. */
  duplicateJoin: 'replace' | 'refuse';
  /** Whether everyone enters with the microphone off, except who manages participants. They turn it on themselves, in the lobby or in class. */
  muteOnJoin: boolean;
  /** The most credits that the class may use; null: no limit. */
  budget: { maxCredits: number; onReached: 'warn' | 'closeDoors' | 'endClass' } | null;
  /** The attendance policy; null: attendance is not evaluated. */
  attendance: AttendancePolicy | null;
  /** Whether a recording starts with the first published track. */
  autoRecord: boolean;
  /** When the lesson starts. The room opens `joinBefore` seconds earlier; teachers and admins may enter at any time. `emptyTimeout` does not end the class before it. Null if there is none. */
  startsAt: string | null;
  /** When the class ends for everyone. Null if there is none. */
  endsAt: string | null;
  /** Seconds before `startsAt` at which the room opens. */
  joinBefore: number;
  /** Seconds after which the class ends for everyone, 60 to 86,400, counted from the first join or, if that is later, from `startsAt`. Null if there is no limit. */
  maxDuration: number | null;
}

/** A message of the class chat. */
export interface ChatMessage {
  /** Id of the message. */
  id: string;
  /** Your id of the participant. */
  uid: string;
  /** Display name of the participant. */
  name: string;
  /** Role in the room. */
  role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN';
  /** The message; empty if it was deleted. */
  text: string;
  /** When it was sent. */
  sentAt: string;
  /** Class version of the message; messages are in this order. */
  version: number;
  /** `TEACHERS`: only its author and the teachers, moderators and admins get it. Absent: everyone does. */
  audience?: 'TEACHERS';
  /** When it was deleted; absent if it was not. */
  deletedAt?: string;
  /** The uid of the participant who deleted it; null if your backend did; absent if it was not deleted. */
  deletedBy?: string | null;
  /** How many participants reported it. Only teachers, moderators, admins and your backend get it; absent if none did. */
  reports?: number;
}

/** Who may write in the chat of a class, and how often. */
export interface ChatSettings {
  /** `ALL`: students write to everyone. `TEACHERS`: students write to the teachers, moderators and admins; no other student gets it. `OFF`: students do not write. Teachers, moderators and admins always write to everyone. */
  mode: 'ALL' | 'TEACHERS' | 'OFF';
  /** Seconds that a student waits after a message before the next one, 0 to 3,600; 0: no wait. Teachers, moderators and admins do not wait. */
  slowModeSeconds: number;
}

/** One answer of a participant. An answer is never changed: a withdrawal is another one. */
export interface ConsentRecord {
  /** Your id of the participant. */
  uid: string;
  /** What consent is about: `recording`. */
  purpose: string;
  /** Version of the text. */
  version: string;
  /** SHA-256 of the text in UTF-8, in hexadecimal. */
  textHash: string;
  /** Whether consent was granted. */
  granted: boolean;
  /** When it was answered. */
  answeredAt: string;
}

/** Which consent to recordings is asked for, and whether AI may be used. */
export interface ConsentSettings {
  /** Which consent to recordings is asked for; null: none. */
  recording: { ask: 'join' | 'recording'; without: 'refuse' | 'mute' | 'hide'; version: string; text: string } | null;
  /** Whether the AI tutor and its summaries may be used. */
  ai: boolean;
}

/** A new document and its upload. */
export interface CreatedDocument {
  /** Id of the document. */
  documentId: string;
  /** The upload, which already exists: HEAD reports its offset, PATCH continues it (tus 1.0). Null with `url`. */
  upload: { protocol: 'tus'; url: string; expiresAt: string } | null;
}

/** A new organization and its first credential. */
export interface CreatedOrganization {
  /** Id of the organization in events, addresses and logs. It is no secret and never changes. */
  id?: string;
  /** The first value for `VF-ORG-ID`, a secret. It is shown only here. */
  organizationId: string;
  /** Display name. */
  name: string;
  /** The billing plan; null if there is none. */
  billing: { type: 'PREPAID'; credits: number; creditRate: number; currency: string } | {
    type: 'POSTPAID';
    billingFrequency: 'WEEKLY' | 'MONTHLY';
    cycleStartDate: string;
    creditRate: number;
    currency: string;
  } | null;
  /** Hosts whose pages may embed the class. */
  verifiedDomains: string[];
  /** Logo and colors of the class page. */
  branding: { logoUrl: string | null; primaryColor: string | null; accentColor: string | null };
  /** How long personal data is kept. */
  retention: {
    presence: number;
    addresses: number;
    chat: number;
    polls: number;
    board: number;
    engagement: number;
    aiDialogues: number;
    recordings: number;
  };
  /** Consent to recordings, and AI, in new rooms. */
  consent: ConsentSettings;
  /** The attendance policy of new rooms; null if none is set. */
  attendance: AttendancePolicy | null;
  /** What the organization may store and have transcoded. */
  quotas: { videoGib: number | null; videoMinutes: number | null };
  /** What is asked before a participant joins; null if there is none. */
  joinHook: JoinHook | null;
  /** When the organization was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** When its erasure was requested, from when on it can only read; null if it was not. */
  closedAt?: string | null;
  /** When its erasure begins, from when on it can only read that; null if it was not requested. */
  erasureBeginsAt?: string | null;
  /** The credential with that value. */
  credential?: CredentialWithValue;
}

/** The new room, and what the first participant needs to join. */
export interface CreatedRoom {
  /** Token for one participant and one room. Give it to that participant only. */
  token: string;
  /** Address of the class page with the token: open or embed it. */
  iframeUrl: string;
  /** The last time at which the token can be used to join: about an hour from now, unless `expiresIn` or a schedule says otherwise. */
  expiresAt: string;
  /** The new room. */
  room: { roomId: string; sid: string };
  /** The settings in force: those of the request, otherwise of the preset, otherwise of the organization or the defaults. */
  settings: RoomSettings;
}

/** A new video and its upload. */
export interface CreatedVideo {
  /** Id of the video. */
  videoId: string;
  /** The upload, which already exists: HEAD reports its offset, PATCH continues it (tus 1.0). */
  upload: { protocol: 'tus'; url: string; expiresAt: string };
}

/** A credential for `VF-ORG-ID`, without its value. */
export interface Credential {
  /** Id of the credential. */
  credentialId: string;
  /** The last characters of the value, to identify it in a configuration; empty for a value of fewer than 16. */
  hint: string;
  /** When the credential expires; null: never. */
  expiresAt: string | null;
  /** When it was last used, to about a minute; null if it never was. */
  lastUsedAt: string | null;
  /** When the credential was created. */
  createdAt: string;
}

/** A new credential and its value. Only the hash of the value is stored. */
export interface CredentialWithValue {
  /** Id of the credential. */
  credentialId: string;
  /** The last characters of the value, to identify it in a configuration; empty for a value of fewer than 16. */
  hint: string;
  /** When the credential expires; null: never. */
  expiresAt: string | null;
  /** When it was last used, to about a minute; null if it never was. */
  lastUsedAt: string | null;
  /** When the credential was created. */
  createdAt: string;
  /** The value for `VF-ORG-ID`. It is shown only here. */
  value: string;
}

/** The thresholds of an organization for its credits. */
export interface CreditAlerts {
  /** Thresholds of a prepaid balance, in credits, highest first. */
  remaining: number[];
  /** Thresholds of the credits used in a postpaid cycle, lowest first. */
  consumed: number[];
}

/** What AI costs in credits. */
export interface CreditPrice {
  /** Credits for a million tokens read: up to 9 digits and 9 decimals. Default: 0. */
  perMillionInputTokens: string;
  /** Credits for a million tokens written: up to 9 digits and 9 decimals. Default: 0. */
  perMillionOutputTokens: string;
}

/** A request to export the data of a person, a class or the organization. */
export interface DataExport {
  /** Id of the export. */
  exportId: string;
  /** `PENDING`: it has not begun. `RUNNING`: data is being collected. `COMPLETED`: the file can be downloaded. */
  status: 'PENDING' | 'RUNNING' | 'COMPLETED';
  /** The services whose data has not been collected. */
  waitingFor: string[];
  /** When the export was requested. */
  requestedAt: string;
  /** When the file was complete; null until then. */
  completedAt: string | null;
  /** Signed address of the ZIP file, which anyone may open who has it; null until the export is completed. */
  downloadUrl: string | null;
  /** Until this time `downloadUrl` opens the file; call again for a new one. */
  urlExpiresAt: string | null;
  /** When the file is deleted. From then on the answer is 410. */
  availableUntil: string | null;
  /** Size of the file in bytes. */
  bytes: number | null;
  /** SHA-256 of the file, in hexadecimal. */
  sha256: string | null;
  /** How many records the file contains, by service and store. */
  stores: { service: string; store: string; count: number }[] | null;
}

/** A message that a consumer gave up after its retries. */
export interface DeadLetter {
  /** Id of the dead letter: `dl_` and its number in the stream `DLQ`, with 12 digits. */
  deadLetterId: string;
  /** The consumer that gave the message up, such as `billing-fold`. */
  consumer: string;
  /** The subject on which the message was published, and is replayed. Empty if it is not known. */
  subject: string;
  /** The number of the message in its own stream. */
  originalSequence: number | null;
  /** Type of the fact, name of LiveKit’s event, or audited operation. */
  type: string | null;
  /** Id of the fact, webhook or audited call. */
  messageId: string | null;
  /** The organization that the message is about. LiveKit’s webhooks do not name it. */
  organizationId: string | null;
  /** The room that the message is about. */
  roomId: string | null;
  /** Our id of that room, which is its name in LiveKit. */
  sid: string | null;
  /** Why the last attempt failed, at most 500 characters. */
  error: string;
  /** How often the consumer tried; null if the message does not say. */
  attempts: number | null;
  /** The trace in which the message was published. */
  traceId: string | null;
  /** Size of the message’s content, which is not shown. */
  bytes: number;
  /** When the consumer gave it up. */
  setAsideAt: string;
}

/** Whether a participant is admitted to the class. */
export interface DecidedAdmission {
  /** Your id of the participant. */
  uid: string;
  /** Whether the participant is admitted. */
  state: 'ADMITTED' | 'REFUSED';
}

/** A document of a class, such as slides. */
export interface Document {
  /** Id of the document. */
  documentId: string;
  /** Display title. */
  title: string;
  /** `pending`: its file is not there yet, or waits. `processing`: its pages are being made. `completed`: they can be shown. `failed`: they never will be. */
  status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Why the document failed; null if it did not. */
  message: string | null;
  /** Number of pages; null until it is completed. */
  pages: number | null;
  /** When the document was created. */
  createdAt: string;
}

/** A page of a document. */
export interface DocumentPage {
  /** Number of the page, from 1. */
  page: number;
  /** Pixels of the picture at `url`. */
  width: number;
  /** Pixels of the picture at `url`. */
  height: number;
  /** Signed address of its picture (JPEG), valid for about an hour. */
  url: string;
  /** The same in half the width and height. */
  previewUrl: string;
  /** Its text, at most 3,000 characters. Present if it has text. */
  text?: string;
}

/** A document with signed addresses of its pages. */
export interface DocumentWithPages {
  /** Id of the document. */
  documentId: string;
  /** Display title. */
  title: string;
  /** `pending`: its file is not there yet, or waits. `processing`: its pages are being made. `completed`: they can be shown. `failed`: they never will be. */
  status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Why the document failed; null if it did not. */
  message: string | null;
  /** The pages after `after`, as many as fit into one answer. Empty until the document is completed. */
  pages: DocumentPage[];
  /** The `after` of the following pages; null on the last. */
  nextAfter: number | null;
}

/** A domain of an organization, and its proof by DNS. */
export interface Domain {
  /** The host, as in `verifiedDomains`. */
  domain: string;
  /** `VERIFIED`: pages on the host may embed classes. `PENDING`: they may when the record is found. */
  status: 'PENDING' | 'VERIFIED';
  /** The TXT record that proves the domain; null if an operator verified it without one. */
  record: { name: string; value: string } | null;
  /** What the last check found; null before the first one. `NO_ANSWER`: the name servers did not answer, and are asked again. */
  lookup: 'FOUND' | 'NOT_FOUND' | 'NO_ANSWER' | null;
  /** When the record was last looked for; null if it never was. */
  checkedAt: string | null;
  /** Since when a record that was found before is missing; null if it is not. The domain stays verified: remove it if it is no longer the organization’s. */
  missingSince: string | null;
}

/** A dashboard session that was ended. */
export interface EndedDashboardSession {
  /** Id of the session. */
  sessionId: string;
  /** When it was ended. */
  endedAt: string;
}

/** What the end of a class did. */
export interface EndedRoom {
  /** Your id of the room. */
  roomId: string;
  /** Number of participants who were connected. */
  participantsDisconnected: number;
  /** Whether a recording was running. It is stopped and saved. */
  wasRecording: boolean;
  /** When the class ended. */
  endedAt: string;
}

/** How a participant took part in a class. */
export interface Engagement {
  /** Your id of the participant. */
  uid: string;
  /** Display name of the participant. */
  name: string;
  /** Role of the participant in the room. */
  role: string;
  /** Number of connections. */
  connections: number;
  /** Seconds in class, to a tenth. */
  connectedSeconds: number;
  /** Seconds that the participant’s page measured; a client that is not our page may measure nothing, to a tenth. */
  measuredSeconds: number;
  /** Seconds in which the participant spoke; null if nothing was measured. */
  talkSeconds: number | null;
  /** Seconds in which the camera was on; null if nothing was measured. */
  cameraSeconds: number | null;
  /** How often the participant raised a hand. */
  handsRaised: number;
  /** Number of chat messages, deleted ones included. */
  chatMessages: number;
  /** Number of reactions. */
  reactions: number;
  /** Number of polls in which the participant voted. */
  pollAnswers: number;
  /** Number of elements that the participant drew on the board, without those that were deleted. */
  boardElements: number;
  /** Number of questions to the AI tutor; null if the AI service does not answer. */
  tutorQuestions: number | null;
}

/** A request to erase a person, a class or an organization. */
export interface Erasure {
  /** Id of the erasure. */
  erasureId: string;
  /** `PENDING`: the services are not asked yet, and nothing is erased. `RUNNING`: they erase; a class that is not over is waited for. `COMPLETED`: all have. */
  status: 'PENDING' | 'RUNNING' | 'COMPLETED';
  /** The services that have not finished. */
  waitingFor: string[];
  /** When the erasure was requested. */
  requestedAt: string;
  /** When the erasure of an organization begins, until which it can be cancelled; null for that of a person or a class. */
  beginsAt?: string | null;
  /** The receipt; null until the erasure is completed. */
  receipt: ErasureReceipt | null;
  /** The signature of the receipt; null until the erasure is completed. */
  signature: { algorithm: 'Ed25519'; publicKey: string; value: string } | null;
}

/** What was erased, and which copies are deleted later. */
export interface ErasureReceipt {
  /** Id of the erasure. */
  erasureId: string;
  /** SHA-256, in hexadecimal, of `<erasureId>:uid:<uid>`, `<erasureId>:roomId:<roomId>` or `<erasureId>:organization:<id>`. */
  subjectHash: string;
  /** When the erasure was requested. */
  requestedAt: string;
  /** When the last service had erased. */
  completedAt: string;
  /** What was erased, by service and store. */
  stores: { service: string; store: string; count: number }[];
  /** Copies that are deleted by their age. */
  remaining: { store: string; until: string | null }[];
}

/** The attendance of one participant by the policy of the class. */
export interface EvaluatedAttendance {
  /** `ABSENT`: never in the lesson, or for less than `minimumPresence` of it. Otherwise `LATE`, otherwise `LEFT_EARLY`, otherwise `PRESENT`. More may be added. */
  status: 'PRESENT' | 'LATE' | 'LEFT_EARLY' | 'ABSENT';
  /** Seconds from the start of the lesson to the arrival, 0 if they were there; null if never in the lesson. */
  secondsLate: number | null;
  /** Seconds from the leave to the end of the lesson, 0 if they were there; null if never in the lesson. */
  secondsLeftEarly: number | null;
  /** Share of the lesson in percent, one decimal, with the gaps that count as presence. */
  percentOfLesson: number;
  /** Whether they are on the roster; null if the room has none. */
  isOnRoster: boolean | null;
}

/** An event, as the history lists it and a webhook sends it. */
export interface Event {
  /** Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id. */
  id: string;
  /** Type of the event. More types will be added: ignore those that you do not know. */
  type: 'room.created' | 'room.started' | 'room.ending_soon' | 'room.finished' | 'room.budget_reached' | 'attendance.evaluated' | 'engagement.summarized' | 'participant.joined' | 'participant.left' | 'participant.waiting' | 'participant.admitted' | 'participant.refused' | 'participant.removed' | 'chat.message_deleted' | 'chat.message_reported' | 'board.exported' | 'recording.started' | 'recording.completed' | 'recording.failed' | 'recording.health' | 'recording.deleted' | 'recording.copied' | 'recording.copy_failed' | 'credits.low' | 'credits.overconsumed' | 'credits.threshold_reached' | 'video.completed' | 'video.failed' | 'document.converted' | 'document.failed' | 'webhook.endpoint_disabled';
  /** When the event became true. */
  timestamp: string;
  /** Position in the organization’s history: 1, 2, 3 … without a gap. */
  sequence: number;
  /** The data of the event; the fields depend on `type`. More fields may be added. */
  data: Record<string, unknown>;
}

/** A charge, with the sessions or the AI usage behind it. */
export interface ExplainedEntry {
  /** The entry. */
  entry: LedgerEntry;
  /** Seconds of the room up to `chargedThrough`, summed from `sessions`; 0 for `AI_USAGE`. */
  totalSeconds: number;
  /** Credits for `totalSeconds`, rounded up; for `AI_USAGE` those of all AI usage up to this entry, rounded up. */
  totalCredits: number;
  /** Credits charged by earlier entries of this room, or by earlier ones of `AI_USAGE`. */
  chargedBefore: number;
  /** Whether the entry is exactly the difference of the two. */
  isConsistent: boolean;
  /** The sessions that were charged. */
  sessions: {
    connectionSid: string;
    uid: string;
    joinedAt: string;
    leftAt: string | null;
    seconds: number;
    openedBy: string;
    closedBy: string | null;
  }[];
  /** The AI usage that was charged, oldest first; only for `AI_USAGE`. */
  aiUsage?: {
    usageId: string;
    kind: string;
    roomId: string | null;
    inputTokens: number;
    outputTokens: number;
    credits: number;
    usedAt: string;
  }[];
}

/** The health of the service. */
export interface Health {
  /** Always `true`, also for `unhealthy`. */
  success: true;
  /** Fields and query parameters of the request that are unknown and were ignored. */
  warnings?: Problem[];
  /** The status in a sentence. */
  message: string;
  /** The health of the service. */
  data: { status: 'healthy' | 'degraded' | 'unhealthy'; healthy: boolean; timestamp: string; version?: string };
}

/** What is asked before a participant of the organization joins a class. */
export interface JoinHook {
  /** Address that is asked. */
  url: string;
  /** Milliseconds that the answer may take. */
  timeoutMs: number;
  /** What holds if there is no answer in time, or none that can be understood. `allow`: the participant joins. `refuse`: they do not. */
  fallback: 'allow' | 'refuse';
}

/** A join hook, with its secret. */
export interface JoinHookWithSecret {
  /** Address that is asked. */
  url: string;
  /** Milliseconds that the answer may take. */
  timeoutMs: number;
  /** What holds if there is no answer in time, or none that can be understood. `allow`: the participant joins. `refuse`: they do not. */
  fallback: 'allow' | 'refuse';
  /** The secret that signs the questions, `whsec_…`. */
  secret: string;
}

/** What one participant needs to join. */
export interface JoinResult {
  /** Token for one participant and one room. Give it to that participant only. */
  token: string;
  /** Address of the class page with the token: open or embed it. */
  iframeUrl: string;
  /** The last time at which the token can be used to join: about an hour from now, unless `expiresIn` or a schedule says otherwise. */
  expiresAt: string;
}

/** One change of a balance. Entries never change. */
export interface LedgerEntry {
  /** Id of the entry, a UUID. */
  entryId: string;
  /** What changed the balance. `CHARGE` and `ADJUSTMENT` name a room; `OPENING`, `TOP_UP` and `CORRECTION` have a `reference`. */
  kind: 'OPENING' | 'TOP_UP' | 'CORRECTION' | 'CHARGE' | 'ADJUSTMENT' | 'AI_USAGE';
  /** Change of the balance: positive adds credits, negative takes them. */
  credits: number;
  /** Account that gives: `customer`, `funding` or `usage`. */
  debitAccount: string;
  /** Account that receives: `customer`, `funding` or `usage`. */
  creditAccount: string;
  /** Price of one credit in `currency`. */
  creditRate: number;
  /** `credits` × `creditRate`, in `currency`. */
  amount: number;
  /** ISO 4217 code, such as `USD`. */
  currency: string;
  /** When the entry was written. Entries never change. */
  recordedAt: string;
  /** The operator’s reference, such as an invoice number; null for a charge. */
  reference: string | null;
  /** The operator’s note; null if there is none. */
  note: string | null;
  /** Your id of the charged room; null for other entries. */
  roomId: string | null;
  /** Title of the charged room; null for other entries. Only in lists. */
  roomTitle?: string | null;
  /** Our id of the charged room; null for other entries. */
  sid: string | null;
  /** Number of the charge of this room: 1, 2, 3 … without a gap; null for other entries. */
  meterSequence: number | null;
  /** Version of the room’s sessions that was charged; null for other entries. */
  meterVersion: number | null;
  /** Time up to which the room is charged; null for other entries. */
  chargedThrough: string | null;
  /** The earlier entry that an `ADJUSTMENT` corrects; null for other entries. */
  correctsEntryId: string | null;
  /** The billing plan that ended with this correction, which set the balance to 0; null for any other entry. */
  settles: 'PREPAID' | 'POSTPAID' | null;
}

/** Prices of a model in the currency of the price table. */
export interface ModelPrice {
  /** Name of the model, 1 to 128 characters. */
  model: string;
  /** Price of a million tokens read: up to 9 digits and 9 decimals. Default: 0. */
  perMillionInputTokens: string;
  /** Price of a million tokens written: up to 9 digits and 9 decimals. Default: 0. */
  perMillionOutputTokens: string;
  /** Price of a minute of audio to a speech-to-text model: up to 9 digits and 9 decimals. Default: 0. */
  perMinuteOfAudio: string;
  /** Price of a million characters to a text-to-speech model: up to 9 digits and 9 decimals. Default: 0. */
  perMillionCharacters: string;
}

/** A participant’s muted track. */
export interface MutedParticipant {
  /** Your id of the participant. */
  uid: string;
  /** The muted track. */
  source: 'microphone' | 'camera' | 'screen';
  /** Whether the track was on. */
  wasPublishing: boolean;
}

/** One call in any audit log. */
export interface OperatorsAuditEntry {
  /** Id of the entry. */
  id: string;
  /** Position in the log of the organization: 1, 2, 3 … without gaps. */
  sequence: number;
  /** When the call began. */
  at: string;
  /** Who made the call. */
  actor: AuditActor;
  /** The operation: its `operationId` in this reference. */
  operation: string;
  /** The ids that the call named, such as `roomId`, `uid` or `keyId`, and the `format` of an export. */
  target: Record<string, string>;
  /** The names of the fields in the body of the call. */
  fields: string[];
  /** What the call changed of organizations, credentials, API keys, webhook endpoints and dead letters, and which erasure it requested. */
  changes: AuditChange[];
  /** HTTP status of the answer; null if it is unknown, because the gateway ended before it answered. */
  status: number | null;
  /** Address of the client. Null where it is not shown: organizations do not see those of operators. */
  address: string | null;
  /** `X-Request-Id` of the call. */
  requestId: string;
  /** SHA-256 over this entry and the hash of the one before, hexadecimal. Keep it to prove later what came before. */
  hash: string;
  /** The organization in whose log the entry is; null for the log of the operators. */
  organizationId: string | null;
}

/** A school or a company that calls the API. */
export interface Organization {
  /** Id of the organization in events, addresses and logs. It is no secret and never changes. */
  id?: string;
  /** Id of the organization. */
  organizationId: string;
  /** Display name. */
  name: string;
  /** The billing plan; null if there is none. */
  billing: { type: 'PREPAID'; credits: number; creditRate: number; currency: string } | {
    type: 'POSTPAID';
    billingFrequency: 'WEEKLY' | 'MONTHLY';
    cycleStartDate: string;
    creditRate: number;
    currency: string;
  } | null;
  /** Hosts whose pages may embed the class. */
  verifiedDomains: string[];
  /** Logo and colors of the class page. */
  branding: { logoUrl: string | null; primaryColor: string | null; accentColor: string | null };
  /** How long personal data is kept. */
  retention: {
    presence: number;
    addresses: number;
    chat: number;
    polls: number;
    board: number;
    engagement: number;
    aiDialogues: number;
    recordings: number;
  };
  /** Consent to recordings, and AI, in new rooms. */
  consent: ConsentSettings;
  /** The attendance policy of new rooms; null if none is set. */
  attendance: AttendancePolicy | null;
  /** What the organization may store and have transcoded. */
  quotas: { videoGib: number | null; videoMinutes: number | null };
  /** What is asked before a participant joins; null if there is none. */
  joinHook: JoinHook | null;
  /** When the organization was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** When its erasure was requested, from when on it can only read; null if it was not. */
  closedAt?: string | null;
  /** When its erasure begins, from when on it can only read that; null if it was not requested. */
  erasureBeginsAt?: string | null;
}

/** Where a list continues. */
export interface Pagination {
  /** Cursor of the next page; null on the last. */
  nextCursor: string | null;
  /** Whether there is a next page. */
  hasMore: boolean;
}

/** A person for whom a token of the room was created. */
export interface Participant {
  /** Your id of the participant. */
  uid: string;
  /** Display name of the participant. */
  name: string;
  /** Role in the room. */
  role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN';
  /** Address of the participant’s photo; null if there is none. */
  photoURL: string | null;
  /** Whether the participant is connected now. */
  isConnected: boolean;
  /** When the current connection began, otherwise the latest; null if there never was one. */
  joinedAt: string | null;
  /** When the latest connection ended; null while connected, or if there never was one. */
  leftAt: string | null;
  /** When the participant was last removed: earlier tokens no longer admit them. Null if they never were. */
  removedAt: string | null;
}

/** How well sound and picture of a class reached a participant, and why not better. */
export interface ParticipantQuality {
  /** Your id of the participant. */
  uid: string;
  /** Display name of the participant. */
  name: string;
  /** Role of the participant in the room. */
  role: string;
  /** `good`: no cause was found. `poor`: a fifth of the minutes or more were bad. Null: nothing was measured. */
  verdict: 'good' | 'fair' | 'poor' | null;
  /** What was wrong, in the order of time: the first 50. */
  causes: QualityCause[];
  /** Mean of the minutes; null if nothing arrived. */
  mos: number | null;
  /** Number of connections. */
  connections: number;
  /** Seconds in class, to a tenth. */
  connectedSeconds: number;
  /** Seconds that were measured, to a tenth. */
  measuredSeconds: number;
  /** Seconds from pressing “Join” to being connected, at the first join; null if not measured. */
  joinSeconds: number | null;
  /** The minutes, oldest first: the last 1,000. */
  minutes: QualityMinute[];
}

/** A poll with each participant’s vote. */
export interface PollReport {
  /** Id of the poll, a UUID. */
  pollId: string;
  /** The question. */
  question: string;
  /** The options in the order given at creation. A vote refers to an option by its index. */
  options: { text: string; votes: number }[];
  /** `true`: only who manages polls sees the votes for each option before the poll is closed. Otherwise absent. */
  hideResult?: boolean;
  /** Index of the correct option, from 0. Absent if none is marked, and in class until the poll is closed. */
  correctOption?: number;
  /** `open` until it is closed for votes. */
  status: 'open' | 'closed';
  /** Number of votes. */
  totalVotes: number;
  /** Who opened the poll. */
  createdBy: { uid: string; name: string };
  /** When the poll was opened. */
  createdAt: string;
  /** When it was closed; null while it is open. */
  closedAt: string | null;
  /** Who voted for what. */
  votes: { uid: string; name: string; option: number; votedAt: string }[];
}

/** The entry that was posted, and the balance after it. */
export interface PostedCredits {
  /** The ledger entry. */
  entry: LedgerEntry;
  /** The balance after it. */
  balance: Balance;
  /** Whether the reference had been posted before; then nothing changed. */
  replayed: boolean;
}

/** Credits used in the current cycle. */
export interface PostpaidBalance {
  /** The billing plan. */
  type: 'POSTPAID';
  /** Always `CONSUMED`. */
  status: 'CONSUMED';
  /** Length of a cycle. */
  billingFrequency: 'WEEKLY' | 'MONTHLY';
  /** Start of the current cycle. */
  cycleStartDate: string;
  /** Credits used in the current cycle. */
  creditsConsumed: number;
  /** The same as `creditsConsumed`. */
  creditsThisCycle: number;
  /** Price of one credit in `currency`. */
  creditRate: number;
  /** Cost of the current cycle so far, in `currency`. */
  estimatedCost: number;
  /** ISO 4217 code, such as `USD`. */
  currency: string;
  /** Classes charged in the current cycle. */
  classroomsThisCycle: number;
  /** The balance in a sentence. */
  message: string;
  /** What the live classes use; absent while no participant is connected. */
  forecast?: { creditsPerHour: number };
}

/** Credits left of those that were bought. */
export interface PrepaidBalance {
  /** The billing plan. */
  type: 'PREPAID';
  /** `OVERCONSUMED` while more credits were used than were bought; new rooms may then be refused with 402. */
  status: 'ACTIVE' | 'OVERCONSUMED';
  /** Credits left; negative when overconsumed. One credit is one minute of one participant. */
  remainingCredits: number;
  /** The absolute value of `remainingCredits`. */
  displayCredits: number;
  /** Whether more credits were used than were bought. */
  isOverconsumed: boolean;
  /** Price of one credit in `currency`. */
  creditRate: number;
  /** `remainingCredits` × `creditRate`, in `currency`. */
  estimatedValue: number;
  /** ISO 4217 code, such as `USD`. */
  currency: string;
  /** The balance in a sentence. */
  message: string;
  /** What the live classes use; absent while no participant is connected. */
  forecast?: { creditsPerHour: number; reachesZeroAt: string | null };
}

/** A named template for rooms. */
export interface Preset {
  /** Name of the preset. */
  name: string;
  /** How the class pages look; what was omitted has the defaults of *Create room*. */
  customization: { showLobby?: boolean; showVideoControls?: boolean; theme?: string };
  /** Settings of the rooms; what was omitted has the defaults of *Create room*. */
  settings: {
    maxParticipants?: number;
    emptyTimeout?: number;
    autoRecord?: boolean;
    budget?: { maxCredits: number; onReached: 'warn' | 'closeDoors' | 'endClass' };
    attendance?: { lateAfter?: number; leftBefore?: number; minimumPresence?: number; reconnectGrace?: number } | null;
    waitingRoom?: 'OFF' | 'STUDENTS' | 'ALL';
    duplicateJoin?: 'replace' | 'refuse';
    muteOnJoin?: boolean;
    chat?: { mode?: 'ALL' | 'TEACHERS' | 'OFF'; slowModeSeconds?: number };
    permissions?: {
      TEACHER?: {
        publishAudio?: boolean;
        publishVideo?: boolean;
        shareScreen?: boolean;
        chat?: boolean;
        raiseHand?: boolean;
        react?: boolean;
        answerPolls?: boolean;
        managePolls?: boolean;
        draw?: boolean;
        manageBoard?: boolean;
        manageParticipants?: boolean;
        startRecording?: boolean;
        stopRecording?: boolean;
        endClass?: boolean;
        changeRoom?: boolean;
      };
      STUDENT?: {
        publishAudio?: boolean;
        publishVideo?: boolean;
        shareScreen?: boolean;
        chat?: boolean;
        raiseHand?: boolean;
        react?: boolean;
        answerPolls?: boolean;
        managePolls?: boolean;
        draw?: boolean;
        manageBoard?: boolean;
        manageParticipants?: boolean;
        startRecording?: boolean;
        stopRecording?: boolean;
        endClass?: boolean;
        changeRoom?: boolean;
      };
      MODERATOR?: {
        publishAudio?: boolean;
        publishVideo?: boolean;
        shareScreen?: boolean;
        chat?: boolean;
        raiseHand?: boolean;
        react?: boolean;
        answerPolls?: boolean;
        managePolls?: boolean;
        draw?: boolean;
        manageBoard?: boolean;
        manageParticipants?: boolean;
        startRecording?: boolean;
        stopRecording?: boolean;
        endClass?: boolean;
        changeRoom?: boolean;
      };
      ADMIN?: {
        publishAudio?: boolean;
        publishVideo?: boolean;
        shareScreen?: boolean;
        chat?: boolean;
        raiseHand?: boolean;
        react?: boolean;
        answerPolls?: boolean;
        managePolls?: boolean;
        draw?: boolean;
        manageBoard?: boolean;
        manageParticipants?: boolean;
        startRecording?: boolean;
        stopRecording?: boolean;
        endClass?: boolean;
        changeRoom?: boolean;
      };
    };
    consent?: {
      recording?: { ask: 'join' | 'recording'; without: 'refuse' | 'mute' | 'hide'; version: string; text: string } | null;
      ai?: boolean;
    };
    joinBefore?: number;
    maxDuration?: number;
  };
  /** When the preset was last set. */
  updatedAt: string;
}

/** A field of a request, and what is wrong with it. */
export interface Problem {
  /** Path of the field, with dots: `participant.uid`. */
  path: string;
  /** What is wrong with the field. */
  message: string;
}

/** Something that made the class worse for a participant. */
export interface QualityCause {
  /** What was wrong. More may be added. */
  code: 'SLOW_JOIN' | 'RECONNECTED' | 'LOSS_RECEIVED' | 'LOSS_SENT' | 'ROUND_TRIP' | 'JITTER' | 'FREEZES';
  /** The same in words, times in UTC: `High packet loss (12 %) from 10:04 to 10:09`. */
  text: string;
  /** When it began. */
  from: string;
  /** When it ended. */
  until: string;
}

/** The quality of a connection in one minute. */
export interface QualityMinute {
  /** When the minute began. */
  startedAt: string;
  /** Seconds that were measured, to a tenth. */
  measuredSeconds: number;
  /** Mean opinion score of the sound that arrived, 1 to 4.4, estimated from loss, round trip and jitter by the E-model (ITU-T G.107); null if nothing arrived. */
  mos: number | null;
  /** Received media in kbit/s. */
  receivedKbps: number;
  /** Sent media in kbit/s. */
  sentKbps: number;
  /** Lost packets in percent of those that were sent to the participant; null if there were none. */
  lossPercent: number | null;
  /** Lost packets in percent of those that the participant sent; null if there were none. */
  sentLossPercent: number | null;
  /** Milliseconds to the media server and back; null if not measured. */
  roundTripMs: number | null;
  /** Milliseconds that media waited to be played evenly: what jitter cost. Null if not measured. */
  bufferMs: number | null;
  /** How often a video stood still. */
  freezes: number;
  /** Seconds in which a video stood still, to a tenth. */
  frozenSeconds: number;
  /** How often the connection was lost. */
  reconnections: number;
}

/** A recording of a class. */
export interface Recording {
  /** Id of the recording: `rec_` and the `egressId`. */
  recordingId: string;
  /** Your id of the room. */
  roomId: string;
  /** `STARTING`, `ACTIVE`, `ENDING` (the file is being finalized), `COMPLETED` (the file is available), `FAILED` or `ABORTED`. */
  status: 'STARTING' | 'ACTIVE' | 'ENDING' | 'COMPLETED' | 'FAILED' | 'ABORTED';
  /** When the recording began. */
  startedAt: string;
  /** When it ended; null while it runs. */
  endedAt: string | null;
  /** Seconds: the length of the file if it exists, otherwise the time recorded so far. */
  duration: number;
  /** The recordings whose files are in this one, in their order; empty for a recording of the room itself. */
  mergedFrom: string[];
  /** Whether the file has sound only. */
  audioOnly: boolean;
  /** Why there is no file, or no whole one, for people; null if nothing is wrong. The text may change: branch on `health`. */
  reason: string | null;
  /** `OK`; `STALLED`: its recorder does not answer, the recording fails unless that comes back; `RETRYING`: it did not begin, another recorder tries; `LIMIT_REACHED`: the file ends at the greatest length of a recording; `CUT`: the file ends where the recorder broke off; `FAILED`: there is no file. More may be added. */
  health: 'OK' | 'STALLED' | 'RETRYING' | 'LIMIT_REACHED' | 'CUT' | 'FAILED';
  /** Whether it ended by a pause. The next recording continues it if it was resumed. */
  paused: boolean;
  /** Until when the file can be downloaded, in the past if it was deleted; null while that is not known: before the class has ended or the file exists, and during a legal hold. */
  availableUntil?: string | null;
  /** The copy in your own bucket; null if there is none to be. */
  copy: RecordingCopy | null;
}

/** The organization’s own bucket, to which its recordings are copied. */
export interface RecordingBucket {
  /** Address of the S3 API. */
  endpoint: string;
  /** Region of the bucket. */
  region: string;
  /** Name of the bucket. */
  bucket: string;
  /** Folder for the copies; empty: none. */
  prefix: string;
  /** Id of the key. */
  accessKeyId: string;
  /** Whether the bucket’s name is in the path of the address. */
  forcePathStyle: boolean;
  /** `FAILING`: the last attempt to write to the bucket failed. */
  state: 'OK' | 'FAILING';
  /** Why the last attempt failed; null if it succeeded. `unreachable`, `access-denied`, `no-such-bucket`, `wrong-region`, `storage-full`, `refused` (by the storage, for another reason) or `address-refused`: about your bucket. `key-unreadable`: the stored key can’t be decrypted, set the bucket again. `file-unavailable` or `file-missing`: about the file here. `retention-ended`, `bucket-removed` or `erased`: why the copy was given up. More may be added. */
  error: string | null;
  /** Since when every attempt has failed; null if the last one succeeded. */
  failingSince: string | null;
  /** When the last copy was complete; null before the first. */
  lastCopiedAt: string | null;
  /** When the bucket was set. */
  updatedAt: string;
}

/** The copy of a recording in the organization’s own bucket. */
export interface RecordingCopy {
  /** `PENDING`: an attempt follows. `COPIED`: the file is in your bucket. `FAILED`: given up. */
  status: 'PENDING' | 'COPIED' | 'FAILED';
  /** When the copy was complete; null before. */
  copiedAt: string | null;
  /** Key of the file in your bucket; null until it is copied. */
  key: string | null;
  /** Why the last attempt failed; null if none did. `unreachable`, `access-denied`, `no-such-bucket`, `wrong-region`, `storage-full`, `refused` (by the storage, for another reason) or `address-refused`: about your bucket. `key-unreadable`: the stored key can’t be decrypted, set the bucket again. `file-unavailable` or `file-missing`: about the file here. `retention-ended`, `bucket-removed` or `erased`: why the copy was given up. More may be added. */
  error: string | null;
}

/** The files of a class that has ended. */
export interface RecordingDownloads {
  /** Your id of the room. */
  roomId: string;
  /** The files that are available. */
  files: RecordingFile[];
  /** Time until the first file is deleted, such as `5h 42m`. */
  expiresIn: string;
  /** The end of `expiresIn` as a timestamp. From then on the answer is 410. */
  availableUntil: string;
}

/** A recording, in its events. */
export interface RecordingEventData {
  /** Your id of the room. */
  roomId: string;
  /** Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations. */
  sid: string;
  /** Id of the recording, `rec_` and `egressId`. */
  recordingId: string;
  /** Id of the recording job. */
  egressId: string;
  /** Status of the recording, such as `COMPLETED`. More may be added. */
  status: string;
  /** When the recording began. */
  startedAt: string;
  /** When it ended; null while it runs. */
  endedAt: string | null;
  /** Seconds of the file; null until it is known. */
  duration: number | null;
  /** Why there is no file, or no whole one; null if nothing is wrong. */
  reason: string | null;
  /** What is wrong: `OK`, `STALLED`, `RETRYING`, `LIMIT_REACHED`, `CUT` or `FAILED`, as in the list of recordings. More may be added. */
  health: string;
}

/** The file of a recording, with a link to download it. */
export interface RecordingFile {
  /** Id of the recording, as in the list. */
  recordingId: string;
  /** Name of the file. */
  filename: string;
  /** Signed address of the file, valid for about an hour. */
  downloadUrl: string;
  /** Until this time `downloadUrl` opens the file; call again for a new one. */
  urlExpiresAt: string;
  /** Size in bytes. */
  size: number;
  /** Length in seconds. */
  duration: number;
  /** When the recording began. */
  startedAt: string;
  /** When it ended. */
  endedAt: string;
  /** The recordings whose files are in this one, in their order; empty for a recording of the room itself. */
  mergedFrom: string[];
  /** Whether the file has sound only. */
  audioOnly: boolean;
  /** Why there is no file, or no whole one, for people; null if nothing is wrong. The text may change: branch on `health`. */
  reason: string | null;
  /** `OK`; `STALLED`: its recorder does not answer, the recording fails unless that comes back; `RETRYING`: it did not begin, another recorder tries; `LIMIT_REACHED`: the file ends at the greatest length of a recording; `CUT`: the file ends where the recorder broke off; `FAILED`: there is no file. More may be added. */
  health: 'OK' | 'STALLED' | 'RETRYING' | 'LIMIT_REACHED' | 'CUT' | 'FAILED';
  /** The copy in your own bucket; null if there is none to be. */
  copy: RecordingCopy | null;
}

/** How long a recording is kept. */
export interface RecordingHold {
  /** Id of the recording. */
  recordingId: string;
  /** Your id of the room. */
  roomId: string;
  /** Whether the files are kept until the hold ends. */
  legalHold: boolean;
  /** When the files are deleted; null during a hold and while the class runs. */
  deleteAt: string | null;
}

/** A participant who was removed. */
export interface RemovedParticipant {
  /** Your id of the participant. */
  uid: string;
  /** Whether the participant was connected at that moment. */
  wasConnected: boolean;
}

/** How many deliveries will be sent again. */
export interface ReplayedWebhooks {
  /** Deliveries that will be sent, at most 10,000 per call. */
  queued: number;
  /** Whether there are more events; repeat the same call to continue. */
  hasMore: boolean;
}

/** An API key that was revoked. */
export interface RevokedApiKey {
  /** Id of the key. */
  keyId: string;
  /** When the key was revoked. */
  revokedAt: string;
  /** Ids of the keys that were revoked with it, because it created them. */
  alsoRevoked?: string[];
}

/** A credential that was revoked. */
export interface RevokedCredential {
  /** Id of the credential. */
  credentialId: string;
  /** When the credential was revoked. */
  revokedAt: string;
}

/** The dashboard tokens of an organization that were revoked. */
export interface RevokedDashboardTokens {
  /** Id of the organization. */
  organizationId: string;
  /** When the tokens were revoked. */
  revokedAt: string;
}

/** What each role may do, where that differs from the role. The `permissions` of a participant come before it. */
export interface RolePermissions {
  /** Of teachers. */
  TEACHER?: {
    publishAudio?: boolean;
    publishVideo?: boolean;
    shareScreen?: boolean;
    chat?: boolean;
    raiseHand?: boolean;
    react?: boolean;
    answerPolls?: boolean;
    managePolls?: boolean;
    draw?: boolean;
    manageBoard?: boolean;
    manageParticipants?: boolean;
    startRecording?: boolean;
    stopRecording?: boolean;
    endClass?: boolean;
    changeRoom?: boolean;
  };
  /** Of students. */
  STUDENT?: {
    publishAudio?: boolean;
    publishVideo?: boolean;
    shareScreen?: boolean;
    chat?: boolean;
    raiseHand?: boolean;
    react?: boolean;
    answerPolls?: boolean;
    managePolls?: boolean;
    draw?: boolean;
    manageBoard?: boolean;
    manageParticipants?: boolean;
    startRecording?: boolean;
    stopRecording?: boolean;
    endClass?: boolean;
    changeRoom?: boolean;
  };
  /** Of moderators. */
  MODERATOR?: {
    publishAudio?: boolean;
    publishVideo?: boolean;
    shareScreen?: boolean;
    chat?: boolean;
    raiseHand?: boolean;
    react?: boolean;
    answerPolls?: boolean;
    managePolls?: boolean;
    draw?: boolean;
    manageBoard?: boolean;
    manageParticipants?: boolean;
    startRecording?: boolean;
    stopRecording?: boolean;
    endClass?: boolean;
    changeRoom?: boolean;
  };
  /** Of admins. */
  ADMIN?: {
    publishAudio?: boolean;
    publishVideo?: boolean;
    shareScreen?: boolean;
    chat?: boolean;
    raiseHand?: boolean;
    react?: boolean;
    answerPolls?: boolean;
    managePolls?: boolean;
    draw?: boolean;
    manageBoard?: boolean;
    manageParticipants?: boolean;
    startRecording?: boolean;
    stopRecording?: boolean;
    endClass?: boolean;
    changeRoom?: boolean;
  };
}

/** A class, with its state. */
export interface Room {
  /** Your id of the room. */
  roomId: string;
  /** Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations. */
  sid: string;
  /** Title of the room. */
  title: string;
  /** `created`: no participant has joined yet. `live`: the class is running. `finished`: it is over and cannot be resumed. */
  status: 'created' | 'live' | 'finished';
  /** Number of participants who are connected now. */
  participantCount: number;
  /** Whether a teacher is connected now. */
  hasTeacher: boolean;
  /** Whether a recording is running. */
  isRecording: boolean;
  /** When the room was created. */
  createdAt: string;
  /** When the first participant joined; null before. */
  startedAt: string | null;
  /** When the class ended; null before. */
  endedAt: string | null;
  /** When the class is planned to start; null if it has no time. */
  startsAt?: string | null;
  /** Names of the teachers for whom a token was created, at most 3. */
  teachers?: string[];
  /** Number of participants who joined. */
  totalParticipants?: number;
}

/** The board of a room. */
export interface RoomBoard {
  /** Whether the class sees the board. */
  isShown: boolean;
  /** The page that the class sees; null if the board has none. */
  currentPageId: string | null;
  /** All pages, in order. */
  pages: {
    pageId: string;
    template: 'blank' | 'grid' | 'lines' | 'music';
    documentId: string | null;
    documentPage: number | null;
    elements: BoardElement[];
  }[];
}

/** What the tutor knows of a class. */
export interface RoomContext {
  /** Your id of the room. */
  roomId: string;
  /** Topic of the class; null if none is set. */
  topic: string | null;
  /** The notes; null if none are set. */
  notes: string | null;
  /** When the context last changed. */
  updatedAt: string;
}

/** The settings of a room. */
export interface RoomSettings {
  /** Maximum number of participants at the same time. */
  maxParticipants: number;
  /** Seconds from the last leave to the end of the class. */
  emptyTimeout: number;
  /** Who waits until they are admitted. `OFF`: no participant. `STUDENTS`: students; a teacher, moderator, admin or your backend admits them. `ALL`: everyone except admins. Who waits gets nothing of the class, takes no place and costs nothing. */
  waitingRoom: 'OFF' | 'STUDENTS' | 'ALL';
  /** What happens when a participant who is in class joins from another device. `replace`: the new device replaces the other. `refuse`: the new one gets `ALREADY_CONNECTED` as long as the other is connected; the token then opens sessions only and does not connect to LiveKit by itself. */
  duplicateJoin: 'replace' | 'refuse';
  /** Whether everyone enters with the microphone off, except who manages participants. They turn it on themselves, in the lobby or in class. */
  muteOnJoin: boolean;
  /** The most credits that the class may use; null: no limit. */
  budget: { maxCredits: number; onReached: 'warn' | 'closeDoors' | 'endClass' } | null;
  /** The attendance policy; null: attendance is not evaluated. */
  attendance: AttendancePolicy | null;
  /** Whether a recording starts with the first published track. */
  autoRecord: boolean;
  /** Who may write in the chat, and how often. */
  chat: ChatSettings;
  permissions: RolePermissions;
  /** Which consent to recordings the class asks for, and whether AI may be used. */
  consent: ConsentSettings;
  /** When the lesson starts. The room opens `joinBefore` seconds earlier; teachers and admins may enter at any time. `emptyTimeout` does not end the class before it. Null if there is none. */
  startsAt: string | null;
  /** When the class ends for everyone. Null if there is none. */
  endsAt: string | null;
  /** Seconds before `startsAt` at which the room opens. */
  joinBefore: number;
  /** Seconds after which the class ends for everyone, 60 to 86,400, counted from the first join or, if that is later, from `startsAt`. Null if there is no limit. */
  maxDuration: number | null;
}

/** Whether a room exists and is live. Only `exists`, `isActive` and `roomId` if it does not exist. */
export type RoomStatusReport = {
  exists: true;
  isActive: boolean;
  roomId: string;
  title: string;
  participantCount: number;
  hasTeacher: boolean;
  isRecording: boolean;
  createdAt: string;
  startedAt: string | null;
} | { exists: false; isActive: false; roomId: string };

/** The totals of a class. */
export interface RoomSummary {
  /** Your id of the room. */
  roomId: string;
  /** Title of the room. */
  roomName: string;
  /** Credits of the class: the minutes of all participants, summed and rounded up once. */
  totalCredits: number;
  /** Number of participants who joined. */
  totalParticipants: number;
  /** Mean seconds per participant. */
  avgStay: number;
  /** When the class began and ended. */
  timestamps: { startedAt: string | null; endedAt: string | null };
  /** The budget of the class, if it has one; `totalCredits` are used of it. */
  budget?: { maxCredits: number; onReached: 'warn' | 'closeDoors' | 'endClass' };
  /** `finished` after the class, otherwise `live`, also before the first participant joins. */
  status: 'live' | 'finished';
}

/** One stay of a participant in a room, from join to leave. */
export interface Session {
  /** When the session began. */
  joinedAt: string;
  /** When it ended; null while it continues. */
  leftAt: string | null;
  /** Seconds, up to now while it continues. */
  duration: number;
  /** The session’s share of the credits, two decimals. For display: the sum is rounded once per room. */
  creditsConsumed: number;
  /** The participant’s address, if known. */
  ipAddress?: string;
  /** Whether the session continues. */
  isActive: boolean;
  /** The evidence that opened it: `webhook`, or `reconciler` for a list of connected participants. More may be added. */
  openedBy?: string;
  /** The evidence that closed it: also `room_end`, the end of the class; null while it continues. More may be added. */
  closedBy?: string | null;
}

/** A participant’s sessions in all rooms, grouped by room. */
export interface SessionsByRoom {
  /** The participant. */
  participant: { uid: string; name: string | null; role: string | null };
  /** One entry per room, newest first. */
  roomGroups: {
    roomId: string;
    roomTitle: string;
    sessions: Session[];
    totalDuration: number;
    totalCredits: number;
    averageDuration: number;
    sessionCount: number;
  }[];
  /** Totals over all rooms and pages. */
  summary: {
    totalSessions: number;
    totalDuration: number;
    totalCredits: number;
    averageDuration: number;
    roomsAttended: number;
    dateRange: { from: string; to: string };
  };
  /** The page. */
  pagination: { page: number; limit: number; totalRooms: number; hasMore: boolean };
}

/** A participant’s sessions in one room. */
export interface SessionsInRoom {
  /** The participant. */
  participant: { uid: string; name: string | null; role: string | null };
  /** The room, with the participant’s totals in it. */
  room: { roomId: string; roomTitle: string | null; totalDuration: number; totalCredits: number; averageDuration: number };
  /** The sessions, newest first. */
  sessions: Session[];
  /** Totals over all pages. */
  summary: {
    totalSessions: number;
    totalDuration: number;
    totalCredits: number;
    averageDuration: number;
    roomsAttended: number;
    dateRange: { from: string; to: string };
  };
  /** The page. */
  pagination: { page: number; limit: number; total: number; hasMore: boolean };
}

/** A recording that was started. */
export interface StartedRecording {
  /** Id of the recording job. */
  egressId: string;
  /** Your id of the room. */
  roomId: string;
  /** Status with the prefix `EGRESS_`, such as `EGRESS_STARTING`. */
  status: string;
  /** When the recording began. */
  startedAt: string;
}

/** The summary of one closed billing cycle. */
export interface Statement {
  /** Id of the statement. */
  statementId: string;
  /** Start of the cycle, inclusive. */
  cycleStart: string;
  /** End of the cycle, exclusive. */
  cycleEnd: string;
  /** Credits used in the cycle. */
  creditsConsumed: number;
  /** Amount due, in `currency`. */
  amount: number;
  /** ISO 4217 code, such as `USD`. */
  currency: string;
  /** Classes charged in the cycle. */
  classrooms: number;
  /** When the statement was made. */
  closedAt: string;
}

/** A recording that was stopped; its file is finalized next. */
export interface StoppedRecording {
  /** Id of the recording job. */
  egressId: string;
  /** Status with the prefix `EGRESS_`, such as `EGRESS_ENDING`. */
  status: string;
  /** Seconds recorded so far. */
  duration: number;
  /** Hours after the end of the class for which the file can be downloaded. */
  keptHours?: number;
}

/** The processes of the installation, and what waits. */
export interface System {
  /** When the processes were asked. */
  at: string;
  /** Every process that answered. Answers are waited for until no more arrive, 1.5 seconds at most. */
  processes: {
    version: string;
    roles: string[];
    startedAt: string;
    slots: number | null;
    freeSlots: number | null;
    service: string;
  }[];
  /** The services without a process that answered. Recorders are not among them: an installation with LiveKit Egress has none. */
  missing?: string[];
  /** The queues of jobs. */
  queues: { queue: string; overdueSeconds: number; service: string }[];
  /** The consumers of events. */
  consumers: { consumer: string; waiting: number; lagSeconds: number; service: string }[];
  /** Address of slow traces (`TRACES_URL` of the gateway); null if none is configured. */
  tracesUrl: string | null;
}

/** Tokens of the models. */
export interface TokenUsage {
  /** Tokens that the models read. */
  inputTokens: number;
  /** Tokens that the models wrote. */
  outputTokens: number;
}

/** A question that a class asked. */
export interface TopQuery {
  /** The question, as one of the students asked it. */
  question: string;
  /** The tutor’s answer. */
  answer: string;
  /** How often it was asked. */
  frequency: number;
}

/** What the questions of a room cost. */
export interface TutorCosts {
  /** Your id of the room. */
  roomId: string;
  /** The totals of the room. */
  total: { interactions: number; inputTokens: number; outputTokens: number; cost: number };
  /** One entry per student, by uid. */
  students: { studentUid: string; interactions: number; inputTokens: number; outputTokens: number; cost: number }[];
  /** Where the list continues. */
  pagination: Pagination;
}

/** A stored video. */
export interface Video {
  /** Id of the video. */
  videoId: string;
  /** Display title. */
  title: string;
  /** Name of the uploaded file. */
  fileName: string;
  /** Size of the source in bytes. */
  size: number;
  /** `pending`: the upload or the transcoding has not begun. `processing`: it is being transcoded. `completed`: it can be played. `failed`: it never will be. */
  status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Progress of the transcoding in percent, 0 to 100. */
  progress: number;
  /** Form of the stream; null until it is known. */
  type: 'hls' | 'mp4' | null;
  /** Length in seconds; null until it is known. */
  duration: number | null;
  /** When the video was created. */
  createdAt: string;
  /** Why the video failed or waits. Present if there is something to say. */
  message?: string;
}

/** The caption tracks of a video. */
export interface VideoCaptions {
  /** Id of the video. */
  videoId: string;
  /** All tracks of the video. */
  captions: Caption[];
}

/** Status and transcoding progress of a video. */
export interface VideoProgress {
  /** Id of the video. */
  videoId: string;
  /** `pending`: the upload or the transcoding has not begun. `processing`: it is being transcoded. `completed`: it can be played. `failed`: it never will be. */
  status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Progress of the transcoding in percent, 0 to 100. */
  progress: number;
  /** When the video was created. */
  createdAt: string;
  /** Why the video failed or waits. Present if there is something to say. */
  message?: string;
}

/** Signed addresses to play a video. */
export interface VideoUrl {
  /** Form of the stream: `hls` is a playlist, `mp4` one file; null until the video is ready. */
  type: 'hls' | 'mp4' | null;
  /** Signed playback address, valid for about an hour; null until the video is ready. */
  url: string | null;
  /** Signed address of the poster image, valid for about an hour; null if there is none. */
  posterUrl: string | null;
  /** `pending`: the upload or the transcoding has not begun. `processing`: it is being transcoded. `completed`: it can be played. `failed`: it never will be. */
  status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Why the video cannot be played. Present if there is something to say. */
  message?: string;
}

/** What an organization uses of its quotas. */
export interface VideoUsage {
  /** Bytes that videos and documents occupy: uploads with the size that they declare, and the files that are made of them. */
  bytes: number;
  /** Bytes that they may occupy. */
  maxBytes: number;
  /** Minutes of videos that were transcoded in this calendar month (UTC), rounded up. */
  minutes: number;
  /** Minutes that may be transcoded in a month. */
  maxMinutes: number;
}

/** A voice for spoken answers. */
export interface Voice {
  /** Value for `voiceName`. */
  voiceName: string;
  /** Language of the voice, a BCP 47 tag such as `en`. */
  language: string;
  /** Whether this voice is used if the request names none. */
  isDefault: boolean;
}

/** A participant in the waiting room, whose page is open. */
export interface WaitingParticipant {
  /** Your id of the participant. */
  uid: string;
  /** Display name of the participant. */
  name: string;
  /** Role of the participant in the room. */
  role: string;
  /** When the participant began to wait. */
  waitingSince: string;
}

/** An event on its way to an endpoint. */
export interface WebhookDelivery {
  /** Id of the delivery. */
  deliveryId: string;
  /** Id of the event. */
  eventId: string;
  /** Type of the event. */
  type: string;
  /** `pending`: an attempt will follow. `delivered`: the endpoint answered 2xx. `failed`: given up. */
  status: 'pending' | 'delivered' | 'failed';
  /** Attempts since the delivery was created or last replayed. */
  attempts: number;
  /** When the next attempt is due; null if none is. */
  nextAttemptAt: string | null;
  /** When the delivery was created. */
  createdAt: string;
  /** The last attempt; null before the first. */
  lastAttempt: { at: string; statusCode: number | null; error: string | null; durationMs: number; responseBody: string | null } | null;
}

/** A delivery with the request body. */
export interface WebhookDeliveryDetails {
  /** Id of the delivery. */
  deliveryId: string;
  /** Id of the event. */
  eventId: string;
  /** Type of the event. */
  type: string;
  /** `pending`: an attempt will follow. `delivered`: the endpoint answered 2xx. `failed`: given up. */
  status: 'pending' | 'delivered' | 'failed';
  /** Attempts since the delivery was created or last replayed. */
  attempts: number;
  /** When the next attempt is due; null if none is. */
  nextAttemptAt: string | null;
  /** When the delivery was created. */
  createdAt: string;
  /** The last attempt; null before the first. */
  lastAttempt: { at: string; statusCode: number | null; error: string | null; durationMs: number; responseBody: string | null } | null;
  /** The request body as text. The signature covers its bytes. */
  payload: string;
}

/** A URL that receives events. */
export interface WebhookEndpoint {
  /** Id of the endpoint. */
  endpointId: string;
  /** Address to which events are sent. */
  url: string;
  /** The event types to send; empty means all. */
  eventTypes: string[];
  /** A note of your own. */
  description: string;
  /** Whether events are sent. */
  isEnabled: boolean;
  /** `requested`: you disabled it. `gone`: it answered 410. `failing`: every attempt failed for five days. Null while enabled. */
  disabledReason: 'requested' | 'gone' | 'failing' | null;
  /** When it was disabled; null while enabled. */
  disabledAt: string | null;
  /** The time since which every attempt has failed, without two days in which none was made; null if the last one succeeded. */
  failingSince: string | null;
  /** When the endpoint was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
}

/** A webhook endpoint and its signing secret. */
export interface WebhookEndpointWithSecret {
  /** Id of the endpoint. */
  endpointId: string;
  /** Address to which events are sent. */
  url: string;
  /** The event types to send; empty means all. */
  eventTypes: string[];
  /** A note of your own. */
  description: string;
  /** Whether events are sent. */
  isEnabled: boolean;
  /** `requested`: you disabled it. `gone`: it answered 410. `failing`: every attempt failed for five days. Null while enabled. */
  disabledReason: 'requested' | 'gone' | 'failing' | null;
  /** When it was disabled; null while enabled. */
  disabledAt: string | null;
  /** The time since which every attempt has failed, without two days in which none was made; null if the last one succeeded. */
  failingSince: string | null;
  /** When the endpoint was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  /** The secret that signs deliveries: `whsec_` and the key in base64, as the Standard Webhooks libraries accept it. It is shown only here. */
  secret: string;
  /** Until this time deliveries are signed with the previous secret as well; null if there is none. */
  previousSecretExpiresAt: string | null;
}

/** A class with everything that was given for it, and what happened. */
export interface WholeRoom {
  /** Your id of the room. */
  roomId: string;
  /** Our id of the room, `RM_…`. Unlike a `roomId` it is unique over all organizations. */
  sid: string;
  /** Title of the room. */
  title: string;
  /** `created`: no participant has joined yet. `live`: the class is running. `finished`: it is over and cannot be resumed. */
  status: 'created' | 'live' | 'finished';
  /** Number of participants who are connected now. */
  participantCount: number;
  /** Whether a teacher is connected now. */
  hasTeacher: boolean;
  /** Whether a recording is running. */
  isRecording: boolean;
  /** When the room was created. */
  createdAt: string;
  /** When the first participant joined; null before. */
  startedAt: string | null;
  /** When the class ended; null before. */
  endedAt: string | null;
  /** Description of the room; null if there is none. */
  roomDescription: string | null;
  /** Data of your own; null if there is none. */
  metadata: Record<string, unknown> | null;
  /** How the class page looks. */
  customization: { showLobby: boolean; showVideoControls: boolean; theme: 'light' | 'dark' | 'auto' };
  /** The settings of the room. */
  settings: RoomSettings;
  /** Number of people on the roster, who are in *Get attendance* from the start of the lesson; 0: no roster. */
  rosterSize: number;
  /** Why the class ended: `deleted` by your backend, `class_ended` by a participant, `empty` for `emptyTimeout`, `schedule` for `endsAt` or `maxDuration`, `budget` for a budget with `endClass`, `unused`: no participant came. More may be added. Null before the end. */
  endReason: string | null;
}
