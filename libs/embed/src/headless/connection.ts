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
  /** livekit-client's: `track.attach(element)` shows or plays it. */
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
  /** livekit-client got back by itself; what the service pushed meanwhile is lost. */
  resumed(): void;
  lost(reason: LivekitReason | undefined): void;
}

const TOPIC = 'class';
/** livekit-client's own attempts, milliseconds; after them the service is asked, which knows whether the class goes on. */
const RECONNECT_DELAYS = [0, 300, 1000, 2000, 3000, 3000];
/** Recorders and agents are in the room, not in the class. */
const PEOPLE: ParticipantKind[] = [ParticipantKind.STANDARD, ParticipantKind.SIP];

/** One connection to the media server, from its first packet until it is lost for good. */
export class Connection {
  private constructor(
    readonly room: Room,
    private readonly listener: ConnectionListener,
  ) {}

  /** @throws where the media server refuses or can't be reached */
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

  /** Our own leaving: nobody hears of it any more. */
  async close(): Promise<void> {
    this.room.removeAllListeners();
    await this.room.disconnect();
  }

  /** From here on the listener is told, of everyone and everything that is there first of all. */
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
        // A restart of livekit-client's begins with everyone's going. Who did go, it knows when it is through.
        queueMicrotask(() => this.isIn && !room.remoteParticipants.has(identity) && listener.left(identity));
      })
      .on(RoomEvent.ConnectionQualityChanged, (quality, participant) => {
        if (isPerson(participant)) listener.connectionQualityChanged(participant.identity, quality);
      })
      .on(RoomEvent.DataReceived, (payload, _participant, _kind, topic, _encryption, sender) => {
        // What a participant sent, known to us already or not, is no word of the service's.
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
