import type { Person } from '../media/person.js';

export type Who = Pick<Person, 'uid' | 'name' | 'role'>;

export interface RosterListener {
  joined(who: Who): void;
  left(who: Who): void;
}

/**
 * Who comes and who goes. Asked only while connected: what LiveKit tells in between, everybody leaving and coming back, is
 * its own connection's story and not the class's.
 */
export class Roster {
  private known: Map<string, Who> | undefined;

  constructor(private readonly listener: RosterListener) {}

  /** Those there at the first look did not arrive. */
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
