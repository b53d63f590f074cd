'use strict';

const { needs } = require('./scene');
const rtc = needs('@livekit/rtc-node');

const SAMPLE_RATE = 48_000;

/** Somebody in class over WebRTC, without a page: shows what it is given, receives nothing. */
class LoadPerson {
  /** @param {string} url @param {string} token */
  static async connect(url, token) {
    const person = new LoadPerson();
    await person.room.connect(url, token, { autoSubscribe: false, dynacast: false });
    return person;
  }

  constructor() {
    this.room = new rtc.Room();
    /** @type {NodeJS.Timeout[]} */
    this.timers = [];
    this.isHere = true;
    this.room.on(rtc.RoomEvent.Disconnected, () => { this.isHere = false; });
  }

  /**
   * @param {{ width: number, height: number }} size
   * @param {(tick: number) => Uint8Array} paint one picture, I420
   * @param {{ fps: number, isScreen?: boolean }} options
   */
  async show({ width, height }, paint, { fps, isScreen = false }) {
    const source = new rtc.VideoSource(width, height);
    const kind = isScreen ? rtc.TrackSource.SOURCE_SCREENSHARE : rtc.TrackSource.SOURCE_CAMERA;
    await this.publish(rtc.LocalVideoTrack.createVideoTrack(isScreen ? 'screen' : 'camera', source), { source: kind, simulcast: false });
    let tick = 0;
    this.timers.push(setInterval(() => {
      source.captureFrame(new rtc.VideoFrame(paint(tick++), width, height, rtc.VideoBufferType.I420));
    }, 1000 / fps));
  }

  /** A microphone that is on; nothing is to be heard of it unless there is a tone. @param {number} [hertz] */
  async speak(hertz) {
    const source = new rtc.AudioSource(SAMPLE_RATE, 1);
    await this.publish(rtc.LocalAudioTrack.createAudioTrack('microphone', source), { source: rtc.TrackSource.SOURCE_MICROPHONE });
    if (!hertz) return;
    const samples = SAMPLE_RATE / 100;
    let tick = 0;
    this.timers.push(setInterval(() => {
      const from = tick++ * samples;
      const data = new Int16Array(samples).map((_, i) => 6000 * Math.sin((2 * Math.PI * hertz * (from + i)) / SAMPLE_RATE));
      void source.captureFrame(new rtc.AudioFrame(data, SAMPLE_RATE, 1, samples)).catch(() => undefined);
    }, 10));
  }

  /** @param {import('@livekit/rtc-node').LocalTrack} track @param {object} options */
  async publish(track, options) {
    await this.room.localParticipant?.publishTrack(track, new rtc.TrackPublishOptions(options));
  }

  async leave() {
    this.timers.forEach(clearInterval);
    await this.room.disconnect();
  }
}

/** Ends the native library: nobody connects after it. */
const dispose = () => rtc.dispose();

module.exports = { LoadPerson, dispose };
