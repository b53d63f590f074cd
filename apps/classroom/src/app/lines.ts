import type { AppState, Words } from './app-store.js';
import type { Store } from '../store/store.js';

const NOTICE_MS = 8_000;
/** Participants who join within this time, in milliseconds, are announced together. */
const ARRIVALS_MS = 2_000;
const MOST_NAMES = 3;

/** Short messages: shown for a while, and announced to screen readers once. */
export class Lines {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private arrivals: string[] = [];
  private saidSoFar = 0;

  constructor(private readonly app: Store<AppState>) {}

  /** Shows a notice and announces it. */
  show(words: Words): void {
    this.say(words);
    this.app.set({ notice: words });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.app.set({ notice: undefined }), NOTICE_MS);
  }

  /** Announces a text to screen readers without showing it. */
  say(words: Words): void {
    this.saidSoFar += 1;
    this.app.set({ said: { ...words, nth: this.saidSoFar } });
  }

  arrived(name: string): void {
    if (this.arrivals.push(name) === 1) setTimeout(() => this.sayArrivals(), ARRIVALS_MS);
  }

  clear(): void {
    clearTimeout(this.timer);
    this.app.set({ notice: undefined });
  }

  private sayArrivals(): void {
    const names = this.arrivals;
    this.arrivals = [];
    const values = { count: names.length, names: names.join(', ') };
    this.say({ key: names.length > MOST_NAMES ? 'said.manyJoined' : 'said.joined', values });
  }
}
