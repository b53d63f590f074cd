const SAMPLE_RATE = 48_000;
const LATENCY_S = 0.02;
/** Milliseconds: more than the blocks that the context's time goes in, less than one sees. */
const NOTICEABLE_MS = 40;
const LOOK_EVERY_MS = 1_000;

/**
 * All that the page plays, in one track. It follows the page's audio elements, which have to go on playing themselves:
 * Chromium gives WebAudio nothing of a remote track that no element plays.
 */
export class Mixer {
  /** Without a loudspeaker: its buffers would delay the sound against the picture. */
  private readonly context = new AudioContext({
    sampleRate: SAMPLE_RATE,
    latencyHint: LATENCY_S,
    sinkId: { type: 'none' },
  } as AudioContextOptions);
  private readonly output = this.context.createMediaStreamDestination();
  private readonly inputs = new Map<string, MediaStreamAudioSourceNode>();
  private readonly mutations = new MutationObserver(() => this.follow());
  private lagMs = 0;
  private watch: number | undefined;

  constructor(private readonly root: HTMLElement) {
    // Without a source that never ends the track gives no samples while nobody speaks, and the file's sound is too short.
    const silence = this.context.createConstantSource();
    silence.offset.value = 0;
    silence.connect(this.output);
    silence.start();
  }

  get track(): MediaStreamTrack | undefined {
    return this.output.stream.getAudioTracks()[0];
  }

  async start(): Promise<void> {
    this.mutations.observe(this.root, { subtree: true, childList: true });
    document.addEventListener('playing', this.follow, { capture: true });
    this.follow();
    await this.context.resume();
    this.lagMs = this.lag();
    this.watch = window.setInterval(() => this.catchUp(), LOOK_EVERY_MS);
  }

  async stop(): Promise<void> {
    window.clearInterval(this.watch);
    this.mutations.disconnect();
    document.removeEventListener('playing', this.follow, { capture: true });
    await this.context.close();
  }

  /**
   * While the mixing stands still, on a machine that is busy for a moment, sound piles up before it and stays late for ever.
   * A new input begins with what is heard now.
   */
  private catchUp(): void {
    const lag = this.lag();
    const isLate = lag - this.lagMs > NOTICEABLE_MS;
    if (isLate || lag < this.lagMs) this.lagMs = lag;
    if (!isLate) return;
    for (const input of this.inputs.values()) input.disconnect();
    this.inputs.clear();
    this.follow();
  }

  /** How far the mixing is behind the clock, from some beginning. */
  private lag(): number {
    return performance.now() - this.context.currentTime * 1000;
  }

  private readonly follow = (): void => {
    const tracks = new Map([...this.root.querySelectorAll('audio')].flatMap(liveTracks).map((track) => [track.id, track]));
    for (const [id, input] of this.inputs) {
      if (tracks.has(id)) continue;
      input.disconnect();
      this.inputs.delete(id);
    }
    for (const [id, track] of tracks) {
      if (this.inputs.has(id)) continue;
      const input = this.context.createMediaStreamSource(new MediaStream([track]));
      input.connect(this.output);
      this.inputs.set(id, input);
    }
  };
}

function liveTracks({ srcObject }: HTMLAudioElement): MediaStreamTrack[] {
  return srcObject instanceof MediaStream ? srcObject.getAudioTracks().filter(({ readyState }) => readyState === 'live') : [];
}
