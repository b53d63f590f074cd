import { ConnectionState, DefaultReconnectPolicy, DisconnectReason, Room, RoomEvent } from 'livekit-client';
import type { Layout } from '../app/app-store.js';
import { Store } from '../store/store.js';
import { People } from '../media/people.js';
import { Sounds } from '../media/sounds.js';
import { persist } from '../session/persist.js';
import { layoutOfMetadata, type Query } from './query.js';
import { announce } from './signals.js';

const CHANGES = [
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
const FINAL: (DisconnectReason | undefined)[] = [
  DisconnectReason.CLIENT_INITIATED,
  DisconnectReason.PARTICIPANT_REMOVED,
  DisconnectReason.DUPLICATE_IDENTITY,
];
/** LiveKit also closes a room to recreate it. A continuing class has it back within 3 s, and the end of a class stops the recording. */
const CLOSED: (DisconnectReason | undefined)[] = [DisconnectReason.ROOM_DELETED, DisconnectReason.ROOM_CLOSED];
const REMADE_MS = 6_000;
const RETRY_DELAYS = [0, 300, 1000, 2000, 3000, 5000, 5000, 5000];
const ENTRY_MS = 20_000;
const RETURN_MS = 60_000;
const PLAYOUT_DELAY_S = 0.2;

export interface RecorderState {
  layout: Layout;
  isConnected: boolean;
  /** The page could not join the class. */
  isFailed: boolean;
}

/** Joins the room invisibly with the given token, receives all sound and pictures, and signals when there is something to record. */
export class Recorder extends Store<RecorderState> {
  readonly people = new People();
  private readonly room = new Room({
    adaptiveStream: { pixelDensity: 1, pauseVideoInBackground: false },
    dynacast: false,
    disconnectOnPageLeave: false,
    reconnectPolicy: new DefaultReconnectPolicy(RETRY_DELAYS),
  });
  private readonly sounds = new Sounds(this.room);
  private readonly leaving = new AbortController();

  constructor(private readonly query: Query) {
    super({ layout: query.layout, isConnected: false, isFailed: false });
    for (const event of CHANGES) this.room.on(event, this.people.changed);
    this.room
      // A recording may lag. Each track has its own jitter buffer; the same delay for all keeps picture and sound in sync.
      .on(RoomEvent.TrackSubscribed, (track) => track.setPlayoutDelay(PLAYOUT_DELAY_S))
      .on(RoomEvent.ParticipantMetadataChanged, (_, participant) => participant.isLocal && this.followLayout())
      .on(RoomEvent.Disconnected, (reason) => void this.lost(reason));
  }

  async start(): Promise<void> {
    if (!(await this.connect(ENTRY_MS))) this.set({ isFailed: true });
  }

  close(): void {
    this.leaving.abort();
    void this.room.disconnect();
  }

  private async connect(patienceMs: number): Promise<boolean> {
    const { url, token } = this.query;
    try {
      await persist(() => this.room.connect(url, token), { signal: this.leaving.signal, patienceMs, isFinal: () => false });
    } catch {
      return false;
    }
    if (this.room.state !== ConnectionState.Connected) return false;
    this.followLayout();
    this.people.follow(this.room);
    this.set({ isConnected: true });
    void this.room.startAudio().catch(() => undefined);
    return true;
  }

  private followLayout(): void {
    const layout = layoutOfMetadata(this.room.localParticipant.metadata);
    if (layout) this.set({ layout });
  }

  private async lost(reason: DisconnectReason | undefined): Promise<void> {
    // Before the first connection, `start` retries.
    if (!this.get().isConnected) return;
    this.sounds.clear();
    const patienceMs = CLOSED.includes(reason) ? REMADE_MS : RETURN_MS;
    if (!FINAL.includes(reason) && !this.leaving.signal.aborted && (await this.connect(patienceMs))) return;
    this.people.follow(undefined);
    announce('END_RECORDING');
  }
}
