import type { I18nText, AppState } from './app-store.js';
import type { Store } from '../store.js';

/** Between two announcements, in milliseconds, so that a screen reader takes note of both. */
const GAP_MS = 1_000;
/** Between two announcements of what people of one kind did, in milliseconds. What they do meanwhile is announced together. */
const COLLECTED_MS = 5_000;
const MAX_NAMES = 3;

/** What people do; each has the texts `announcement.names.…` and `announcement.many.…`. */
export type Doing = 'joined' | 'hand' | 'chat' | 'waiting';

/** Announces texts to screen readers, one after the other. What waits for its turn never grows: each text waits once, and people are counted. */
export class Announcer {
  private readonly waiting = new Map<string, I18nText>();
  private readonly collected = new Map<Doing, { names: string[]; readyAt: number }>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private freeAt = -Infinity;

  constructor(private readonly announce: (text: I18nText) => void) {}

  add(text: I18nText): void {
    this.waiting.set(text.key, text);
    this.next();
  }

  addNames(doing: Doing, names: readonly string[]): void {
    if (names.length === 0) return;
    const { names: known = [], readyAt = -Infinity } = this.collected.get(doing) ?? {};
    this.collected.set(doing, { names: [...known, ...names], readyAt });
    this.next();
  }

  clear(): void {
    clearTimeout(this.timer);
    this.waiting.clear();
    this.collected.clear();
  }

  private next(): void {
    clearTimeout(this.timer);
    const now = performance.now();
    const collected = [...this.collected].filter(([, { names }]) => names.length > 0);
    const readyAt = this.waiting.size > 0 ? now : collected.reduce((first, [, one]) => Math.min(first, one.readyAt), Infinity);
    if (readyAt === Infinity) return;
    const delay = Math.max(readyAt, this.freeAt) - now;
    if (delay > 0) {
      this.timer = setTimeout(() => this.next(), delay);
      return;
    }
    this.freeAt = now + GAP_MS;
    const [[key, text] = []] = this.waiting;
    const [doing, { names } = { names: [] }] = collected.find(([, one]) => one.readyAt <= now) ?? [];
    if (key !== undefined && text) {
      this.waiting.delete(key);
      this.announce(text);
    } else if (doing) {
      this.collected.set(doing, { names: [], readyAt: now + COLLECTED_MS });
      this.announce(textOf(doing, names));
    }
    this.next();
  }
}

function textOf(doing: Doing, names: readonly string[]): I18nText {
  const distinct = [...new Set(names)];
  const kind = distinct.length > MAX_NAMES ? 'many' : 'names';
  return { key: `announcement.${kind}.${doing}`, values: { count: names.length, names: distinct.join(', ') } };
}

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
