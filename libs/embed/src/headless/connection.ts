import {
  ConnectionQuality,
  ConnectionState,
  DefaultReconnectPolicy,
  ParticipantKind,
  Room,
  RoomEvent,
  type DisconnectReason as LivekitReason,
  type Participant,
  type RemoteTrack,
  type RoomOptions,
} from 'livekit-client';
import type { ParticipantData, Quality, Role } from '../protocol.js';
import type { ClassroomSession } from './responses.js';

export type TrackSource = 'camera' | 'microphone' | 'screen_share' | 'screen_share_audio' | 'unknown';

export interface TrackData {
  uid: string;
  source: TrackSource;
  /** livekit-client's track. `track.attach(element)` shows or plays it. */
  track: RemoteTrack;
}

export interface ConnectionListener {
  onParticipants(participants: ParticipantData[]): void;
  onJoined(participant: ParticipantData): void;
  onLeft(uid: string): void;
  onConnectionQualityChanged(uid: string, quality: Quality): void;
  onTrackSubscribed(data: TrackData): void;
  onTrackUnsubscribed(data: TrackData): void;
  onClassUpdate(payload: Uint8Array): void;
  /** livekit-client reconnected by itself. Pushes that the service sent in the meantime are lost. */
  onReconnected(): void;
  onDisconnected(reason: LivekitReason | undefined): void;
}

const TOPIC = 'class';
/**
 * Delays of livekit-client's own reconnection attempts, in milliseconds. After the last, the client asks the service whether
 * the class continues.
 */
const RECONNECT_DELAYS = [0, 300, 1000, 2000, 3000, 3000];
/** Recorders and agents are in the LiveKit room but are not participants of the class. */
const PEOPLE: ParticipantKind[] = [ParticipantKind.STANDARD, ParticipantKind.SIP];

/** One connection to the media server, from connecting until it is permanently lost. */
export class Connection {
  private constructor(
    readonly room: Room,
    private readonly listener: ConnectionListener,
  ) {}

  /** @throws Error if the media server refuses the connection or is unreachable */
  static async open(session: ClassroomSession, options: RoomOptions | undefined, listener: ConnectionListener): Promise<Connection> {
    const room = new Room({ dynacast: true, reconnectPolicy: new DefaultReconnectPolicy(RECONNECT_DELAYS), ...options });
    const connection = new Connection(room, listener);
    try {
      await room.connect(session.livekitUrl, session.livekitToken);
      if (room.state === ConnectionState.Disconnected) throw new Error('lost at once');
    } catch (error) {
      await connection.close();
      throw error;
    }
    return connection;
  }

  /** Leaves the room. The listener receives no further events. */
  async close(): Promise<void> {
    this.room.removeAllListeners();
    await this.room.disconnect();
  }

  /** Starts to call the listener, first with all participants, tracks and qualities of connections that are already known. */
  listen(): void {
    const { room, listener } = this;
    this.reportParticipants();
    for (const { identity, trackPublications } of room.remoteParticipants.values()) {
      for (const { source, track } of trackPublications.values()) if (track) listener.onTrackSubscribed({ uid: identity, source, track });
    }
    for (const participant of [room.localParticipant, ...room.remoteParticipants.values()].filter(isPerson))
      if (participant.connectionQuality !== ConnectionQuality.Unknown)
        listener.onConnectionQualityChanged(participant.identity, participant.connectionQuality);
    room
      .on(RoomEvent.TrackSubscribed, (track, { source }, { identity }) => listener.onTrackSubscribed({ uid: identity, source, track }))
      .on(RoomEvent.TrackUnsubscribed, (track, { source }, { identity }) => listener.onTrackUnsubscribed({ uid: identity, source, track }))
      .on(RoomEvent.ParticipantConnected, (participant) => {
        if (isPerson(participant) && this.isConnected) listener.onJoined(toParticipantData(participant));
      })
      .on(RoomEvent.ParticipantDisconnected, ({ identity }) => {
        // livekit-client begins a restart by reporting that all participants left. Once it is done, it knows who really left.
        queueMicrotask(() => this.isConnected && !room.remoteParticipants.has(identity) && listener.onLeft(identity));
      })
      .on(RoomEvent.ConnectionQualityChanged, (quality, participant) => {
        if (isPerson(participant)) listener.onConnectionQualityChanged(participant.identity, quality);
      })
      .on(RoomEvent.DataReceived, (payload, _participant, _kind, topic, _encryption, sender) => {
        // The service's packets have no sender. A packet with a sender comes from a participant, known or unknown, and is ignored.
        if (topic === TOPIC && !sender) listener.onClassUpdate(payload);
      })
      .on(RoomEvent.Reconnected, () => {
        this.reportParticipants();
        listener.onReconnected();
      })
      .on(RoomEvent.Disconnected, (reason) => {
        room.removeAllListeners();
        listener.onDisconnected(reason);
      });
  }

  private get isConnected(): boolean {
    return this.room.state === ConnectionState.Connected;
  }

  private reportParticipants(): void {
    this.listener.onParticipants([...this.room.remoteParticipants.values()].filter(isPerson).map(toParticipantData));
  }
}

const isPerson = ({ kind }: Participant) => PEOPLE.includes(kind);

function toParticipantData({ identity, name, attributes }: Participant): ParticipantData {
  return { uid: identity, name: name || identity, role: (attributes['role'] ?? 'STUDENT') as Role };
}
