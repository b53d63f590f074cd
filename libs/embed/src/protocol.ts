/**
 * What passes between the classroom's page in the iframe and the page that embeds it. The page itself is built from these
 * types: there is no second list of events.
 */
export const SOURCE = 'virtual-classroom';
export const VERSION = 1;

export type Role = 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN';
export type ClientState = 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'ended' | 'kicked' | 'error';
export type Quality = 'excellent' | 'good' | 'poor' | 'lost' | 'unknown';
export type VideoSource = 'camera' | 'screen_share';
/** Lines of the picture, by its shorter side (`720p`). `paused`: on, but no picture comes or goes. `off`: turned off, or never on. */
export type VideoQuality = `${number}p` | 'paused' | 'off';

export interface ParticipantData {
  uid: string;
  name: string;
  role: Role;
}

export type DisconnectReason =
  | 'voluntary_leave'
  | 'network_disconnect'
  | 'server_shutdown'
  | 'participant_removed'
  | 'class_ended'
  | 'duplicate_identity'
  | 'token_expired'
  | 'room_full'
  | 'unknown';

/** Every event of a class, by its type. */
export interface ClassroomEvents {
  connected: { uid: string; role: Role };
  disconnected: { reason: DisconnectReason; willReconnect: boolean };
  participant_joined: ParticipantData;
  participant_left: ParticipantData & { reason: 'left' | 'removed' };
  /** `deleted` by the backend, `class_ended` by a teacher, `empty` for too long; `unknown` where nobody could say. */
  class_ended: { reason: string };
  participant_removed: ParticipantData;
  recording_started: { egressId: string; status: string };
  recording_stopped: { egressId: string; status: string };
  /**
   * Of one participant's video as it is received here; of one's own, as it is sent. Every video begins with `off`; a quality
   * counts once it has held for two seconds.
   */
  quality_changed: { uid: string; source: VideoSource; from: VideoQuality; to: VideoQuality };
  /** Of one participant's connection; one's own included. */
  connection_quality_changed: { quality: Quality; uid: string };
  state_changed: { from: ClientState; to: ClientState };
  error: { code: string; message: string; fatal: boolean };
}
export type ClassroomEventType = keyof ClassroomEvents;

/** Page to host. `seq` rises by one with each message of one page, `timestamp` is ISO 8601 in UTC. */
export interface Envelope<T extends string, D> {
  source: typeof SOURCE;
  version: typeof VERSION;
  type: T;
  roomId: string;
  timestamp: string;
  seq: number;
  data: D;
}
export type EventMessage = { [T in ClassroomEventType]: Envelope<T, ClassroomEvents[T]> }[ClassroomEventType];
export interface CommandResult {
  id: string;
  ok: boolean;
  /** Why not: a sentence for developers. */
  error?: string;
}
export type OutgoingMessage = EventMessage | Envelope<'command_result', CommandResult>;

/** What the host may ask of the page, by command. */
export interface ClassroomCommands {
  leave: Record<string, never>;
  set_microphone: { enabled: boolean };
  set_camera: { enabled: boolean };
  start_screen_share: Record<string, never>;
  raise_hand: { raised: boolean };
  set_layout: { layout: 'grid' | 'speaker' };
}
export type ClassroomCommand = keyof ClassroomCommands;

/** Host to page. `id` comes back in the result. */
export type CommandMessage = {
  [C in ClassroomCommand]: { source: typeof SOURCE; version: typeof VERSION; command: C; args: ClassroomCommands[C]; id: string };
}[ClassroomCommand];

/**
 * Host to page, first: for browsers that don't name a framed page's embedder (no ancestorOrigins, no referrer). From a
 * verified origin it opens the channel; what was said since the page began, at most the last 200 messages, is then sent in
 * order.
 */
export interface Hello {
  source: typeof SOURCE;
  version: typeof VERSION;
  command: 'hello';
}

/** What the iframe needs to be allowed; without it browsers refuse camera, microphone and screen without a word. */
export const IFRAME_ALLOW = 'camera; microphone; display-capture; autoplay; fullscreen; speaker-selection; screen-wake-lock';
