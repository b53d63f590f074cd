import type { ClassUpdate } from '@classroom/contracts';
import { Listeners } from '../store.js';
import type { Recording } from './snapshot.js';

export type Removal = NonNullable<ClassUpdate['removals']>[number];

/** The service sends the status with or without this prefix. */
const PREFIX = /^EGRESS_/;
const isActive = ({ status }: Recording) => status.replace(PREFIX, '') === 'ACTIVE';

/** Reports each removal and each start and end of a recording once, however often the server sends it. */
export class ClassEventNotifier {
  readonly removals = new Listeners<[removal: Removal]>();
  readonly recordings = new Listeners<[kind: 'started' | 'stopped', recording: Recording]>();
  private readonly reported = new Set<string>();
  private active: Recording | undefined;

  notifyRemovals(removals: readonly Removal[]): void {
    for (const removal of removals) {
      const key = `${removal.removedAt} ${removal.uid}`;
      if (this.reported.has(key)) continue;
      this.reported.add(key);
      this.removals.notify(removal);
    }
  }

  updateRecording(recording: Recording | null): void {
    const before = this.active;
    const after = recording && isActive(recording) ? recording : undefined;
    if (before?.egressId === after?.egressId) return;
    this.active = after;
    if (before) this.recordings.notify('stopped', finalStateOf(before, recording));
    if (after) this.recordings.notify('started', after);
  }
}

/** The final state of a recording. If the class no longer lists it, its last known state with the status ENDING. */
function finalStateOf(active: Recording, now: Recording | null): Recording {
  if (now?.egressId === active.egressId) return now;
  return { ...active, status: active.status.replace('ACTIVE', 'ENDING') };
}
