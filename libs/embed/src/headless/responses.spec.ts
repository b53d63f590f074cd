import { classroomSession, classState, permissions } from '@classroom/contracts';
import type { ClassroomSession, ClassUpdate, Permissions } from './responses.js';

type Parsed<S extends { parse(value: unknown): unknown }> = ReturnType<S['parse']>;

/** This package can't depend on the service's contract, so it declares the shapes again. This spec keeps the two equal. */
describe('an answer of the service', () => {
  it('has the shapes that this client reads', () => {
    // The compiler checks this part: the contract promises at least what the client reads.
    const session = (parsed: Parsed<typeof classroomSession>): ClassroomSession => parsed;
    const update = (parsed: Parsed<typeof classState>): ClassUpdate => parsed;
    const rights = (parsed: Parsed<typeof permissions>): Permissions => parsed;
    const ours: Record<keyof Parsed<typeof permissions>, true> = {} as Record<keyof Permissions, true>;
    expect([session, update, rights, ours]).toHaveLength(4);
  });

  it('is valid by the contract if we write it', () => {
    const state: ClassUpdate = {
      base: 1,
      version: 2,
      removals: [{ uid: 'bob', name: 'Bob', role: 'STUDENT', removedAt: '2026-06-01T10:00:00.000Z' }],
      recording: { egressId: 'EG_1', status: 'ACTIVE' },
    };
    expect(classState.parse({ ...state, ownVotes: {} })).toMatchObject(state);
  });
});
