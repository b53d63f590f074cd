import {
  ConnectionState,
  LocalVideoTrack,
  ParticipantKind,
  Track,
  type LocalTrackPublication,
  type Participant,
  type RemoteTrackPublication,
  type Room,
} from 'livekit-client';
import type { ClassroomEvents, VideoQuality, VideoSource } from './protocol.js';
import { QualityChanges, type VideoMeasurement } from './video-quality/quality-changes.js';

/** Milliseconds between two measurements: livekit-client reads its statistics at the same rate. */
const MEASURE_INTERVAL_MS = 2_000;
/** Recorders and agents are in the LiveKit room but are not participants of the class. */
const PEOPLE: ParticipantKind[] = [ParticipantKind.STANDARD, ParticipantKind.SIP];

/** Follows the quality of every video, sent or received, across all connections to one class. */
export class VideoQualityMonitor {
  private readonly changes;
  private room: Room | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(changed: (change: ClassroomEvents['quality_changed']) => void) {
    this.changes = new QualityChanges(changed);
  }

  /** Follows this room instead of an earlier one. */
  start(room: Room): void {
    this.pause();
    this.room = room;
    this.schedule();
  }

  /** Stops the events while the connection is lost. The last known qualities are kept. */
  pause(): void {
    clearTimeout(this.timer);
    this.room = undefined;
  }

  /** The participant left: forgets all videos. */
  stop(): void {
    this.pause();
    this.changes.reset();
  }

  private schedule(): void {
    this.timer = setTimeout(() => void this.measure(), MEASURE_INTERVAL_MS);
  }

  private async measure(): Promise<void> {
    const { room } = this;
    if (!room) return;
    const sent = await sentVideos(room).catch(() => []);
    if (room !== this.room) return;
    // While it reconnects, livekit-client reports that all participants leave and return. These events are ignored.
    if (room.state === ConnectionState.Connected) {
      const isPresent = (uid: string) => uid === room.localParticipant.identity || room.remoteParticipants.has(uid);
      this.changes.update([...sent, ...receivedVideos(room)], isPresent);
    }
    this.schedule();
  }
}

async function sentVideos({ localParticipant }: Room): Promise<VideoMeasurement[]> {
  return Promise.all(
    publicationsOf<LocalTrackPublication>(localParticipant).map(async ([source, publication]) => ({
      uid: localParticipant.identity,
      source,
      quality: await sentQuality(publication, source),
    })),
  );
}

function receivedVideos({ remoteParticipants }: Room): VideoMeasurement[] {
  const people = [...remoteParticipants.values()].filter(({ kind }) => PEOPLE.includes(kind));
  return people.flatMap((person) =>
    publicationsOf<RemoteTrackPublication>(person).map(([source, publication]) => ({
      uid: person.identity,
      source,
      quality: receivedQuality(publication),
    })),
  );
}

function publicationsOf<P extends LocalTrackPublication | RemoteTrackPublication>({
  videoTrackPublications,
}: Participant): [VideoSource, P][] {
  return [...videoTrackPublications.values()].flatMap((publication): [VideoSource, P][] => {
    const { source } = publication;
    return source === Track.Source.Camera || source === Track.Source.ScreenShare ? [[source, publication as P]] : [];
  });
}

/** The largest picture that this browser sends. Which simulcast layers it sends depends on the network and on the viewers. */
async function sentQuality({ isMuted, track }: LocalTrackPublication, source: VideoSource): Promise<VideoQuality> {
  if (isMuted) return 'off';
  if (!(track instanceof LocalVideoTrack)) return 'paused';
  const encodings = track.sender?.getParameters().encodings ?? [];
  if (encodings.every(({ active }) => !active)) return 'paused';
  const idle = new Set(encodings.filter(({ active }) => !active).map(({ rid }) => rid));
  const layers = await track.getSenderStats();
  // A shared screen without changes sends no frames, but it is not paused.
  const sent = layers.filter(({ rid, framesPerSecond }) => !idle.has(rid) && (source === 'screen_share' || framesPerSecond > 0));
  return largest(sent.map(({ frameWidth, frameHeight }) => [frameWidth, frameHeight]));
}

function receivedQuality({ isMuted, isEnabled, track }: RemoteTrackPublication): VideoQuality {
  if (isMuted) return 'off';
  // Not enabled: the video is not shown here, so adaptive streaming does not request it.
  if (!track || !isEnabled || track.streamState === Track.StreamState.Paused) return 'paused';
  const { width = 0, height = 0 } = track.mediaStreamTrack.getSettings();
  const shown = track.attachedElements
    .filter((element) => element instanceof HTMLVideoElement)
    .map(({ videoWidth, videoHeight }) => [videoWidth, videoHeight] as const);
  return largest(shown.length > 0 ? shown : [[width, height]]);
}

/** Named by the shorter side, so that a phone held upright and a camera on a desk get the same name. */
function largest(sizes: readonly (readonly [number | undefined, number | undefined])[]): VideoQuality {
  const lines = sizes.reduce((most, [width = 0, height = 0]) => Math.max(most, Math.min(width, height)), 0);
  return lines > 0 ? `${lines}p` : 'paused';
}
