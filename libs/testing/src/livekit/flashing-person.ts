import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  LocalVideoTrack,
  Room,
  TrackPublishOptions,
  TrackSource,
  VideoBufferType,
  VideoFrame,
  VideoSource,
} from '@livekit/rtc-node';
import { AccessToken, type VideoGrant } from 'livekit-server-sdk';
import type { TestStack } from '../stack.js';

const SAMPLE_RATE = 48_000;
const SAMPLES = SAMPLE_RATE / 100;
const BEEP_HERTZ = 1_000;
/** Long enough to be seen at a few frames a second. */
const FLASH_MS = 250;
const FRAME_MS = 1000 / 30;
/** Sound that waits in the source; more would come too late against the picture. */
const AHEAD_MS = 20;

/** Someone in a real LiveKit room whose picture flashes and whose microphone beeps at the beginning of each second of the wall clock. */
export class FlashingPerson {
  private readonly room = new Room();
  private isHere = true;

  private constructor() {}

  static async join(stack: TestStack, roomName: string, identity: string, { width = 640, height = 360 } = {}): Promise<FlashingPerson> {
    const person = new FlashingPerson();
    const token = await liveKitToken(stack, identity, { room: roomName, canPublish: true, canSubscribe: false });
    await person.room.connect(stack.urls.livekit.replace(/^http/, 'ws'), token, { autoSubscribe: false, dynacast: false });
    const [video, audio] = [new VideoSource(width, height), new AudioSource(SAMPLE_RATE, 1)];
    const local = person.room.localParticipant;
    const camera = new TrackPublishOptions({ source: TrackSource.SOURCE_CAMERA, simulcast: false });
    const microphone = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE, dtx: false });
    await local?.publishTrack(LocalVideoTrack.createVideoTrack('camera', video), camera);
    await local?.publishTrack(LocalAudioTrack.createAudioTrack('microphone', audio), microphone);
    void person.show(video, width, height);
    void person.beep(audio);
    return person;
  }

  async leave(): Promise<void> {
    this.isHere = false;
    await this.room.disconnect();
  }

  private async show(video: VideoSource, width: number, height: number): Promise<void> {
    for (let tick = 0; this.isHere; tick += 1) {
      video.captureFrame(new VideoFrame(picture(width, height, tick), width, height, VideoBufferType.I420));
      await passed(FRAME_MS - (Date.now() % FRAME_MS));
    }
  }

  private async beep(audio: AudioSource): Promise<void> {
    while (this.isHere) {
      const waiting = audio.queuedDuration;
      if (waiting > AHEAD_MS) await passed(waiting - AHEAD_MS / 2);
      else await audio.captureFrame(new AudioFrame(sound(Date.now() + waiting), SAMPLE_RATE, 1, SAMPLES)).catch(() => passed(AHEAD_MS));
    }
  }
}

export async function liveKitToken(stack: TestStack, identity: string, grant: VideoGrant): Promise<string> {
  const token = new AccessToken(stack.secrets['livekitApiKey'], stack.secrets['livekitApiSecret'], { identity, name: identity, ttl: 3600 });
  token.addGrant({ roomJoin: true, ...grant });
  return token.toJwt();
}

const isFlash = (time: number) => time % 1000 < FLASH_MS;

/** Gray with a square that moves, or white. */
function picture(width: number, height: number, tick: number): Uint8Array {
  const luma = width * height;
  const data = new Uint8Array((luma * 3) / 2).fill(128);
  data.fill(isFlash(Date.now()) ? 235 : 40, 0, luma);
  const [left, size] = [(tick * 8) % (width - 40), 40];
  for (let row = height - size; row < height; row += 1) data.fill(140, row * width + left, row * width + left + size);
  return data;
}

const sound = (from: number) =>
  new Int16Array(SAMPLES).map((_, i) => {
    const time = from + (i * 1000) / SAMPLE_RATE;
    return isFlash(time) ? 12_000 * Math.sin((2 * Math.PI * BEEP_HERTZ * time) / 1000) : 0;
  });

const passed = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
