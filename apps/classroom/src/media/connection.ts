import type { ClassUpdate, CLASS_TOPIC } from '@classroom/contracts';
import type { ConnectionQuality, DisconnectReason, Track, TrackPublication } from 'livekit-client';
import type { ClassroomSession } from '../session/session.js';
import { livekit, loadLiveKit } from './livekit.js';
import { isPerson } from './people.js';
import { RemoteAudio } from './remote-audio.js';

export interface ConnectionListener {
  /** Something visible changed. */
  onRoomChanged(): void;
  onReconnecting(isReconnecting: boolean): void;
  onDisconnected(reason: DisconnectReason | undefined): void;
  onAudioBlocked(isBlocked: boolean): void;
  onClassUpdate(update: ClassUpdate): void;
  onQualityChanged(uid: string, quality: ConnectionQuality): void;
  /** The backend changed the local participant's role or permissions. */
  onRightsChanged(): void;
  /** One of the local participant's tracks was muted, by this page or by the server. */
  onLocalTrackMuted(source: Track.Source): void;
}

/**
 * Delays of livekit-client's own reconnection attempts, in milliseconds. After the last, the page asks the service whether the
 * class continues.
 */
const RECONNECT_DELAYS = [0, 300, 1000, 2000, 3000, 3000];

const changeEvents = ({ RoomEvent } = livekit) =>
  [
    RoomEvent.ParticipantConnected,
    RoomEvent.ParticipantDisconnected,
    RoomEvent.ParticipantNameChanged,
    RoomEvent.ParticipantPermissionsChanged,
    RoomEvent.ParticipantAttributesChanged,
    RoomEvent.TrackSubscribed,
    RoomEvent.TrackUnsubscribed,
    RoomEvent.TrackPublished,
    RoomEvent.TrackUnpublished,
    RoomEvent.LocalTrackPublished,
    RoomEvent.LocalTrackUnpublished,
    RoomEvent.TrackMuted,
    RoomEvent.TrackUnmuted,
    RoomEvent.ActiveSpeakersChanged,
    RoomEvent.ConnectionQualityChanged,
    RoomEvent.Reconnected,
  ] as const;

/** One connection to the media server, from connecting until it is permanently lost. */
export class Connection {
  readonly room = new livekit.Room({
    adaptiveStream: true,
    dynacast: true,
    stopLocalTrackOnUnpublish: false,
    // The page disconnects on pagehide. livekit-client would also disconnect on beforeunload, which the user may cancel.
    disconnectOnPageLeave: false,
    reconnectPolicy: new livekit.DefaultReconnectPolicy(RECONNECT_DELAYS),
  });
  private readonly remoteAudio = new RemoteAudio(this.room);
  // eslint-disable-next-line no-console -- for a developer: the page itself has nothing to say of it
  private readonly updateReader = new ClassUpdateReader((problem) => console.warn(problem));

  private constructor(private readonly listener: ConnectionListener) {}

  /** @throws Error if the media server refuses the connection or is unreachable */
  static async open(session: ClassroomSession, listener: ConnectionListener): Promise<Connection> {
    const { ConnectionState } = await loadLiveKit();
    const connection = new Connection(listener);
    const { room } = connection;
    try {
      await room.connect(session.livekitUrl, session.livekitToken);
      if (room.state === ConnectionState.Disconnected) throw new Error('lost at once');
    } catch (error) {
      connection.close();
      throw error;
    }
    connection.listen();
    return connection;
  }

  /** When the first of the present participants joined, in milliseconds since 1970. */
  firstJoinedAt(): number {
    const joins = [this.room.localParticipant, ...this.room.remoteParticipants.values()].map(({ joinedAt }) => joinedAt?.getTime());
    return joins.reduce<number>((first, at = Infinity) => Math.min(first, at), Infinity);
  }

  /** Passes on what LiveKit reported while it was connecting: the listener was not there yet. */
  passOnState(): void {
    const { room, listener } = this;
    listener.onAudioBlocked(!room.canPlaybackAudio);
    if (room.state !== livekit.ConnectionState.Connected) listener.onReconnecting(true);
    for (const participant of [room.localParticipant, ...room.remoteParticipants.values()]) {
      const { identity, connectionQuality } = participant;
      if (isPerson(participant) && connectionQuality !== livekit.ConnectionQuality.Unknown)
        listener.onQualityChanged(identity, connectionQuality);
    }
  }

  /** Call within a user gesture: browsers play no sound before one. */
  async startAudio(): Promise<void> {
    await this.room.startAudio().catch(() => undefined);
  }

  /** Leaves the room. The listener receives no further events. */
  close(): void {
    this.room.removeAllListeners();
    this.remoteAudio.clear();
    void this.room.disconnect(false);
  }

  private listen(): void {
    const { room, listener } = this;
    const { ConnectionState, RoomEvent } = livekit;
    for (const event of changeEvents()) room.on(event, () => listener.onRoomChanged());
    room
      .on(RoomEvent.ConnectionStateChanged, (state) => {
        if (state !== ConnectionState.Disconnected) listener.onReconnecting(state !== ConnectionState.Connected);
      })
      .on(RoomEvent.AudioPlaybackStatusChanged, () => listener.onAudioBlocked(!room.canPlaybackAudio))
      .on(RoomEvent.ConnectionQualityChanged, (quality, participant) => {
        if (isPerson(participant)) listener.onQualityChanged(participant.identity, quality);
      })
      .on(RoomEvent.ParticipantAttributesChanged, (changed, participant) => {
        if (participant.isLocal && (changed['role'] ?? changed['rightsChangedAt'])) listener.onRightsChanged();
      })
      .on(RoomEvent.TrackMuted, (publication: TrackPublication, participant) => {
        if (participant.isLocal) listener.onLocalTrackMuted(publication.source);
      })
      .on(RoomEvent.DataReceived, (payload, _participant, _kind, topic, _encryption, sender) => {
        const update = this.updateReader.read({ payload, topic, sender });
        if (update) listener.onClassUpdate(update);
      })
      .on(RoomEvent.Disconnected, (reason) => {
        room.removeAllListeners();
        this.remoteAudio.clear();
        listener.onDisconnected(reason);
      });
  }
}

const TOPIC: typeof CLASS_TOPIC = 'class';

export interface DataPacket {
  payload: Uint8Array;
  topic: string | undefined;
  /** Identity of the participant who sent the packet. LiveKit sets it; packets from the server have none. */
  sender: string | undefined;
}

/**
 * Reads the class's updates from LiveKit's data packets. A packet with a sender comes from a participant, known or unknown, and
 * is ignored.
 */
export class ClassUpdateReader {
  private isReported = false;

  constructor(private readonly report: (problem: string) => void) {}

  /** Returns undefined if the packet is not an update. */
  read({ payload, topic, sender }: DataPacket): ClassUpdate | undefined {
    if (topic !== TOPIC || sender) return undefined;
    const update = parse(payload);
    if (update) return update;
    if (!this.isReported) this.report('An update of the class could not be read and was ignored');
    this.isReported = true;
    return undefined;
  }
}

function parse(payload: Uint8Array): ClassUpdate | undefined {
  try {
    const update = JSON.parse(new TextDecoder().decode(payload)) as Partial<ClassUpdate> | null;
    return typeof update?.base === 'number' && typeof update.version === 'number' ? (update as ClassUpdate) : undefined;
  } catch {
    return undefined;
  }
}
