import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  LocalVideoTrack,
  Room,
  TrackSource,
  VideoBufferType,
  VideoFrame,
  VideoSource,
} from '@livekit/rtc-node';
import { sleep } from '../eventually.js';
import { publishTrack } from './publish-track.js';
import { byForm } from '../forms.js';

const [WIDTH, HEIGHT] = [640, 360];
const FRAME_MS = 1000 / byForm({ short: 15, long: 30 });
const SAMPLE_RATE = 48_000;
const SAMPLES = SAMPLE_RATE / 100;
/** Audio that is queued in the source, in milliseconds; with more it would be late against the picture. */
const BUFFER_MS = 20;
/** Long enough to be visible at a few frames per second. */
const FLASH_MS = 250;

export interface Pattern {
  /** The picture's color: U and V of YUV, 0 to 255. */
  color: readonly [u: number, v: number];
  /** The beep's frequency. */
  hertz: number;
  /** Whether the picture is a shared screen instead of a camera. */
  isScreen?: boolean;
}

/**
 * A WebRTC participant with a token of the API. It publishes moving waves, and at the beginning of each second of the wall clock
 * a flash and a beep with its own frequency.
 */
export class PatternPerson {
  private readonly room = new Room();
  private isConnected = true;

  private constructor(private readonly pattern: Pattern) {
    this.room.on('disconnected', () => (this.isConnected = false));
  }

  static async connect(url: string, token: string, pattern: Pattern): Promise<PatternPerson> {
    const person = new PatternPerson(pattern);
    await person.room.connect(url, token, { autoSubscribe: false, dynacast: false });
    const [video, audio] = [new VideoSource(WIDTH, HEIGHT), new AudioSource(SAMPLE_RATE, 1)];
    await publishTrack(person.room, () => LocalVideoTrack.createVideoTrack('camera', video), {
      source: pattern.isScreen ? TrackSource.SOURCE_SCREENSHARE : TrackSource.SOURCE_CAMERA,
      simulcast: false,
    });
    await publishTrack(person.room, () => LocalAudioTrack.createAudioTrack('microphone', audio), {
      source: TrackSource.SOURCE_MICROPHONE,
      dtx: false,
    });
    void person.show(video);
    void person.beep(audio);
    return person;
  }

  async leave(): Promise<void> {
    this.isConnected = false;
    await this.room.disconnect();
  }

  private async show(video: VideoSource): Promise<void> {
    const paint = painter(this.pattern.color);
    while (this.isConnected) {
      video.captureFrame(new VideoFrame(paint(Date.now()), WIDTH, HEIGHT, VideoBufferType.I420));
      await sleep(FRAME_MS - (Date.now() % FRAME_MS));
    }
  }

  private async beep(audio: AudioSource): Promise<void> {
    while (this.isConnected) {
      const waiting = audio.queuedDuration;
      if (waiting > BUFFER_MS) await sleep(waiting - BUFFER_MS / 2);
      else await audio.captureFrame(this.sound(Date.now() + waiting)).catch(() => sleep(BUFFER_MS));
    }
  }

  private sound(from: number): AudioFrame {
    const data = new Int16Array(SAMPLES);
    for (let i = 0; i < SAMPLES; i += 1) {
      const time = from + (i * 1000) / SAMPLE_RATE;
      if (isFlash(time)) data[i] = 9_000 * Math.sin((2 * Math.PI * this.pattern.hertz * time) / 1000);
    }
    return new AudioFrame(data, SAMPLE_RATE, 1, SAMPLES);
  }
}

const isFlash = (time: number) => time % 1000 < FLASH_MS;

/** Brightness of a picture twice as wide as ours, which moves across it. Made once, because it takes most of a second. */
let waves: Uint8Array | undefined;
const makeWaves = () =>
  Uint8Array.from({ length: WIDTH * 2 * HEIGHT }, (_, i) => {
    const [x, y] = [i % (WIDTH * 2), Math.floor(i / (WIDTH * 2))];
    return 62 + 22 * Math.sin((2 * Math.PI * (x + y)) / 160) + 14 * Math.sin((2 * Math.PI * y) / 90);
  });

/** Draws the picture for a moment, in I420. */
function painter([u, v]: Pattern['color']): (now: number) => Uint8Array {
  const luma = WIDTH * HEIGHT;
  const data = new Uint8Array((luma * 3) / 2);
  data.fill(u, luma, (luma * 5) / 4).fill(v, (luma * 5) / 4);
  const moving = (waves ??= makeWaves());
  return (now) => {
    if (isFlash(now)) return data.fill(225, 0, luma).slice();
    const left = Math.floor(now / 12) % WIDTH;
    for (let row = 0; row < HEIGHT; row += 1)
      data.set(moving.subarray(row * WIDTH * 2 + left, row * WIDTH * 2 + left + WIDTH), row * WIDTH);
    return data.slice();
  };
}
