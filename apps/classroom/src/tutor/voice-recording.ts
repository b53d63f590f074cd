import { encodeWav, toMono } from './wav.js';

/** The sample rate that speech recognition expects, in Hz. */
const SAMPLE_RATE = 16_000;
/** The level of speech at arm's length from the microphone, as a share of full scale. */
const SPEECH_LEVEL = 0.12;

/** A recording of the microphone, from its start until it is finished or discarded. */
export class VoiceRecording {
  private readonly recorder: MediaRecorder;
  private readonly chunks: Blob[] = [];
  private readonly context = new AudioContext();
  private readonly analyser = this.context.createAnalyser();
  private readonly samples: Float32Array<ArrayBuffer>;
  private readonly startedAt = performance.now();

  private constructor(private readonly stream: MediaStream) {
    this.analyser.fftSize = 512;
    this.samples = new Float32Array(this.analyser.fftSize);
    this.context.createMediaStreamSource(stream).connect(this.analyser);
    this.recorder = new MediaRecorder(stream);
    this.recorder.ondataavailable = ({ data }) => this.chunks.push(data);
    this.recorder.start();
  }

  /** Asks for the microphone. @throws DOMException as getUserMedia does */
  static async start(deviceId: string | undefined): Promise<VoiceRecording> {
    const { mediaDevices } = navigator as { mediaDevices?: MediaDevices };
    if (!mediaDevices) throw new DOMException('only a secure page has devices', 'SecurityError');
    const device = deviceId === undefined ? {} : { deviceId: { ideal: deviceId } };
    return new VoiceRecording(
      await mediaDevices.getUserMedia({ audio: { ...device, echoCancellation: true, noiseSuppression: true, autoGainControl: true } }),
    );
  }

  get seconds(): number {
    return (performance.now() - this.startedAt) / 1000;
  }

  /** The current level, from 0 (silence) to 1. */
  level(): number {
    this.analyser.getFloatTimeDomainData(this.samples);
    const power = this.samples.reduce((sum, sample) => sum + sample * sample, 0) / this.samples.length;
    return Math.min(1, Math.sqrt(power) / SPEECH_LEVEL);
  }

  /** Ends the recording and returns it as a mono WAV. @throws Error if the browser cannot decode what it recorded */
  async finish(): Promise<Uint8Array> {
    const { recorder } = this;
    try {
      if (recorder.state !== 'inactive') {
        const ended = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }));
        recorder.stop();
        await ended;
      }
      const recorded = await new Blob(this.chunks).arrayBuffer();
      // Decoding converts the sound to the context's sample rate.
      const sound = await new OfflineAudioContext(1, 1, SAMPLE_RATE).decodeAudioData(recorded);
      return encodeWav(toMono(Array.from({ length: sound.numberOfChannels }, (_, i) => sound.getChannelData(i))), SAMPLE_RATE);
    } finally {
      this.discard();
    }
  }

  discard(): void {
    if (this.recorder.state !== 'inactive') this.recorder.stop();
    for (const track of this.stream.getTracks()) track.stop();
    if (this.context.state !== 'closed') void this.context.close();
  }
}
