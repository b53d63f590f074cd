import type { ClassUpdate } from '@classroom/contracts';
import { Listeners } from './listeners.js';
import type { Recording } from './snapshot.js';

export type Removal = NonNullable<ClassUpdate['removals']>[number];

/** The service sends the status with or without this prefix. */
const PREFIX = /^EGRESS_/;
const isActive = ({ status }: Recording) => status.replace(PREFIX, '') === 'ACTIVE';

/** Reports each removal and each start and end of a recording once, however often the server sends it. */
export class Announcements {
  readonly removals = new Listeners<[removal: Removal]>();
  readonly recordings = new Listeners<[kind: 'started' | 'stopped', recording: Recording]>();
  private readonly told = new Set<string>();
  private active: Recording | undefined;

  removed(removals: readonly Removal[]): void {
    for (const removal of removals) {
      const key = `${removal.removedAt} ${removal.uid}`;
      if (this.told.has(key)) continue;
      this.told.add(key);
      this.removals.tell(removal);
    }
  }

  recording(recording: Recording | null): void {
    const before = this.active;
    const after = recording && isActive(recording) ? recording : undefined;
    if (before?.egressId === after?.egressId) return;
    this.active = after;
    if (before) this.recordings.tell('stopped', lastWordOf(before, recording));
    if (after) this.recordings.tell('started', after);
  }
}

/** The final state of a recording. If the class no longer lists it, its last known state with the status ENDING. */
function lastWordOf(active: Recording, now: Recording | null): Recording {
  if (now?.egressId === active.egressId) return now;
  return { ...active, status: active.status.replace('ACTIVE', 'ENDING') };
}
