import type { LocalTrack, Room, Track } from 'livekit-client';
import type { ClassroomController, Part } from '../app/classroom-controller.js';
import type { Connection } from '../media/connection.js';
import { livekit } from '../media/livekit.js';
import type { ClassroomSession } from '../session/session.js';

declare module '../app/app-store.js' {
  interface AppState {
    isSharing?: boolean;
  }
}

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
export class ScreenShare implements Part {
  private tracks: LocalTrack[] = [];
  private room: Room | undefined;

  constructor(private readonly classroom: ClassroomController) {}

  get isOn(): boolean {
    return this.tracks.length > 0;
  }

  /** Call within a user gesture. @throws the browser's error */
  async start(): Promise<void> {
    if (this.isOn) return;
    this.tracks = await livekit.createLocalScreenTracks(CAPTURE_OPTIONS);
    // The user pressed the browser's own "Stop sharing".
    for (const track of this.tracks) track.once(livekit.TrackEvent.Ended, () => void this.stop());
    this.classroom.app.set({ isSharing: this.isOn });
    if (this.tracks.some(({ mediaStreamTrack }) => mediaStreamTrack.readyState === 'ended')) await this.stop();
    else await this.publish();
  }

  async stop(): Promise<void> {
    const tracks = this.tracks;
    this.tracks = [];
    this.classroom.app.set({ isSharing: this.isOn });
    for (const track of tracks) {
      await this.room?.localParticipant.unpublishTrack(track).catch(() => undefined);
      track.stop();
    }
  }

  /** Call within a user gesture. */
  async set(isOn: boolean): Promise<void> {
    try {
      await (isOn ? this.start() : this.stop());
    } catch (error) {
      // NotAllowedError: the user closed the browser's prompt, so no toast is needed.
      if (!(error instanceof Error && error.name === 'NotAllowedError')) this.classroom.toasts.showToast({ key: 'toast.shareFailed' });
    }
  }

  onConnection({ room }: Connection): void {
    this.room = room;
    void this.publish().catch(() => this.stop());
  }

  onSession({ permissions }: ClassroomSession): void {
    if (!permissions.shareScreen) void this.stop();
  }

  onLocalTrackMuted(source: Track.Source): void {
    // The page stops its own screen share and never mutes it, so a muted screen was muted by the server.
    if (source !== livekit.Track.Source.ScreenShare || !this.isOn) return;
    void this.stop();
    this.classroom.toasts.showToast({ key: 'toast.shareStopped' });
  }

  onEnd(): void {
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
