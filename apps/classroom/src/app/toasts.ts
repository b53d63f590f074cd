import type { AppState, I18nText } from './app-store.js';
import type { Store } from '../store/store.js';

const TOAST_MS = 8_000;
/** Participants who join within this time, in milliseconds, are announced together. */
const ARRIVALS_WINDOW_MS = 2_000;
const MAX_NAMES = 3;

/** Short messages: shown for a while, and announced to screen readers once. */
export class Toasts {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private arrivals: string[] = [];
  private sequence = 0;

  constructor(private readonly app: Store<AppState>) {}

  /** Shows a toast and announces it. */
  showToast(text: I18nText): void {
    this.announce(text);
    this.app.set({ toast: text });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.app.set({ toast: undefined }), TOAST_MS);
  }

  /** Announces a text to screen readers without showing it. */
  announce(text: I18nText): void {
    this.sequence += 1;
    this.app.set({ announcement: { ...text, sequence: this.sequence } });
  }

  announceArrival(name: string): void {
    if (this.arrivals.push(name) === 1) setTimeout(() => this.announceArrivals(), ARRIVALS_WINDOW_MS);
  }

  clear(): void {
    clearTimeout(this.timer);
    this.app.set({ toast: undefined });
  }

  private announceArrivals(): void {
    const names = this.arrivals;
    this.arrivals = [];
    const values = { count: names.length, names: names.join(', ') };
    this.announce({ key: names.length > MAX_NAMES ? 'announcement.manyJoined' : 'announcement.joined', values });
  }
}
