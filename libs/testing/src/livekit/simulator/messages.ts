/** The part of LiveKit's protocol that a service can see when it reads rooms and presence. Enums are names, as protojson writes them. */
export type ParticipantState = 'JOINING' | 'JOINED' | 'ACTIVE' | 'DISCONNECTED';

export const participantKinds = ['STANDARD', 'INGRESS', 'EGRESS', 'SIP', 'AGENT', 'CONNECTOR', 'BRIDGE'] as const;
export type ParticipantKind = (typeof participantKinds)[number];

/** The values of livekit_models.proto DisconnectReason that the simulator uses. */
export type DisconnectReason =
  | 'UNKNOWN_REASON'
  | 'CLIENT_INITIATED'
  | 'DUPLICATE_IDENTITY'
  | 'SERVER_SHUTDOWN'
  | 'PARTICIPANT_REMOVED'
  | 'ROOM_DELETED'
  | 'JOIN_FAILURE'
  | 'SIGNAL_CLOSE'
  | 'ROOM_CLOSED'
  | 'CONNECTION_TIMEOUT';

export interface Permission {
  canSubscribe: boolean;
  canPublish: boolean;
  canPublishData: boolean;
  canPublishSources: string[];
  hidden: boolean;
  recorder: boolean;
  canUpdateMetadata: boolean;
  agent: boolean;
  canSubscribeMetrics: boolean;
  canManageAgentSession: boolean;
}

export interface TrackMessage {
  sid: string;
  type: 'AUDIO' | 'VIDEO';
  name: string;
  muted: boolean;
  source: string;
}

/** A data packet that the server sent to a participant. */
export interface PacketMessage {
  topic: string;
  /** In base64, as in the request. */
  data: string;
}

export interface ParticipantMessage {
  sid: string;
  identity: string;
  name: string;
  state: ParticipantState;
  metadata: string;
  attributes: Record<string, string>;
  joinedAt: string;
  joinedAtMs: string;
  version: number;
  permission: Permission;
  isPublisher: boolean;
  kind: ParticipantKind;
  disconnectReason: DisconnectReason;
  tracks: TrackMessage[];
}

export interface RoomMessage {
  sid: string;
  name: string;
  emptyTimeout: number;
  departureTimeout: number;
  maxParticipants: number;
  creationTime: string;
  creationTimeMs: string;
  turnPassword: string;
  enabledCodecs: { mime: string }[];
  metadata: string;
  numParticipants: number;
  numPublishers: number;
  activeRecording: boolean;
}

export interface WebhookMessage {
  event: WebhookEventName;
  room: Partial<RoomMessage> & { name: string };
  participant?: Partial<ParticipantMessage>;
  track?: TrackMessage;
  id: string;
  createdAt: string;
}

export type WebhookEventName =
  | 'room_started'
  | 'room_finished'
  | 'participant_joined'
  | 'participant_left'
  | 'participant_connection_aborted'
  | 'track_published';

/** The keys of a map field stay unchanged; every other name is spelled as on the wire. */
const mapFields = new Set(['attributes']);
const zeroNames = new Set<unknown>(['JOINING', 'STANDARD', 'UNKNOWN_REASON', 'AUDIO', 'UNKNOWN']);
const enumFields = new Set(['state', 'kind', 'disconnectReason', 'type', 'source']);

/** Twirp answers: proto field names, every field present (twirp's JSON server, UseProtoNames and EmitUnpopulated). */
export function toTwirpJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toTwirpJson);
  if (value === null || typeof value !== 'object') return value;
  const out: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    out[snake(key)] = mapFields.has(key) ? field : toTwirpJson(field);
  }
  return out;
}

/** Webhooks: lowerCamelCase, default values omitted (protocol/webhook/resource_url_notifier.go uses protojson's defaults). */
export function toWebhookJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toWebhookJson);
  if (value === null || typeof value !== 'object') return value;
  const out: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    if (isDefault(key, field)) continue;
    out[key] = mapFields.has(key) ? field : toWebhookJson(field);
  }
  return out;
}

function isDefault(key: string, field: unknown): boolean {
  if (field === undefined || field === '' || field === 0 || field === false || field === '0') return true;
  if (Array.isArray(field)) return field.length === 0;
  if (mapFields.has(key)) return Object.keys(field as object).length === 0;
  return enumFields.has(key) && zeroNames.has(field);
}

const spelled = new Map<string, string>();

function snake(key: string): string {
  let name = spelled.get(key);
  if (name === undefined) {
    name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    spelled.set(key, name);
  }
  return name;
}
