import type { ClassUpdate } from '@classroom/contracts';
import {
  ConnectionState,
  DefaultReconnectPolicy,
  Room,
  RoomEvent,
  Track,
  type ConnectionQuality,
  type DisconnectReason,
  type TrackPublication,
} from 'livekit-client';
import type { ClassroomSession } from '../session/session.js';
import { ClassPushes } from './class-pushes.js';
import { isPerson } from './people.js';
import { Sounds } from './sounds.js';

export interface ConnectionListener {
  /** Something that can be seen. */
  changed(): void;
  reconnecting(isReconnecting: boolean): void;
  lost(reason: DisconnectReason | undefined): void;
  soundBlocked(isBlocked: boolean): void;
  received(update: ClassUpdate): void;
  connectionQualityChanged(uid: string, quality: ConnectionQuality): void;
  /** The backend gave us another role. */
  roleChanged(): void;
  /** One of our own tracks, by us or by the server. */
  muted(source: Track.Source): void;
}

/** livekit-client's own attempts, milliseconds; after them we ask our own service, which knows whether the class goes on. */
const RECONNECT_DELAYS = [0, 300, 1000, 2000, 3000, 3000];

const CHANGES = [
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

/** One connection to the media server, from its first packet until it is lost for good. */
export class Connection {
  readonly room = new Room({
    adaptiveStream: true,
    dynacast: true,
    stopLocalTrackOnUnpublish: false,
    // Ours to do: it also would on beforeunload, which may be called off.
    disconnectOnPageLeave: false,
    reconnectPolicy: new DefaultReconnectPolicy(RECONNECT_DELAYS),
  });
  private readonly sounds = new Sounds(this.room);
  // eslint-disable-next-line no-console -- for a developer: the page itself has nothing to say of it
  private readonly pushes = new ClassPushes((problem) => console.warn(problem));

  private constructor(private readonly listener: ConnectionListener) {}

  /** @throws where the media server refuses or can't be reached */
  static async open(session: ClassroomSession, listener: ConnectionListener): Promise<Connection> {
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

  /** When the first of those who are here came. */
  firstJoin(): number {
    const joins = [this.room.localParticipant, ...this.room.remoteParticipants.values()].map(({ joinedAt }) => joinedAt?.getTime());
    return Math.min(...joins.filter((at) => at !== undefined));
  }

  /** Inside a user's gesture: browsers play no sound before one. */
  async startSound(): Promise<void> {
    await this.room.startAudio().catch(() => undefined);
  }

  /** Our own leaving: nobody hears of it any more. */
  close(): void {
    this.room.removeAllListeners();
    this.sounds.clear();
    void this.room.disconnect(false);
  }

  private listen(): void {
    const { room, listener } = this;
    for (const event of CHANGES) room.on(event, () => listener.changed());
    room
      .on(RoomEvent.ConnectionStateChanged, (state) => {
        if (state !== ConnectionState.Disconnected) listener.reconnecting(state !== ConnectionState.Connected);
      })
      .on(RoomEvent.AudioPlaybackStatusChanged, () => listener.soundBlocked(!room.canPlaybackAudio))
      .on(RoomEvent.ConnectionQualityChanged, (quality, participant) => {
        if (isPerson(participant)) listener.connectionQualityChanged(participant.identity, quality);
      })
      .on(RoomEvent.ParticipantAttributesChanged, (changed, participant) => {
        if (participant.isLocal && changed['role'] !== undefined) listener.roleChanged();
      })
      .on(RoomEvent.TrackMuted, (publication: TrackPublication, participant) => {
        if (participant.isLocal) listener.muted(publication.source);
      })
      .on(RoomEvent.DataReceived, (payload, _participant, _kind, topic, _encryption, sender) => {
        const update = this.pushes.read({ payload, topic, sender });
        if (update) listener.received(update);
      })
      .on(RoomEvent.Disconnected, (reason) => {
        room.removeAllListeners();
        this.sounds.clear();
        listener.lost(reason);
      });
  }
}
