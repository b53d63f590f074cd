const SAMPLE_RATE = 48_000;
const LATENCY_S = 0.02;
/**
 * The lag that triggers a catch-up, in milliseconds: longer than the steps of the context's clock, shorter than a delay that
 * viewers notice.
 */
const MAX_LAG_MS = 40;
const CHECK_INTERVAL_MS = 1_000;

/**
 * Mixes all sound of the page into one track. It follows the page's audio elements, which must keep playing: Chromium passes a
 * remote track to WebAudio only while an element plays it.
 */
export class Mixer {
  /** Without an output device, whose buffers would delay the sound against the picture. */
  private readonly context = new AudioContext({
    sampleRate: SAMPLE_RATE,
    latencyHint: LATENCY_S,
    sinkId: { type: 'none' },
  } as AudioContextOptions);
  private readonly output = this.context.createMediaStreamDestination();
  private readonly inputs = new Map<string, MediaStreamAudioSourceNode>();
  private readonly mutations = new MutationObserver(() => this.syncInputs());
  private lagMs = 0;
  private timer: number | undefined;

  constructor(private readonly root: HTMLElement) {
    // A source that never ends: without it the track has no samples while everyone is silent, and the file's sound is too short.
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
    document.addEventListener('playing', this.syncInputs, { capture: true });
    this.syncInputs();
    await this.context.resume();
    this.lagMs = this.lag();
    this.timer = window.setInterval(() => this.catchUp(), CHECK_INTERVAL_MS);
  }

  async stop(): Promise<void> {
    window.clearInterval(this.timer);
    this.mutations.disconnect();
    document.removeEventListener('playing', this.syncInputs, { capture: true });
    await this.context.close();
  }

  /**
   * If a busy machine stalls the mixing, sound accumulates in the inputs and stays late permanently. New inputs start with the
   * current sound.
   */
  private catchUp(): void {
    const lag = this.lag();
    const isLate = lag - this.lagMs > MAX_LAG_MS;
    if (isLate || lag < this.lagMs) this.lagMs = lag;
    if (!isLate) return;
    for (const input of this.inputs.values()) input.disconnect();
    this.inputs.clear();
    this.syncInputs();
  }

  /** How far the context's clock is behind, in milliseconds, plus a constant. */
  private lag(): number {
    return performance.now() - this.context.currentTime * 1000;
  }

  private readonly syncInputs = (): void => {
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
