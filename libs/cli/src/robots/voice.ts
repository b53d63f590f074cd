export const SAMPLE_RATE = 48_000;
/** Samples of one frame: 20 ms. */
export const SAMPLES = SAMPLE_RATE / 50;
const SYLLABLES_PER_SECOND = 4;
/** Seconds that one robot speaks before the next. */
const TURN_S = 4;
const LOUDEST = 9_000;
const HARMONICS = [1, 0.6, 0.4, 0.25, 0.12];

/** Syllables in a voice of its own pitch. The robots of a class speak in turns. */
export class Voice {
  private readonly hertz: number;

  /** @param number from 0, of `count` robots */
  constructor(
    private readonly number: number,
    private readonly count: number,
  ) {
    this.hertz = 110 + ((number * 37) % 120);
  }

  /** How loud it is, 0 to 1. @param time seconds */
  level(time: number): number {
    if (Math.floor(time / TURN_S) % this.count !== this.number) return 0;
    return Math.sin(Math.PI * SYLLABLES_PER_SECOND * time) ** 2;
  }

  /** @param time seconds at which the frame begins */
  frame(time: number): Int16Array {
    return Int16Array.from({ length: SAMPLES }, (_, index) => {
      const at = time + index / SAMPLE_RATE;
      const level = this.level(at);
      if (level === 0) return 0;
      const wave = HARMONICS.reduce((sum, loud, n) => sum + loud * Math.sin(2 * Math.PI * this.hertz * (n + 1) * at), 0);
      return (LOUDEST / 2) * level * wave;
    });
  }
}
