import type * as Rtc from '@livekit/rtc-node';
import { CommandError } from '../io.js';
import { HEIGHT, Portrait, WIDTH } from './portrait.js';
import { SAMPLE_RATE, SAMPLES, Voice } from './voice.js';

export type RtcLibrary = typeof Rtc;

/** What a participant may publish. */
export interface Media {
  hasPicture: boolean;
  hasVoice: boolean;
}

const PICTURE_EVERY_MS = 100;
const FRAME_S = SAMPLES / SAMPLE_RATE;
/** Milliseconds of sound that wait to be sent: the mouth would be late with more. */
const QUEUED_MS = 100;

/** The library is large and has native code: only who uses robots installs it. @throws CommandError if it is not installed */
export async function loadRtc(): Promise<RtcLibrary> {
  // Otherwise it writes debug logs to standard output.
  process.env['NODE_ENV'] ??= 'production';
  try {
    return await import('@livekit/rtc-node');
  } catch {
    throw new CommandError('Robots need the package @livekit/rtc-node', 'Run: npm install --global @livekit/rtc-node@1.1.0');
  }
}

/** A participant without a person, connected by WebRTC. */
export class RealRobot {
  private readonly room: Rtc.Room;
  private isHere = true;
  /** Resolves when the robot has left, or the class has ended. */
  readonly gone: Promise<void>;

  private constructor(private readonly rtc: RtcLibrary) {
    this.room = new rtc.Room();
    this.gone = new Promise((resolve) => {
      this.room.on(rtc.RoomEvent.Disconnected, () => {
        this.isHere = false;
        resolve();
      });
    });
  }

  /** @throws if LiveKit refuses the connection */
  static async connect(rtc: RtcLibrary, url: string, token: string): Promise<RealRobot> {
    const robot = new RealRobot(rtc);
    await robot.room.connect(url, token, { autoSubscribe: false, dynacast: false });
    return robot;
  }

  /** Publishes the picture and the voice that the robot may have. @param number from 0, of `count` robots that speak in turns */
  async speak(number: number, count: number, { hasPicture, hasVoice }: Media): Promise<void> {
    const { AudioSource, LocalAudioTrack, LocalVideoTrack, TrackPublishOptions, TrackSource, VideoSource } = this.rtc;
    const [video, audio] = [new VideoSource(WIDTH, HEIGHT), new AudioSource(SAMPLE_RATE, 1, QUEUED_MS)];
    const local = this.room.localParticipant;
    const voice = new Voice(number, count);
    if (hasPicture) {
      const camera = new TrackPublishOptions({ source: TrackSource.SOURCE_CAMERA });
      await local?.publishTrack(LocalVideoTrack.createVideoTrack('camera', video), camera);
      this.show(video, new Portrait(number), voice);
    }
    if (hasVoice) {
      const microphone = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
      await local?.publishTrack(LocalAudioTrack.createAudioTrack('microphone', audio), microphone);
      // The class may end while a frame is sent.
      void this.say(audio, voice).catch(() => undefined);
    }
  }

  async leave(): Promise<void> {
    this.isHere = false;
    await this.room.disconnect();
  }

  private show(video: Rtc.VideoSource, portrait: Portrait, voice: Voice): void {
    const { VideoBufferType, VideoFrame } = this.rtc;
    const timer = setInterval(() => {
      if (!this.isHere) return clearInterval(timer);
      video.captureFrame(new VideoFrame(portrait.frame(voice.level(Date.now() / 1000)), WIDTH, HEIGHT, VideoBufferType.I420));
    }, PICTURE_EVERY_MS);
  }

  /** `captureFrame` waits while enough sound is queued. */
  private async say(audio: Rtc.AudioSource, voice: Voice): Promise<void> {
    for (let time = Date.now() / 1000; this.isHere; time += FRAME_S)
      await audio.captureFrame(new this.rtc.AudioFrame(voice.frame(time), SAMPLE_RATE, 1, SAMPLES));
  }
}
