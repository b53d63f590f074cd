import { Announcer, type Doing } from './announcer.js';
import type { AppState, I18nText } from './app-store.js';
import type { Store } from '../store/store.js';

const TOAST_MS = 8_000;

/** Short messages: shown for a while, and announced to screen readers once. */
export class Toasts {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sequence = 0;
  private readonly announcer = new Announcer((text) => {
    this.sequence += 1;
    this.app.set({ announcement: { ...text, sequence: this.sequence } });
  });

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
    this.announcer.add(text);
  }

  /** Announces what people do, together with others who do the same at about this time. */
  announceNames(doing: Doing, names: readonly string[]): void {
    this.announcer.addNames(doing, names);
  }

  /** Shows that the browser plays no sound before a user gesture, or that it does again. */
  showAudioBlocked(isBlocked: boolean): void {
    if (isBlocked && !this.app.get().isAudioBlocked) this.announce({ key: 'sound.blocked' });
    this.app.set({ isAudioBlocked: isBlocked });
  }

  clear(): void {
    clearTimeout(this.timer);
    this.announcer.clear();
    this.app.set({ toast: undefined });
  }
}
