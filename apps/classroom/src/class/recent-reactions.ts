import type { Reaction } from '@classroom/contracts';

const SHOWN_MS = 4_000;
/**
 * Reactions older than this, in milliseconds, are history from a reconnection and not shown. It tolerates a clock that is some
 * seconds off.
 */
const MAX_AGE_MS = 10_000;
/** How long an id is remembered, in milliseconds. The server does not repeat older reactions. */
const REMEMBERED_MS = 120_000;

/** Recent reactions. Each is shown once, for about four seconds from its arrival. */
export class RecentReactions {
  private shown: { reaction: Reaction; until: number }[] = [];
  /** When each reaction was last received, by id. */
  private readonly receivedAt = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `now`: the server's clock, in milliseconds. */
  constructor(
    private readonly now: () => number,
    private readonly onChange: (shown: readonly Reaction[]) => void,
  ) {}

  add(reactions: readonly Reaction[]): void {
    const now = this.now();
    for (const [id, at] of this.receivedAt) if (at < now - REMEMBERED_MS) this.receivedAt.delete(id);
    const unseen = reactions.filter(({ id, sentAt }) => !this.receivedAt.has(id) && Date.parse(sentAt) > now - MAX_AGE_MS);
    for (const { id } of reactions) this.receivedAt.set(id, now);
    if (unseen.length === 0) return;
    const until = Date.now() + SHOWN_MS;
    this.shown = [...this.shown, ...unseen.map((reaction) => ({ reaction, until }))];
    this.notify();
  }

  clear(): void {
    clearTimeout(this.timer);
    if (this.shown.length === 0) return;
    this.shown = [];
    this.notify();
  }

  private notify(): void {
    this.onChange(this.shown.map(({ reaction }) => reaction));
    clearTimeout(this.timer);
    const [first] = this.shown;
    if (first) this.timer = setTimeout(() => this.removeExpired(), first.until - Date.now());
  }

  private removeExpired(): void {
    const now = Date.now();
    this.shown = this.shown.filter(({ until }) => until > now);
    this.notify();
  }
}
