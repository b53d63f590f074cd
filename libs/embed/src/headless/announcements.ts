import type { ClassUpdate, Recording, Removal } from './responses.js';

export interface Announced {
  removed(removal: Removal): void;
  recordingStarted(recording: Recording): void;
  recordingStopped(recording: Recording): void;
}

/** Reports each event of a class once, in whatever order and however often the service sends it. */
export class Announcements {
  /** The version of the class state that is known here. */
  version = 0;
  private isKnown = false;
  private active: Recording | undefined;
  private readonly told = new Set<string>();

  constructor(private readonly announced: Announced) {}

  /** Applies a push. Returns false if updates are missing and the service must be asked for them. */
  receive(update: ClassUpdate): boolean {
    if (update.version <= this.version) return true;
    if (!this.isKnown || update.isPartial || update.base > this.version) return false;
    this.take(update);
    return true;
  }

  /** Applies the service's answer: what changed after `update.base`. */
  answer(update: ClassUpdate): void {
    if (this.isKnown && update.version <= this.version) return;
    // Removals from before the participant joined are not reported.
    this.take(this.isKnown ? update : { ...update, removals: [] });
    this.isKnown = true;
  }

  private take({ version, removals = [], recording }: ClassUpdate): void {
    this.version = version;
    for (const removal of removals) this.tell(removal);
    if (recording !== undefined) this.follow(recording);
  }

  /** An answer may repeat a removal that a push already reported. */
  private tell(removal: Removal): void {
    const key = `${removal.removedAt} ${removal.uid}`;
    if (this.told.has(key)) return;
    this.told.add(key);
    this.announced.removed(removal);
  }

  /** Reports a recording from ACTIVE on, because a recording that is starting may still fail. */
  private follow(recording: Recording | null): void {
    const before = this.active;
    const after = recording?.status === 'ACTIVE' ? recording : undefined;
    if (before?.egressId === after?.egressId) return;
    this.active = after;
    if (before) this.announced.recordingStopped(recording?.egressId === before.egressId ? recording : { ...before, status: 'ENDING' });
    if (after) this.announced.recordingStarted(after);
  }
}
