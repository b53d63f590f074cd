import { Announcements } from './announcements.js';
import type { ClassUpdate } from './responses.js';

const removal = (uid: string) => ({ uid, name: uid, role: 'STUDENT', removedAt: '2026-06-01T10:00:00.000Z' });

function announced() {
  const told: string[] = [];
  const announcements = new Announcements({
    removed: ({ uid }) => told.push(`removed ${uid}`),
    recordingStarted: ({ egressId, status }) => told.push(`started ${egressId} ${status}`),
    recordingStopped: ({ egressId, status }) => told.push(`stopped ${egressId} ${status}`),
  });
  const answer = (update: Partial<ClassUpdate>) =>
    announcements.answer({ base: announcements.version, version: announcements.version, ...update });
  return { announcements, answer, told };
}

describe('an announcement of the class', () => {
  it('is made once, for pushes in any order and number', () => {
    const { announcements, answer, told } = announced();
    answer({ version: 3 });
    const push = { base: 3, version: 4, removals: [removal('bob')] };
    expect(announcements.receive(push)).toBe(true);
    expect(announcements.receive(push)).toBe(true);
    expect(announcements.receive({ base: 2, version: 3, removals: [removal('eve')] })).toBe(true);
    expect(told).toEqual(['removed bob']);
  });

  it('is requested if a push leaves a gap or is partial', () => {
    const { announcements, answer, told } = announced();
    expect(announcements.receive({ base: 0, version: 1, removals: [removal('bob')] })).toBe(false);
    answer({ version: 3 });
    expect(announcements.receive({ base: 4, version: 5, removals: [removal('bob')] })).toBe(false);
    expect(announcements.receive({ base: 3, version: 5, isPartial: true })).toBe(false);
    answer({ base: 3, version: 5, removals: [removal('bob')] });
    expect(told).toEqual(['removed bob']);
  });

  it('is not repeated for an answer that was requested before a push', () => {
    const { announcements, answer, told } = announced();
    answer({ version: 3 });
    announcements.receive({ base: 3, version: 4, removals: [removal('bob')] });
    announcements.answer({ base: 3, version: 5, removals: [removal('bob'), removal('eve')] });
    expect(told).toEqual(['removed bob', 'removed eve']);
  });

  it('is not made for a removal before we joined', () => {
    const { answer, told } = announced();
    answer({ version: 7, removals: [removal('bob')] });
    expect(told).toEqual([]);
  });

  it('reports a recording as started while it is active, also from before we joined, and then as stopped', () => {
    const { announcements, answer, told } = announced();
    answer({ version: 1, recording: { egressId: 'EG_1', status: 'ACTIVE' } });
    announcements.receive({ base: 1, version: 2, recording: { egressId: 'EG_1', status: 'ENDING' } });
    announcements.receive({ base: 2, version: 3, recording: null });
    announcements.receive({ base: 3, version: 4, recording: { egressId: 'EG_2', status: 'STARTING' } });
    announcements.receive({ base: 4, version: 5 });
    announcements.receive({ base: 5, version: 6, recording: { egressId: 'EG_2', status: 'ACTIVE' } });
    announcements.receive({ base: 6, version: 7, recording: null });
    expect(told).toEqual(['started EG_1 ACTIVE', 'stopped EG_1 ENDING', 'started EG_2 ACTIVE', 'stopped EG_2 ENDING']);
  });

  it('reports a recording as stopped if another one follows it', () => {
    const { announcements, answer, told } = announced();
    answer({ version: 1, recording: { egressId: 'EG_1', status: 'ACTIVE' } });
    announcements.receive({ base: 1, version: 2, recording: { egressId: 'EG_2', status: 'ACTIVE' } });
    expect(told).toEqual(['started EG_1 ACTIVE', 'stopped EG_1 ENDING', 'started EG_2 ACTIVE']);
  });
});
