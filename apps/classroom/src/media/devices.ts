import type { Permissions } from '@classroom/contracts';
import type { AudioCaptureOptions, CreateLocalTracksOptions, LocalTrack, Room, Track } from 'livekit-client';
import { applyBlur, BlurError, effects } from './effects.js';
import { livekit, loadLiveKit } from './livekit.js';
import { waitUntilMayPublish } from './publish-permission.js';

export type Device = 'camera' | 'microphone';
export const DEVICES: readonly Device[] = ['microphone', 'camera'];

/** The devices that a participant may use without a teacher's permission. */
export const grantedDevices = ({ publishAudio, publishVideo }: Partial<Pick<Permissions, 'publishAudio' | 'publishVideo'>>) =>
  DEVICES.filter((device) => (device === 'camera' ? publishVideo : publishAudio));

/**
 * Why a device is unavailable: refused by the user or the browser, forbidden by the host page, missing, used by another
 * program, not blurred as the user wants it, or another failure.
 */
export type DeviceError = 'denied' | 'forbidden' | 'missing' | 'busy' | 'blur' | 'failed';

const sourceOf = (device: Device): Track.Source => livekit.Track.Source[device === 'camera' ? 'Camera' : 'Microphone'];
/** How long LiveKit needs to switch to another device by itself, in milliseconds. */
const FALLBACK_MS = 1500;

export interface DevicesListener {
  onDevicesChanged(): void;
  onDevicesFailed(devices: readonly Device[]): void;
  /** The device was unplugged during the class. `isReplaced`: another one is used now. */
  onDeviceLost(device: Device, isReplaced: boolean): void;
  /** The background is visible: it could not be blurred. */
  onBlurFailed(): void;
}

/**
 * The camera and microphone as the user wants them. They outlive a connection: after a reconnection the same tracks are
 * published again, so that the browser does not ask a second time.
 */
export class Devices {
  private readonly tracks = new Map<Device, LocalTrack>();
  private readonly wanted = new Set<Device>();
  private readonly used = new Set<Device>();
  private readonly chosen = new Map<Device, string>();
  private readonly deviceErrors = new Map<Device, DeviceError>();
  private room: Room | undefined;
  private speakerId: string | undefined;
  /** Resolves when the camera's background is as the user wants it. */
  private blurred: Promise<void> = Promise.resolve();

  constructor(private readonly listener: DevicesListener) {}

  isOn(device: Device): boolean {
    return this.wanted.has(device);
  }

  /** Whether the device was on during this stay. */
  wasUsed(device: Device): boolean {
    return this.used.has(device);
  }

  /** Why the last attempt to turn the device on failed. */
  deviceError(device: Device): DeviceError | undefined {
    return this.deviceErrors.get(device);
  }

  track(device: Device): LocalTrack | undefined {
    return this.tracks.get(device);
  }

  /** Requests both devices in one prompt. If that fails, requests each separately, because one may be available. */
  async start(devices: readonly Device[]): Promise<void> {
    const missing = devices.filter((device) => !this.tracks.has(device));
    for (const device of devices) this.wanted.add(device);
    if (missing.length > 1) {
      const options = Object.assign({}, ...missing.map((device) => this.captureOptions(device))) as CreateLocalTracksOptions;
      this.addTracks(await capture(options).catch(() => []));
    }
    const failed: Device[] = [];
    for (const device of devices) if (!(await this.setEnabled(device, this.isOn(device)))) failed.push(device);
    if (failed.length > 0) this.listener.onDevicesFailed(failed);
  }

  /** Turns a device on or off. The device is requested only when it is turned on; the class continues without it. */
  async set(device: Device, isOn: boolean): Promise<boolean> {
    const isDone = await this.setEnabled(device, isOn);
    if (!isDone) this.listener.onDevicesFailed([device]);
    return isDone;
  }

  /** Selects another camera or microphone, and switches to it immediately if the device is in use. */
  async choose(device: Device, deviceId: string): Promise<void> {
    this.chosen.set(device, deviceId);
    const hasSwitched = await this.tracks
      .get(device)
      ?.setDeviceId(deviceId)
      .catch(() => false);
    if (hasSwitched === false) this.listener.onDevicesFailed([device]);
    this.listener.onDevicesChanged();
  }

  chosenId(device: Device): string | undefined {
    return this.tracks.get(device)?.mediaStreamTrack.getSettings().deviceId ?? this.chosen.get(device);
  }

  /** Selects where the class is heard, now and after a reconnection. */
  async chooseSpeaker(deviceId: string): Promise<void> {
    this.speakerId = deviceId;
    await this.room?.switchActiveDevice('audiooutput', deviceId).catch(() => undefined);
  }

  chosenSpeakerId(): string | undefined {
    return this.speakerId;
  }

  /** Blurs what is behind the person, or shows it. */
  async setBlurred(isBlurred: boolean): Promise<void> {
    effects.set({ isBlurred });
    const camera = this.tracks.get('camera');
    if (camera && this.isOn('camera')) await this.blur(camera);
  }

  /** Suppresses all sound but speech, or sends it too, such as music. */
  async setNoiseSuppressed(isNoiseSuppressed: boolean): Promise<void> {
    effects.set({ isNoiseSuppressed });
    const { audio } = this.captureOptions('microphone');
    await this.tracks
      .get('microphone')
      ?.restartTrack(audio as AudioCaptureOptions)
      .catch(() => this.listener.onDevicesFailed(['microphone']));
    this.listener.onDevicesChanged();
  }

  /** Publishes the devices that are on to a room that was just joined. A device that cannot be published is turned off. */
  async publishTo(room: Room): Promise<void> {
    this.room = room;
    if (this.speakerId) void this.chooseSpeaker(this.speakerId);
    for (const device of DEVICES) {
      try {
        // On a busy computer LiveKit's answer may come after the client's timeout.
        await this.publish(device).catch(() => this.publish(device));
      } catch (error) {
        // After the next reconnection it is published again.
        if (room.state !== livekit.ConnectionState.Connected) return;
        await this.fail(device, error);
        this.listener.onDevicesFailed([device]);
        this.listener.onDevicesChanged();
      }
    }
  }

  /** The server turned the device off. Returns whether it had been on. */
  handleServerMute(device: Device): boolean {
    const wasOn = this.wanted.delete(device);
    if (wasOn) this.listener.onDevicesChanged();
    return wasOn;
  }

  /** Releases a device that is no longer allowed. */
  async revoke(device: Device): Promise<void> {
    this.wanted.delete(device);
    await this.unpublish(device);
    this.listener.onDevicesChanged();
  }

  release(): void {
    this.room = undefined;
    this.stopTracks();
    this.used.clear();
    this.deviceErrors.clear();
  }

  /** Gives the devices back after they were tried out. */
  turnOff(): void {
    this.stopTracks();
    this.listener.onDevicesChanged();
  }

  private stopTracks(): void {
    for (const track of this.tracks.values()) track.stop();
    this.tracks.clear();
    this.wanted.clear();
  }

  private async setEnabled(device: Device, isOn: boolean): Promise<boolean> {
    if (isOn) this.wanted.add(device);
    else this.wanted.delete(device);
    this.listener.onDevicesChanged();
    try {
      const track = this.tracks.get(device);
      if (!isOn) await track?.mute();
      else if (track) {
        await track.unmute();
        if (device === 'camera') await this.blur(track);
      } else this.addTracks(await capture(this.captureOptions(device)));
      if (isOn) {
        this.deviceErrors.delete(device);
        this.used.add(device);
      }
      await this.publish(device);
      return true;
    } catch (error) {
      await this.fail(device, error);
      return false;
    } finally {
      this.listener.onDevicesChanged();
    }
  }

  /** Neither captured nor shown as on: the others do not see or hear it. */
  private async fail(device: Device, error: unknown): Promise<void> {
    this.wanted.delete(device);
    this.deviceErrors.set(device, toDeviceError(error, device));
    await this.unpublish(device);
  }

  private captureOptions(device: Device): CreateLocalTracksOptions {
    const deviceId = this.chosen.get(device);
    return device === 'camera'
      ? { video: { deviceId, resolution: { width: 1280, height: 720, frameRate: 30 } } }
      : { audio: { deviceId, echoCancellation: true, noiseSuppression: effects.get().isNoiseSuppressed, autoGainControl: true } };
  }

  /** The user sees the background and turns the blur on: if that fails, it stays visible, and the user is informed. */
  private blur(track: LocalTrack): Promise<void> {
    this.blurred = this.blurred.then(async () => {
      try {
        await applyBlur(track, effects.get().isBlurred);
      } catch {
        effects.set({ isBlurred: false });
        this.listener.onBlurFailed();
      }
    });
    return this.blurred;
  }

  private addTracks(tracks: LocalTrack[]): void {
    for (const track of tracks) {
      const device = track.kind === livekit.Track.Kind.Video ? 'camera' : 'microphone';
      if (this.wanted.has(device)) {
        this.tracks.set(device, track);
        const onEnded = () => setTimeout(() => void this.onTrackEnded(device, track), FALLBACK_MS);
        track.on(livekit.TrackEvent.Ended, onEnded);
        // The device may have been unplugged while the background was being blurred.
        if (!isLive(track)) onEnded();
      }
      // The user turned the device off or left while the browser was still asking.
      else track.stop();
    }
  }

  private async publish(device: Device): Promise<void> {
    const track = this.tracks.get(device);
    const { room } = this;
    if (!track || !room || room.localParticipant.getTrackPublication(sourceOf(device))) return;
    await waitUntilMayPublish(room);
    // Loading the blur takes seconds. The others must not see the room meanwhile.
    if (device === 'camera') await this.blurred;
    await room.localParticipant.publishTrack(track, { source: sourceOf(device) });
  }

  /** LiveKit switches to another device itself, but only for published tracks. */
  private async onTrackEnded(device: Device, track: LocalTrack): Promise<void> {
    if (this.tracks.get(device) !== track || !this.isOn(device)) return;
    this.chosen.delete(device);
    if (!isLive(track)) await track.restartTrack({ deviceId: undefined }).catch(() => undefined);
    if (isLive(track)) {
      await track.unmute();
      this.listener.onDeviceLost(device, true);
    } else {
      await this.revoke(device);
      this.listener.onDeviceLost(device, false);
    }
    this.listener.onDevicesChanged();
  }

  private async unpublish(device: Device): Promise<void> {
    const track = this.tracks.get(device);
    this.tracks.delete(device);
    if (!track) return;
    await this.room?.localParticipant.unpublishTrack(track).catch(() => undefined);
    track.stop();
  }
}

/** A camera starts blurred if the user wants that, and otherwise not at all: the others must not see the room for a moment. */
async function capture(options: CreateLocalTracksOptions): Promise<LocalTrack[]> {
  const { createLocalTracks } = await loadLiveKit();
  const tracks = await createLocalTracks(options);
  try {
    for (const track of tracks) if (track.kind === livekit.Track.Kind.Video) await applyBlur(track, effects.get().isBlurred);
    return tracks;
  } catch (error) {
    for (const track of tracks) track.stop();
    throw error;
  }
}

const isLive = (track: LocalTrack) => track.mediaStreamTrack.readyState === 'live';

export function toDeviceError(error: unknown, device: Device): DeviceError {
  if (error instanceof BlurError) return 'blur';
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return isForbidden(device) ? 'forbidden' : 'denied';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing';
  if (name === 'NotReadableError' || name === 'AbortError') return 'busy';
  return 'failed';
}

/** Whether the host page blocks the device (no `allow` on its iframe), which a user cannot fix. */
function isForbidden(device: Device): boolean {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } };
  return featurePolicy?.allowsFeature(device) === false;
}
