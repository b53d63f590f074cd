import type { ClassUpdate, Recording, Removal } from './responses.js';

export interface Announced {
  removed(removal: Removal): void;
  recordingStarted(recording: Recording): void;
  recordingStopped(recording: Recording): void;
}

/** Tells once what happens in class, however often and in whatever order the service tells it. */
export class Announcements {
  /** Of the class, as far as it is known here. */
  version = 0;
  private isKnown = false;
  private active: Recording | undefined;
  private readonly told = new Set<string>();

  constructor(private readonly announced: Announced) {}

  /** A push. False where it leaves a gap, so that the service has to be asked. */
  receive(update: ClassUpdate): boolean {
    if (update.version <= this.version) return true;
    if (!this.isKnown || update.isPartial || update.base > this.version) return false;
    this.take(update);
    return true;
  }

  /** An answer to the question what changed after `update.base`. */
  answer(update: ClassUpdate): void {
    if (this.isKnown && update.version <= this.version) return;
    // Who was put out before we came is no news.
    this.take(this.isKnown ? update : { ...update, removals: [] });
    this.isKnown = true;
  }

  private take({ version, removals = [], recording }: ClassUpdate): void {
    this.version = version;
    for (const removal of removals) this.tell(removal);
    if (recording !== undefined) this.follow(recording);
  }

  /** An answer may hold what a push told while it was on its way. */
  private tell(removal: Removal): void {
    const key = `${removal.removedAt} ${removal.uid}`;
    if (this.told.has(key)) return;
    this.told.add(key);
    this.announced.removed(removal);
  }

  /** A recording counts from ACTIVE: what is starting may still fail. */
  private follow(recording: Recording | null): void {
    const before = this.active;
    const after = recording?.status === 'ACTIVE' ? recording : undefined;
    if (before?.egressId === after?.egressId) return;
    this.active = after;
    if (before) this.announced.recordingStopped(recording?.egressId === before.egressId ? recording : { ...before, status: 'ENDING' });
    if (after) this.announced.recordingStarted(after);
  }
}
