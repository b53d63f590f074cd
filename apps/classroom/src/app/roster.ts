import type { Person } from '../media/person.js';

export type Who = Pick<Person, 'uid' | 'name' | 'role'>;

export interface RosterListener {
  joined(who: Who): void;
  left(who: Who): void;
}

/**
 * Reports who joins and who leaves. Call `look` only while connected: during a reconnection LiveKit reports that everybody
 * leaves and returns, which says nothing about the class.
 */
export class Roster {
  private known: Map<string, Who> | undefined;

  constructor(private readonly listener: RosterListener) {}

  /** The participants of the first call are not reported as joined. */
  look(others: readonly Who[]): void {
    const before = this.known;
    this.known = new Map(others.map((who) => [who.uid, who]));
    if (!before) return;
    for (const [uid, who] of before) if (!this.known.has(uid)) this.listener.left(who);
    for (const [uid, who] of this.known) if (!before.has(uid)) this.listener.joined(who);
  }

  forget(): void {
    this.known = undefined;
  }
}
