import { ClassEventNotifier } from './class-event-notifier.js';
import type { ClassUpdate } from './responses.js';

const removal = (uid: string) => ({ uid, name: uid, role: 'STUDENT', removedAt: '2026-06-01T10:00:00.000Z' });

function setup() {
  const reported: string[] = [];
  const notifier = new ClassEventNotifier({
    onRemoved: ({ uid }) => reported.push(`removed ${uid}`),
    onRecordingStarted: ({ egressId, status }) => reported.push(`started ${egressId} ${status}`),
    onRecordingStopped: ({ egressId, status }) => reported.push(`stopped ${egressId} ${status}`),
  });
  const applyResponse = (update: Partial<ClassUpdate>) =>
    notifier.applyResponse({ base: notifier.version, version: notifier.version, ...update });
  return { notifier, applyResponse, reported };
}

describe('an announcement of the class', () => {
  it('is made once, for pushes in any order and number', () => {
    const { notifier, applyResponse, reported } = setup();
    applyResponse({ version: 3 });
    const push = { base: 3, version: 4, removals: [removal('bob')] };
    expect(notifier.applyPush(push)).toBe(true);
    expect(notifier.applyPush(push)).toBe(true);
    expect(notifier.applyPush({ base: 2, version: 3, removals: [removal('eve')] })).toBe(true);
    expect(reported).toEqual(['removed bob']);
  });

  it('is requested if a push leaves a gap or is partial', () => {
    const { notifier, applyResponse, reported } = setup();
    expect(notifier.applyPush({ base: 0, version: 1, removals: [removal('bob')] })).toBe(false);
    applyResponse({ version: 3 });
    expect(notifier.applyPush({ base: 4, version: 5, removals: [removal('bob')] })).toBe(false);
    expect(notifier.applyPush({ base: 3, version: 5, isPartial: true })).toBe(false);
    applyResponse({ base: 3, version: 5, removals: [removal('bob')] });
    expect(reported).toEqual(['removed bob']);
  });

  it('is not repeated for an answer that was requested before a push', () => {
    const { notifier, applyResponse, reported } = setup();
    applyResponse({ version: 3 });
    notifier.applyPush({ base: 3, version: 4, removals: [removal('bob')] });
    notifier.applyResponse({ base: 3, version: 5, removals: [removal('bob'), removal('eve')] });
    expect(reported).toEqual(['removed bob', 'removed eve']);
  });

  it('is not made for a removal before we joined', () => {
    const { applyResponse, reported } = setup();
    applyResponse({ version: 7, removals: [removal('bob')] });
    expect(reported).toEqual([]);
  });

  it('reports a recording as started while it is active, also from before we joined, and then as stopped', () => {
    const { notifier, applyResponse, reported } = setup();
    applyResponse({ version: 1, recording: { egressId: 'EG_1', status: 'ACTIVE' } });
    notifier.applyPush({ base: 1, version: 2, recording: { egressId: 'EG_1', status: 'ENDING' } });
    notifier.applyPush({ base: 2, version: 3, recording: null });
    notifier.applyPush({ base: 3, version: 4, recording: { egressId: 'EG_2', status: 'STARTING' } });
    notifier.applyPush({ base: 4, version: 5 });
    notifier.applyPush({ base: 5, version: 6, recording: { egressId: 'EG_2', status: 'ACTIVE' } });
    notifier.applyPush({ base: 6, version: 7, recording: null });
    expect(reported).toEqual(['started EG_1 ACTIVE', 'stopped EG_1 ENDING', 'started EG_2 ACTIVE', 'stopped EG_2 ENDING']);
  });

  it('reports a recording as stopped if another one follows it', () => {
    const { notifier, applyResponse, reported } = setup();
    applyResponse({ version: 1, recording: { egressId: 'EG_1', status: 'ACTIVE' } });
    notifier.applyPush({ base: 1, version: 2, recording: { egressId: 'EG_2', status: 'ACTIVE' } });
    expect(reported).toEqual(['started EG_1 ACTIVE', 'stopped EG_1 ENDING', 'started EG_2 ACTIVE']);
  });
});
