import type { ClassUpdate, Recording, Removal } from './responses.js';

export interface ClassEventListener {
  onRemoved(removal: Removal): void;
  onRecordingStarted(recording: Recording): void;
  onRecordingStopped(recording: Recording): void;
}

/** Reports each event of a class once, in whatever order and however often the service sends it. */
export class ClassEventNotifier {
  /** The version of the class state that is known here. */
  version = 0;
  private isKnown = false;
  private active: Recording | undefined;
  private readonly reported = new Set<string>();

  constructor(private readonly listener: ClassEventListener) {}

  /** Applies a push. Returns false if updates are missing and the service must be asked for them. */
  applyPush(update: ClassUpdate): boolean {
    if (update.version <= this.version) return true;
    if (!this.isKnown || update.isPartial || update.base > this.version) return false;
    this.apply(update);
    return true;
  }

  /** Applies the service's answer: what changed after `update.base`. */
  applyResponse(update: ClassUpdate): void {
    if (this.isKnown && update.version <= this.version) return;
    // Removals from before the participant joined are not reported.
    this.apply(this.isKnown ? update : { ...update, removals: [] });
    this.isKnown = true;
  }

  private apply({ version, removals = [], recording }: ClassUpdate): void {
    this.version = version;
    for (const removal of removals) this.notifyRemoval(removal);
    if (recording !== undefined) this.updateRecording(recording);
  }

  /** An answer may repeat a removal that a push already reported. */
  private notifyRemoval(removal: Removal): void {
    const key = `${removal.removedAt} ${removal.uid}`;
    if (this.reported.has(key)) return;
    this.reported.add(key);
    this.listener.onRemoved(removal);
  }

  /** Reports a recording from ACTIVE on, because a recording that is starting may still fail. */
  private updateRecording(recording: Recording | null): void {
    const before = this.active;
    const after = recording?.status === 'ACTIVE' ? recording : undefined;
    if (before?.egressId === after?.egressId) return;
    this.active = after;
    if (before) this.listener.onRecordingStopped(recording?.egressId === before.egressId ? recording : { ...before, status: 'ENDING' });
    if (after) this.listener.onRecordingStarted(after);
  }
}
