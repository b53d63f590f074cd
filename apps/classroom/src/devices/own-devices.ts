import type { LocalTrack, Room, Track } from 'livekit-client';
import type { AppState } from '../app/app-store.js';
import type { ClassroomController, Part } from '../app/classroom-controller.js';
import type { Toasts } from '../app/toasts.js';
import type { Connection } from '../media/connection.js';
import { DEVICES, Devices, grantedDevices, type Device, type DeviceError, type DevicesListener } from '../media/devices.js';
import { livekit } from '../media/livekit.js';
import { onSpeechInto, staysOpenWhileMuted } from '../media/muted-speech.js';
import type { ClassroomSession } from '../session/session.js';
import type { Store } from '../store.js';

export interface DeviceStatus {
  isOn: boolean;
  deviceError: DeviceError | undefined;
}

declare module '../app/app-store.js' {
  interface AppState {
    devices?: Record<Device, DeviceStatus>;
  }
}

const OFF: DeviceStatus = { isOn: false, deviceError: undefined };
const ALL_OFF: Record<Device, DeviceStatus> = { camera: OFF, microphone: OFF };

export const devicesOf = ({ devices = ALL_OFF }: AppState): Record<Device, DeviceStatus> => devices;

/** The participant's camera and microphone in a stay. */
export class OwnDevices extends Devices implements Part {
  constructor(private readonly classroom: ClassroomController) {
    const { app, toasts } = classroom;
    super(new DeviceStatusReporter(app, toasts, () => classroom.get(OwnDevices)));
    followMutedSpeech({ app, devices: this, toasts });
  }

  /** Allowed by role, room or backend, or because this student was allowed to speak. */
  mayUse(device: Device): boolean {
    const { sessions, classStore } = this.classroom;
    const session = sessions.current;
    if (!session) return false;
    const isSpeaker = classStore.getSnapshot().speakers.some(({ uid }) => uid === session.participant.uid);
    return grantedDevices(session.permissions).includes(device) || (device === 'microphone' && isSpeaker && !session.consent?.isMuted);
  }

  onJoin(devices: readonly Device[]): void {
    // The browser's permission prompt and the connection proceed in parallel.
    if (devices.length > 0) void this.start(devices);
  }

  onConnection({ room }: Connection): void {
    void this.publishTo(room);
  }

  /** Releases what is no longer allowed. */
  onSession(): void {
    for (const device of DEVICES) if (!this.mayUse(device)) void this.revoke(device);
  }

  onLocalTrackMuted(source: Track.Source): void {
    const device = DEVICES.find((one) => one === String(source));
    if (device && this.handleServerMute(device)) this.classroom.toasts.showToast({ key: `toast.mutedByTeacher.${device}` });
  }

  onHeldBack(): void {
    this.release();
  }

  onEnd(): void {
    this.release();
  }
}

/** Puts the status of camera and microphone into the app state, and shows toasts about failures. */
export class DeviceStatusReporter implements DevicesListener {
  constructor(
    private readonly app: Store<AppState>,
    private readonly toasts: Toasts,
    private readonly devices: () => Devices,
  ) {}

  onDevicesChanged(): void {
    const before = devicesOf(this.app.get());
    const devices = { ...before };
    for (const device of DEVICES) {
      const status: DeviceStatus = { isOn: this.devices().isOn(device), deviceError: this.devices().deviceError(device) };
      const { isOn, deviceError } = before[device];
      if (isOn !== status.isOn || deviceError !== status.deviceError) devices[device] = status;
    }
    if (DEVICES.some((device) => devices[device] !== before[device])) this.app.set({ devices });
  }

  /** The lobby shows the failure itself. A device that failed there a moment ago is named again with the one that fails now. */
  onDevicesFailed(failed: readonly Device[]): void {
    if (this.app.get().screen === 'lobby') return;
    const devices = DEVICES.filter((device) => failed.includes(device) || this.devices().deviceError(device));
    this.toasts.showToast({ key: `toast.deviceFailed.${devices.length > 1 ? 'both' : devices[0]}` });
  }

  onBlurFailed(): void {
    this.toasts.showToast({ key: 'toast.blurFailed' });
  }

  onDeviceLost(device: Device, isReplaced: boolean): void {
    this.toasts.showToast({ key: `toast.${isReplaced ? 'deviceReplaced' : 'deviceLost'}.${device}` });
  }
}

/** Who speaks on purpose without being heard knows it after one hint. */
const PAUSE_MS = 60_000;

/** Tells a participant who speaks into the muted microphone that it is off. */
export function followMutedSpeech({ app, devices, toasts }: { app: Store<AppState>; devices: Devices; toasts: Toasts }): void {
  if (!staysOpenWhileMuted) return;
  let end: (() => void) | undefined;
  let hintedAt = -Infinity;
  app.subscribe(() => {
    const { state } = app.get();
    const status = devicesOf(app.get());
    // Of a microphone that is off, there is a track only if it was on and is muted.
    const track = state === 'connected' && !status.microphone.isOn ? devices.track('microphone') : undefined;
    if (!track) {
      end?.();
      end = undefined;
    } else if (!end && performance.now() - hintedAt > PAUSE_MS) {
      end = onSpeechInto(track, () => {
        hintedAt = performance.now();
        toasts.showToast({ key: 'toast.mutedSpeech' });
      });
    }
  });
}

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
