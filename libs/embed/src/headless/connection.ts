import {
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
  found(participants: ParticipantData[]): void;
  joined(participant: ParticipantData): void;
  left(uid: string): void;
  connectionQualityChanged(uid: string, quality: Quality): void;
  trackSubscribed(data: TrackData): void;
  trackUnsubscribed(data: TrackData): void;
  pushed(payload: Uint8Array): void;
  /** livekit-client reconnected by itself. Pushes that the service sent in the meantime are lost. */
  resumed(): void;
  lost(reason: LivekitReason | undefined): void;
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

  /** Starts to call the listener, first with all participants and tracks that are already in the room. */
  listen(): void {
    const { room, listener } = this;
    this.tellWhoIsHere();
    for (const { identity, trackPublications } of room.remoteParticipants.values()) {
      for (const { source, track } of trackPublications.values()) if (track) listener.trackSubscribed({ uid: identity, source, track });
    }
    room
      .on(RoomEvent.TrackSubscribed, (track, { source }, { identity }) => listener.trackSubscribed({ uid: identity, source, track }))
      .on(RoomEvent.TrackUnsubscribed, (track, { source }, { identity }) => listener.trackUnsubscribed({ uid: identity, source, track }))
      .on(RoomEvent.ParticipantConnected, (participant) => {
        if (isPerson(participant) && this.isIn) listener.joined(toData(participant));
      })
      .on(RoomEvent.ParticipantDisconnected, ({ identity }) => {
        // livekit-client begins a restart by reporting that all participants left. Once it is done, it knows who really left.
        queueMicrotask(() => this.isIn && !room.remoteParticipants.has(identity) && listener.left(identity));
      })
      .on(RoomEvent.ConnectionQualityChanged, (quality, participant) => {
        if (isPerson(participant)) listener.connectionQualityChanged(participant.identity, quality);
      })
      .on(RoomEvent.DataReceived, (payload, _participant, _kind, topic, _encryption, sender) => {
        // The service's packets have no sender. A packet with a sender comes from a participant, known or unknown, and is ignored.
        if (topic === TOPIC && !sender) listener.pushed(payload);
      })
      .on(RoomEvent.Reconnected, () => {
        this.tellWhoIsHere();
        listener.resumed();
      })
      .on(RoomEvent.Disconnected, (reason) => {
        room.removeAllListeners();
        listener.lost(reason);
      });
  }

  private get isIn(): boolean {
    return this.room.state === ConnectionState.Connected;
  }

  private tellWhoIsHere(): void {
    this.listener.found([...this.room.remoteParticipants.values()].filter(isPerson).map(toData));
  }
}

const isPerson = ({ kind }: Participant) => PEOPLE.includes(kind);

function toData({ identity, name, attributes }: Participant): ParticipantData {
  return { uid: identity, name: name || identity, role: (attributes['role'] ?? 'STUDENT') as Role };
}
