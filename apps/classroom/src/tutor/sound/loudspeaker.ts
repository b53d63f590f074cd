/** Time for the browser to prepare a sound, in seconds. Later sounds follow without a gap. */
const LEAD = 0.06;

/** Plays sounds one after the other. */
export class Loudspeaker {
  private context: AudioContext | undefined;
  private readonly sources = new Set<AudioBufferSourceNode>();
  private order: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  /** When the sounds scheduled so far end, in seconds by the context's clock. */
  private endsAt = 0;
  private round = 0;

  constructor(private readonly onChange: (isPlaying: boolean) => void) {}

  /** Call within a user gesture: browsers let a page play sound only after one. */
  wake(): void {
    this.context ??= new AudioContext();
    void this.context.resume();
  }

  /** Plays a sound after the previous ones. Skips data that cannot be decoded. */
  play(wav: Uint8Array<ArrayBuffer>): void {
    this.wake();
    const { context, round } = this;
    if (!context) return;
    this.waiting += 1;
    this.onChange(true);
    // Decoding detaches the buffer that it receives, so it gets a copy.
    const decoded = context.decodeAudioData(wav.slice().buffer).catch(() => undefined);
    this.order = this.order.then(async () => {
      const sound = await decoded;
      if (round !== this.round) return;
      this.waiting -= 1;
      if (sound) this.plan(context, sound);
      this.tell();
    });
  }

  stop(): void {
    this.round += 1;
    this.waiting = 0;
    this.endsAt = 0;
    for (const source of this.sources) source.stop();
    this.sources.clear();
    this.tell();
  }

  /** Stops and releases the audio device until the next sound. */
  release(): void {
    this.stop();
    void this.context?.close();
    this.context = undefined;
  }

  private plan(context: AudioContext, sound: AudioBuffer): void {
    const source = context.createBufferSource();
    source.buffer = sound;
    source.connect(context.destination);
    const startsAt = Math.max(this.endsAt, context.currentTime + LEAD);
    this.endsAt = startsAt + sound.duration;
    this.sources.add(source);
    source.addEventListener('ended', () => {
      this.sources.delete(source);
      this.tell();
    });
    source.start(startsAt);
  }

  private tell(): void {
    this.onChange(this.waiting > 0 || this.sources.size > 0);
  }
}
