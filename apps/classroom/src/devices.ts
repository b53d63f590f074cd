import { createLocalTracks, Track, type CreateLocalTracksOptions, type LocalTrack, type Room } from 'livekit-client';

export type Device = 'camera' | 'microphone';
export const DEVICES: readonly Device[] = ['microphone', 'camera'];

const SOURCE = { camera: Track.Source.Camera, microphone: Track.Source.Microphone } as const;
const CAPTURE = {
  camera: { video: { resolution: { width: 1280, height: 720, frameRate: 30 } } },
  microphone: { audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true } },
} satisfies Record<Device, CreateLocalTracksOptions>;

export interface DevicesListener {
  changed(): void;
  failed(devices: readonly Device[]): void;
}

/**
 * The camera and microphone as the user wants them. They outlive a connection: coming back, the same tracks are published
 * again, so that no browser asks a second time.
 */
export class Devices {
  private readonly tracks = new Map<Device, LocalTrack>();
  private readonly wanted = new Set<Device>();
  private room: Room | undefined;

  constructor(private readonly listener: DevicesListener) {}

  isOn(device: Device): boolean {
    return this.wanted.has(device);
  }

  /** Asks for both in one question; where that fails, one may still be had without the other. */
  async start(devices: readonly Device[]): Promise<void> {
    const missing = devices.filter((device) => !this.tracks.has(device));
    for (const device of devices) this.wanted.add(device);
    if (missing.length > 1) {
      const options = Object.assign({}, ...missing.map((device) => CAPTURE[device])) as CreateLocalTracksOptions;
      this.keep(await createLocalTracks(options).catch(() => []));
    }
    const failed: Device[] = [];
    for (const device of devices) if (!(await this.turn(device, this.isOn(device)))) failed.push(device);
    if (failed.length > 0) this.listener.failed(failed);
  }

  /** A device is asked for only when it is switched on. Without one the class goes on all the same. */
  async set(device: Device, isOn: boolean): Promise<void> {
    if (!(await this.turn(device, isOn))) this.listener.failed([device]);
  }

  /** A room that was just joined gets what is on. */
  async enter(room: Room): Promise<void> {
    this.room = room;
    for (const device of DEVICES) {
      await this.publish(device).catch(() => this.listener.failed([device]));
    }
  }

  release(): void {
    this.room = undefined;
    for (const track of this.tracks.values()) track.stop();
    this.tracks.clear();
    this.wanted.clear();
  }

  private async turn(device: Device, isOn: boolean): Promise<boolean> {
    if (isOn) this.wanted.add(device);
    else this.wanted.delete(device);
    this.listener.changed();
    try {
      const track = this.tracks.get(device);
      if (!isOn) await track?.mute();
      else if (track) await track.unmute();
      else this.keep(await createLocalTracks(CAPTURE[device]));
      await this.publish(device);
      return true;
    } catch {
      this.wanted.delete(device);
      return false;
    } finally {
      this.listener.changed();
    }
  }

  private keep(tracks: LocalTrack[]): void {
    for (const track of tracks) {
      const device = track.kind === Track.Kind.Video ? 'camera' : 'microphone';
      if (this.wanted.has(device)) this.tracks.set(device, track);
      // Switched off, or left, while the browser was still asking.
      else track.stop();
    }
  }

  private async publish(device: Device): Promise<void> {
    const track = this.tracks.get(device);
    const participant = this.room?.localParticipant;
    if (!track || !participant || participant.getTrackPublication(SOURCE[device])) return;
    await participant.publishTrack(track, { source: SOURCE[device] });
  }
}
