import type { ClassUpdate } from '@classroom/contracts';
import { Listeners } from './listeners.js';
import type { Recording } from './snapshot.js';

export type Removal = NonNullable<ClassUpdate['removals']>[number];

/** The public status stands with and without this before it. */
const PREFIX = /^EGRESS_/;
const isActive = ({ status }: Recording) => status.replace(PREFIX, '') === 'ACTIVE';

/** What is to be told once, however often the server tells it. */
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

/** Of a recording that is no longer told of, one knows that it is being finished. */
function lastWordOf(active: Recording, now: Recording | null): Recording {
  if (now?.egressId === active.egressId) return now;
  return { ...active, status: active.status.replace('ACTIVE', 'ENDING') };
}
