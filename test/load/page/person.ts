import { needs } from './scene.ts';
import type { LocalTrack } from '@livekit/rtc-node';

const rtc = needs('@livekit/rtc-node') as typeof import('@livekit/rtc-node');

const SAMPLE_RATE = 48_000;

/** A participant over WebRTC without a page: publishes what it is given and receives nothing. */
export class LoadPerson {
  static async connect(url: string, token: string) {
    const person = new LoadPerson();
    await person.room.connect(url, token, { autoSubscribe: false, dynacast: false });
    return person;
  }

  room = new rtc.Room();
  timers: NodeJS.Timeout[] = [];

  /** @param paint returns one picture in I420 */
  async show(
    { width, height }: { width: number; height: number },
    paint: (tick: number) => Uint8Array,
    { fps, isScreen = false }: { fps: number; isScreen?: boolean },
  ) {
    const source = new rtc.VideoSource(width, height);
    const kind = isScreen ? rtc.TrackSource.SOURCE_SCREENSHARE : rtc.TrackSource.SOURCE_CAMERA;
    await this.publish(rtc.LocalVideoTrack.createVideoTrack(isScreen ? 'screen' : 'camera', source), { source: kind, simulcast: false });
    let tick = 0;
    this.timers.push(
      setInterval(() => {
        source.captureFrame(new rtc.VideoFrame(paint(tick++), width, height, rtc.VideoBufferType.I420));
      }, 1000 / fps),
    );
  }

  /** Publishes a microphone. Without a tone it is silent. */
  async speak(hertz?: number) {
    const source = new rtc.AudioSource(SAMPLE_RATE, 1);
    await this.publish(rtc.LocalAudioTrack.createAudioTrack('microphone', source), { source: rtc.TrackSource.SOURCE_MICROPHONE });
    if (!hertz) return;
    const samples = SAMPLE_RATE / 100;
    let tick = 0;
    this.timers.push(
      setInterval(() => {
        const from = tick++ * samples;
        const data = new Int16Array(samples).map((_, i) => 6000 * Math.sin((2 * Math.PI * hertz * (from + i)) / SAMPLE_RATE));
        void source.captureFrame(new rtc.AudioFrame(data, SAMPLE_RATE, 1, samples)).catch(() => undefined);
      }, 10),
    );
  }

  async publish(track: LocalTrack, options: object) {
    await this.room.localParticipant?.publishTrack(track, new rtc.TrackPublishOptions(options));
  }

  async leave() {
    this.timers.forEach(clearInterval);
    await this.room.disconnect();
  }
}

/** Ends the native library. No connection is possible afterwards. */
export const dispose = () => rtc.dispose();
