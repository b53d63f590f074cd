/** Time for the browser to prepare a sound, in seconds. Later sounds follow without a gap. */
const LEAD_SECONDS = 0.06;

/** Plays sounds one after the other. */
export class AudioPlayer {
  private context: AudioContext | undefined;
  private readonly sources = new Set<AudioBufferSourceNode>();
  private decoding: Promise<unknown> = Promise.resolve();
  private pendingCount = 0;
  /** When the sounds scheduled so far end, in seconds by the context's clock. */
  private endsAt = 0;
  private generation = 0;

  constructor(private readonly onChange: (isPlaying: boolean) => void) {}

  /** Call within a user gesture: browsers let a page play sound only after one. */
  resume(): void {
    this.context ??= new AudioContext();
    void this.context.resume();
  }

  /** Plays a sound after the previous ones. Skips data that cannot be decoded. */
  play(wav: Uint8Array<ArrayBuffer>): void {
    this.resume();
    const { context, generation } = this;
    if (!context) return;
    this.pendingCount += 1;
    this.onChange(true);
    // Decoding detaches the buffer that it receives, so it gets a copy.
    const decoded = context.decodeAudioData(wav.slice().buffer).catch(() => undefined);
    this.decoding = this.decoding.then(async () => {
      const sound = await decoded;
      if (generation !== this.generation) return;
      this.pendingCount -= 1;
      if (sound) this.schedule(context, sound);
      this.notify();
    });
  }

  stop(): void {
    this.generation += 1;
    this.pendingCount = 0;
    this.endsAt = 0;
    for (const source of this.sources) source.stop();
    this.sources.clear();
    this.notify();
  }

  /** Stops and releases the audio device until the next sound. */
  release(): void {
    this.stop();
    void this.context?.close();
    this.context = undefined;
  }

  private schedule(context: AudioContext, sound: AudioBuffer): void {
    const source = context.createBufferSource();
    source.buffer = sound;
    source.connect(context.destination);
    const startsAt = Math.max(this.endsAt, context.currentTime + LEAD_SECONDS);
    this.endsAt = startsAt + sound.duration;
    this.sources.add(source);
    source.addEventListener('ended', () => {
      this.sources.delete(source);
      this.notify();
    });
    source.start(startsAt);
  }

  private notify(): void {
    this.onChange(this.pendingCount > 0 || this.sources.size > 0);
  }
}
