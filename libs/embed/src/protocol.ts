/**
 * The messages between the classroom page in the iframe and the host page that embeds it. The classroom page is built from
 * these types; there is no second list of events.
 */
export const SOURCE = 'virtual-classroom';
export const VERSION = 1;

export type Role = 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN';
export type ClientState = 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'ended' | 'kicked' | 'error';
export type Quality = 'excellent' | 'good' | 'poor' | 'lost' | 'unknown';
export type VideoSource = 'camera' | 'screen_share';
/**
 * The shorter side of the picture in pixels (`720p`). `paused`: turned on, but no picture is transmitted. `off`: turned off, or
 * never on.
 */
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
  /** `deleted` by the backend, `class_ended` by a teacher, `empty` for too long, `schedule` for its end, `budget` if it is used up, `unused` if no participant joined; `class_ended` if unknown. */
  class_ended: { reason: string };
  /** Ten minutes and one minute before the class ends by its schedule, or at the join if that is later. `endsAt` is ISO 8601 in UTC. */
  class_ending_soon: { endsAt: string; secondsLeft: number };
  participant_removed: ParticipantData;
  /** The board of the class was shown or hidden, or the class went to another page of it. `page` counts from 1; 0: it has none. */
  board_changed: { isShown: boolean; page: number; pages: number };
  recording_started: { egressId: string; status: string };
  recording_stopped: { egressId: string; status: string };
  /**
   * Reported for a video of another participant as received here, and for one's own as sent. Every video begins with `off`. A
   * quality is reported once it has lasted two seconds.
   */
  quality_changed: { uid: string; source: VideoSource; from: VideoQuality; to: VideoQuality };
  /** The connection quality of a participant, including one's own. */
  connection_quality_changed: { quality: Quality; uid: string };
  /**
   * How many events a participant who asked for notifications has missed since the page was hidden; 0 when it is visible again. A
   * browser shows neither notifications nor the title of a framed page.
   */
  notification_count_changed: { count: number };
  state_changed: { from: ClientState; to: ClientState };
  error: { code: string; message: string; fatal: boolean };
}
export type ClassroomEventType = keyof ClassroomEvents;

/** Page to host. `seq` increases by one with each message of a page; `timestamp` is ISO 8601 in UTC. */
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
  /** Why the command failed: a sentence for developers. */
  error?: string;
}
export type OutgoingMessage = EventMessage | Envelope<'command_result', CommandResult>;

/** The commands that the host may send to the page, with their arguments. */
export interface ClassroomCommands {
  leave: Record<string, never>;
  set_microphone: { enabled: boolean };
  set_camera: { enabled: boolean };
  start_screen_share: Record<string, never>;
  raise_hand: { raised: boolean };
  set_layout: { layout: 'grid' | 'speaker' };
}
export type ClassroomCommand = keyof ClassroomCommands;

/** Host to page. The result has the same `id`. */
export type CommandMessage = {
  [C in ClassroomCommand]: { source: typeof SOURCE; version: typeof VERSION; command: C; args: ClassroomCommands[C]; id: string };
}[ClassroomCommand];

/**
 * Host to page, the first message: for browsers that do not name a framed page's embedder (no ancestorOrigins, no referrer). If
 * it comes from a verified origin, it opens the channel. The page then sends, in order, what it has reported since it started:
 * at most the last 200 messages.
 */
export interface Hello {
  source: typeof SOURCE;
  version: typeof VERSION;
  command: 'hello';
}

/** The permissions of the iframe. Without them browsers silently refuse camera, microphone and screen. */
export const IFRAME_ALLOW = 'camera; microphone; display-capture; autoplay; fullscreen; speaker-selection; screen-wake-lock';
