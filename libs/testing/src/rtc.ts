import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  LocalVideoTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackSource,
  VideoBufferType,
  VideoFrame,
  VideoSource,
  VideoStream,
  AudioStream,
  dispose,
  type RemoteTrack,
} from '@livekit/rtc-node';
import { publishTrack } from './livekit/publish-track.js';

/** Width of the picture that a participant publishes, in pixels. */
export const PICTURE_WIDTH = 160;
const HEIGHT = 90;
const PICTURE_EVERY_MS = 100;
const SAMPLE_RATE = 48_000;
const TONE_EVERY_MS = 20;
const TONE_SAMPLES = (SAMPLE_RATE * TONE_EVERY_MS) / 1000;
/** Whole waves fit into each frame, so that all frames are the same. */
const TONE_HERTZ = 400;
const TONE = Int16Array.from({ length: TONE_SAMPLES }, (_, i) => 8_000 * Math.sin((2 * Math.PI * TONE_HERTZ * i) / SAMPLE_RATE));

/** A real participant over WebRTC. Call `RtcParticipant.disposeAll()` in the suite's afterAll. */
export class RtcParticipant {
  readonly room = new Room();
  disconnected = false;
  reconnections = 0;
  private readonly frames = { audio: 0, video: 0 };
  private readonly timers: NodeJS.Timeout[] = [];

  private static readonly all = new Set<RtcParticipant>();

  private constructor() {
    RtcParticipant.all.add(this);
    this.room.on(RoomEvent.Disconnected, () => {
      this.disconnected = true;
      this.timers.forEach(clearInterval);
    });
    this.room.on(RoomEvent.Reconnected, () => (this.reconnections += 1));
    this.room.on(RoomEvent.TrackSubscribed, (track) => void this.count(track));
  }

  /** All participants leave and the native library ends; no participant can connect afterwards. */
  static async disposeAll(): Promise<void> {
    await Promise.all([...RtcParticipant.all].map((participant) => participant.leave().catch(() => undefined)));
    await dispose();
  }

  /** @throws if LiveKit refuses the connection */
  static async connect(url: string, token: string): Promise<RtcParticipant> {
    const participant = new RtcParticipant();
    await participant.room.connect(url, token, { autoSubscribe: true, dynacast: false });
    return participant;
  }

  get sid(): string {
    return this.room.localParticipant?.sid ?? '';
  }

  /** Number of media frames received from others so far. */
  get received(): { audio: number; video: number } {
    return { ...this.frames };
  }

  /**
   * Publishes a moving picture and a tone.
   * @throws if the token does not allow publishing
   */
  async publish(): Promise<void> {
    await this.publishPicture();
    await this.publishTone();
  }

  async publishPicture(): Promise<void> {
    const video = new VideoSource(PICTURE_WIDTH, HEIGHT);
    await publishTrack(this.room, () => LocalVideoTrack.createVideoTrack('camera', video), { source: TrackSource.SOURCE_CAMERA });
    let tick = 0;
    this.timers.push(setInterval(() => video.captureFrame(picture(tick++)), PICTURE_EVERY_MS));
  }

  async publishTone(): Promise<void> {
    const audio = new AudioSource(SAMPLE_RATE, 1);
    await publishTrack(this.room, () => LocalAudioTrack.createAudioTrack('microphone', audio), { source: TrackSource.SOURCE_MICROPHONE });
    const tone = () => new AudioFrame(TONE, SAMPLE_RATE, 1, TONE_SAMPLES);
    this.timers.push(setInterval(() => void audio.captureFrame(tone()).catch(() => undefined), TONE_EVERY_MS));
  }

  async leave(): Promise<void> {
    this.timers.forEach(clearInterval);
    await this.room.disconnect();
  }

  private async count(track: RemoteTrack): Promise<void> {
    const isVideo = track.kind === TrackKind.KIND_VIDEO;
    const stream = isVideo ? new VideoStream(track) : new AudioStream(track);
    for await (const _ of stream) this.frames[isVideo ? 'video' : 'audio'] += 1;
  }
}

/** A picture in I420 whose brightness changes with `tick`. */
function picture(tick: number): VideoFrame {
  const luma = PICTURE_WIDTH * HEIGHT;
  const data = new Uint8Array((luma * 3) / 2).fill(128).fill((tick * 12) % 256, 0, luma);
  return new VideoFrame(data, PICTURE_WIDTH, HEIGHT, VideoBufferType.I420);
}
