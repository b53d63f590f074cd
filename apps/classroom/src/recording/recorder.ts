import {
  ConnectionState,
  DefaultReconnectPolicy,
  DisconnectReason,
  Room,
  RoomEvent,
  type Participant,
  type RemoteParticipant,
} from 'livekit-client';
import type { Layout } from '../app/app-store.js';
import { Store } from '../store.js';
import { People } from '../media/people.js';
import { RemoteAudio } from '../media/remote-audio.js';
import { retryOnline } from '../session/retry.js';
import { FilmedBoard, FilmService } from './filmed-board.js';
import { layoutOfMetadata, type Query } from './query.js';

const CHANGE_EVENTS = [
  RoomEvent.ParticipantConnected,
  RoomEvent.ParticipantDisconnected,
  RoomEvent.ParticipantNameChanged,
  RoomEvent.ParticipantAttributesChanged,
  RoomEvent.ParticipantPermissionsChanged,
  RoomEvent.TrackPublished,
  RoomEvent.TrackUnpublished,
  RoomEvent.TrackSubscribed,
  RoomEvent.TrackUnsubscribed,
  RoomEvent.TrackMuted,
  RoomEvent.TrackUnmuted,
  RoomEvent.ActiveSpeakersChanged,
  RoomEvent.Reconnected,
] as const;

/** Reasons that end the recording; after any other the page reconnects. */
const FINAL_REASONS: (DisconnectReason | undefined)[] = [
  DisconnectReason.CLIENT_INITIATED,
  DisconnectReason.PARTICIPANT_REMOVED,
  DisconnectReason.DUPLICATE_IDENTITY,
];
/** LiveKit also closes a room to recreate it. A continuing class has it back within 3 s, and the end of a class stops the recording. */
const ROOM_CLOSED_REASONS: (DisconnectReason | undefined)[] = [DisconnectReason.ROOM_DELETED, DisconnectReason.ROOM_CLOSED];
const RECREATED_TIMEOUT_MS = 6_000;
const RETRY_DELAYS = [0, 300, 1000, 2000, 3000, 5000, 5000, 5000];
const ENTRY_TIMEOUT_MS = 20_000;
const RECONNECT_TIMEOUT_MS = 60_000;
const PLAYOUT_DELAY_S = 0.2;

export interface RecorderState {
  layout: Layout;
  isConnected: boolean;
  /** The page could not join the class. */
  hasFailed: boolean;
}

/** Joins the room invisibly with the given token, receives sound and pictures of all who may be recorded, and signals when there is something to record. */
export class Recorder extends Store<RecorderState> {
  readonly people = new People(isRecordable);
  readonly service;
  readonly board;
  private readonly room = new Room({
    adaptiveStream: { pixelDensity: 1, pauseVideoInBackground: false },
    dynacast: false,
    disconnectOnPageLeave: false,
    reconnectPolicy: new DefaultReconnectPolicy(RETRY_DELAYS),
  });
  private readonly remoteAudio = new RemoteAudio(this.room);
  private readonly closing = new AbortController();

  constructor(private readonly query: Query) {
    super({ layout: query.layout, isConnected: false, hasFailed: false });
    for (const event of CHANGE_EVENTS) this.room.on(event, this.people.scheduleUpdate);
    followConsent(this.room);
    this.service = new FilmService(query.boardToken);
    this.board = new FilmedBoard(this.service, (uid) => {
      const participant = this.room.remoteParticipants.get(uid);
      return participant && isRecordable(participant);
    });
    followBoard(this.room, this.board);
    this.room
      // A recording may lag. Each track has its own jitter buffer; the same delay for all keeps picture and sound in sync.
      .on(RoomEvent.TrackSubscribed, (track) => track.setPlayoutDelay(PLAYOUT_DELAY_S))
      .on(RoomEvent.ParticipantMetadataChanged, (_, participant) => participant.isLocal && this.followLayout())
      .on(RoomEvent.Disconnected, (reason) => void this.onDisconnected(reason));
  }

  async start(): Promise<void> {
    if (!(await this.connect(ENTRY_TIMEOUT_MS))) this.set({ hasFailed: true });
  }

  close(): void {
    this.closing.abort();
    this.board.stop();
    void this.room.disconnect();
  }

  private async connect(timeoutMs: number): Promise<boolean> {
    const { url, token } = this.query;
    try {
      await retryOnline(() => this.room.connect(url, token, { autoSubscribe: false }), {
        signal: this.closing.signal,
        timeoutMs,
        isFinal: () => false,
      });
    } catch {
      return false;
    }
    if (this.room.state !== ConnectionState.Connected) return false;
    this.followLayout();
    subscribeToConsenting(this.room);
    this.people.attachRoom(this.room);
    if (this.query.boardToken) this.board.start();
    this.set({ isConnected: true });
    void this.room.startAudio().catch(() => undefined);
    return true;
  }

  private followLayout(): void {
    const layout = layoutOfMetadata(this.room.localParticipant.metadata);
    if (layout) this.set({ layout });
  }

  private async onDisconnected(reason: DisconnectReason | undefined): Promise<void> {
    // Before the first connection, `start` retries.
    if (!this.get().isConnected) return;
    this.remoteAudio.clear();
    const timeoutMs = ROOM_CLOSED_REASONS.includes(reason) ? RECREATED_TIMEOUT_MS : RECONNECT_TIMEOUT_MS;
    if (!FINAL_REASONS.includes(reason) && !this.closing.signal.aborted && (await this.connect(timeoutMs))) return;
    this.people.attachRoom(undefined);
    logSignal('END_RECORDING');
  }
}

/** Messages that the recorder waits for on the console. Each is logged once. */
type Signal = 'START_RECORDING' | 'END_RECORDING';
const logged = new Set<Signal>();

export function logSignal(signal: Signal): void {
  if (logged.has(signal)) return;
  logged.add(signal);
  // eslint-disable-next-line no-console -- it is the recorder's own protocol
  console.log(signal);
}

/** Attribute of a participant who has not consented to recordings. Only the server sets it. */
const UNRECORDED = 'unrecorded';

/** Whether a recording may show and play a participant. */
export const isRecordable = ({ attributes }: Participant): boolean => !attributes[UNRECORDED];

/**
 * Nothing of a participant without consent reaches the recorder: the page does not subscribe by itself, and it ends subscriptions as soon as
 * consent is withdrawn.
 */
export function followConsent(room: Room): void {
  room
    .on(RoomEvent.TrackPublished, (_, participant) => subscribe(participant))
    .on(RoomEvent.ParticipantAttributesChanged, (changed, participant) => {
      if (changed[UNRECORDED] !== undefined && !participant.isLocal) subscribe(participant as RemoteParticipant);
    });
}

/** What is pushed, and whose drawings may be seen. A push may be lost while the connection is. */
function followBoard(room: Room, board: FilmedBoard): void {
  room
    .on(RoomEvent.DataReceived, (payload, _participant, _kind, topic, _encryption, sender) => board.receive({ payload, topic, sender }))
    .on(RoomEvent.ParticipantConnected, () => board.onConsent())
    .on(RoomEvent.ParticipantAttributesChanged, () => board.onConsent())
    .on(RoomEvent.ParticipantDisconnected, (participant) => board.onLeave(participant.identity, isRecordable(participant)))
    .on(RoomEvent.Reconnected, () => board.start());
}

/** For the participants who were in the room before the recorder. */
export function subscribeToConsenting(room: Room): void {
  for (const participant of room.remoteParticipants.values()) subscribe(participant);
}

function subscribe(participant: RemoteParticipant): void {
  const isWanted = isRecordable(participant);
  for (const publication of participant.trackPublications.values())
    if (publication.isDesired !== isWanted) publication.setSubscribed(isWanted);
}
