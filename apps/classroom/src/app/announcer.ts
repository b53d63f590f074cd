import type { I18nText } from './app-store.js';

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
