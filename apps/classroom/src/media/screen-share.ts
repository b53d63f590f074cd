import type { LocalTrack, Room } from 'livekit-client';
import { livekit } from './livekit.js';

const CAPTURE_OPTIONS = {
  audio: true,
  contentHint: 'detail',
  resolution: { width: 1920, height: 1080, frameRate: 15 },
  selfBrowserSurface: 'exclude',
  surfaceSwitching: 'include',
} as const;

/**
 * The local participant's shared screen. Like the devices it outlives a connection, because browsers let a page ask again only
 * after a user gesture.
 */
export class ScreenShare {
  private tracks: LocalTrack[] = [];
  private room: Room | undefined;

  constructor(private readonly onChange: () => void) {}

  get isOn(): boolean {
    return this.tracks.length > 0;
  }

  /** Call within a user gesture. @throws the browser's error */
  async start(): Promise<void> {
    if (this.isOn) return;
    this.tracks = await livekit.createLocalScreenTracks(CAPTURE_OPTIONS);
    // The user pressed the browser's own "Stop sharing".
    for (const track of this.tracks) track.once(livekit.TrackEvent.Ended, () => void this.stop());
    this.onChange();
    if (this.tracks.some(({ mediaStreamTrack }) => mediaStreamTrack.readyState === 'ended')) await this.stop();
    else await this.publish();
  }

  async stop(): Promise<void> {
    const tracks = this.tracks;
    this.tracks = [];
    this.onChange();
    for (const track of tracks) {
      await this.room?.localParticipant.unpublishTrack(track).catch(() => undefined);
      track.stop();
    }
  }

  async publishTo(room: Room): Promise<void> {
    this.room = room;
    await this.publish().catch(() => this.stop());
  }

  release(): void {
    this.room = undefined;
    void this.stop();
  }

  private async publish(): Promise<void> {
    const participant = this.room?.localParticipant;
    if (!participant) return;
    for (const track of this.tracks) {
      const { Kind, Source } = livekit.Track;
      const source = track.kind === Kind.Video ? Source.ScreenShare : Source.ScreenShareAudio;
      if (!participant.getTrackPublication(source)) await participant.publishTrack(track, { source });
    }
  }
}
