import {
  ConnectionState,
  DefaultReconnectPolicy,
  ParticipantKind,
  Room,
  RoomEvent,
  Track,
  type DisconnectReason,
  type Participant,
} from 'livekit-client';
import type { Devices } from './devices.js';
import type { ClassroomSession } from './session.js';

/** A person as the tiles show it. */
export interface Person {
  uid: string;
  name: string;
  isLocal: boolean;
  isSpeaking: boolean;
  /** Could speak and doesn't. */
  isMuted: boolean;
  camera: Track | undefined;
  screen: Track | undefined;
  microphone: Track | undefined;
}

export interface ConnectionListener {
  changed(): void;
  reconnecting(isReconnecting: boolean): void;
  lost(reason: DisconnectReason | undefined): void;
  soundBlocked(isBlocked: boolean): void;
}

/** livekit-client's own attempts, milliseconds; after them we ask our own service, which knows whether the class goes on. */
const RECONNECT_DELAYS = [0, 300, 1000, 2000, 3000, 3000];

/** Recorders and agents are in the room, not in the class. */
const PEOPLE: ParticipantKind[] = [ParticipantKind.STANDARD, ParticipantKind.SIP];

const CHANGES = [
  RoomEvent.ParticipantConnected,
  RoomEvent.ParticipantDisconnected,
  RoomEvent.ParticipantNameChanged,
  RoomEvent.TrackSubscribed,
  RoomEvent.TrackUnsubscribed,
  RoomEvent.LocalTrackPublished,
  RoomEvent.LocalTrackUnpublished,
  RoomEvent.TrackMuted,
  RoomEvent.TrackUnmuted,
  RoomEvent.ActiveSpeakersChanged,
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

  private constructor(private readonly listener: ConnectionListener) {}

  /** @throws where the media server refuses or can't be reached */
  static async open(session: ClassroomSession, devices: Devices, listener: ConnectionListener): Promise<Connection> {
    const connection = new Connection(listener);
    const { room } = connection;
    await room.connect(session.livekitUrl, session.livekitToken);
    if (room.state === ConnectionState.Disconnected) throw new Error('lost at once');
    connection.listen();
    void devices.enter(room);
    return connection;
  }

  /** Everyone in the class, ourselves first, then in the order they came. */
  people(): Person[] {
    const others = [...this.room.remoteParticipants.values()]
      .filter(({ kind }) => PEOPLE.includes(kind))
      .sort((a, b) => (a.joinedAt?.getTime() ?? 0) - (b.joinedAt?.getTime() ?? 0));
    return [this.room.localParticipant, ...others].map(toPerson);
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
    void this.room.disconnect(false);
  }

  private listen(): void {
    const { room, listener } = this;
    for (const event of CHANGES) room.on(event, () => listener.changed());
    room.on(RoomEvent.ConnectionStateChanged, (state) => {
      if (state !== ConnectionState.Disconnected) listener.reconnecting(state !== ConnectionState.Connected);
    });
    room.on(RoomEvent.AudioPlaybackStatusChanged, () => listener.soundBlocked(!room.canPlaybackAudio));
    room.on(RoomEvent.Disconnected, (reason) => {
      room.removeAllListeners();
      listener.lost(reason);
    });
  }
}

function toPerson(participant: Participant): Person {
  const live = (source: Track.Source) => {
    const publication = participant.getTrackPublication(source);
    return publication?.isMuted ? undefined : publication?.track;
  };
  return {
    uid: participant.identity,
    name: participant.name || participant.identity,
    isLocal: participant.isLocal,
    isSpeaking: participant.isSpeaking,
    isMuted: Boolean(participant.permissions?.canPublish) && !participant.isMicrophoneEnabled,
    camera: live(Track.Source.Camera),
    screen: live(Track.Source.ScreenShare),
    // Muted or not: attaching anew would cut the first word after it.
    microphone: participant.getTrackPublication(Track.Source.Microphone)?.track,
  };
}
