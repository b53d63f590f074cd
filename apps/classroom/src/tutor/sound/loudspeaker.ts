/** Time for the browser to get a sound ready, in seconds: later ones follow without a gap. */
const LEAD = 0.06;

/** Plays sounds one after the other. */
export class Loudspeaker {
  private context: AudioContext | undefined;
  private readonly sources = new Set<AudioBufferSourceNode>();
  private order: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  /** By the context's clock: when what is planned so far has been said. */
  private endsAt = 0;
  private round = 0;

  constructor(private readonly onChange: (isPlaying: boolean) => void) {}

  /** Inside of a user's gesture: browsers let no page sound without one. */
  wake(): void {
    this.context ??= new AudioContext();
    void this.context.resume();
  }

  /** After those before it. What can't be read as a sound is left out. */
  play(wav: Uint8Array<ArrayBuffer>): void {
    this.wake();
    const { context, round } = this;
    if (!context) return;
    this.waiting += 1;
    this.onChange(true);
    // Decoding empties the bytes it is given.
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

  /** Until something is to be played again. */
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
