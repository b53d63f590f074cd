import type { ClassUpdate, Reaction } from '@classroom/contracts';
import type { Part } from '../app/classroom-controller.js';
import type { SessionClient } from '../session/session.js';
import { Store } from '../store.js';

const SHOWN_MS = 4_000;
/**
 * Reactions older than this, in milliseconds, are history from a reconnection and not shown. It tolerates a clock that is some
 * seconds off.
 */
const MAX_AGE_MS = 10_000;
/** How long an id is remembered, in milliseconds. The server does not repeat older reactions. */
const REMEMBERED_MS = 120_000;

/** Recent reactions. Each is shown once, for about four seconds from its arrival. */
export class RecentReactions extends Store<{ shown: readonly Reaction[] }> implements Part {
  private due: { reaction: Reaction; until: number }[] = [];
  /** When each reaction was last received, by id. */
  private readonly receivedAt = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly classroom: { sessions: Pick<SessionClient, 'now'> }) {
    super({ shown: [] });
  }

  onClassUpdate({ reactions }: ClassUpdate): void {
    if (reactions) this.add(reactions);
  }

  onHeldBack(): void {
    this.clear();
  }

  onEnd(): void {
    this.clear();
  }

  private add(reactions: readonly Reaction[]): void {
    const now = this.classroom.sessions.now();
    for (const [id, at] of this.receivedAt) if (at < now - REMEMBERED_MS) this.receivedAt.delete(id);
    const unseen = reactions.filter(({ id, sentAt }) => !this.receivedAt.has(id) && Date.parse(sentAt) > now - MAX_AGE_MS);
    for (const { id } of reactions) this.receivedAt.set(id, now);
    if (unseen.length === 0) return;
    const until = Date.now() + SHOWN_MS;
    this.due = [...this.due, ...unseen.map((reaction) => ({ reaction, until }))];
    this.notify();
  }

  private clear(): void {
    clearTimeout(this.timer);
    if (this.due.length === 0) return;
    this.due = [];
    this.notify();
  }

  private notify(): void {
    this.set({ shown: this.due.map(({ reaction }) => reaction) });
    clearTimeout(this.timer);
    const [first] = this.due;
    if (first) this.timer = setTimeout(() => this.removeExpired(), first.until - Date.now());
  }

  private removeExpired(): void {
    const now = Date.now();
    this.due = this.due.filter(({ until }) => until > now);
    this.notify();
  }
}
