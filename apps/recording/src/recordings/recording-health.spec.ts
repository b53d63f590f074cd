import { healthOf } from './recording-health.js';

const running = { status: 'ACTIVE', missingSince: null, engineIds: ['EG_1'], reason: null, limitReached: false } as const;
const recording = (change: object) => ({ ...running, engineIds: ['EG_1'], ...change });

describe('the health of a recording', () => {
  it.each([
    ['OK', 'runs', {}],
    ['OK', 'has its whole file', { status: 'COMPLETED' }],
    ['OK', 'was stopped before it began', { status: 'ABORTED', reason: 'It was stopped before it began' }],
    ['STALLED', 'has a recorder that no longer answers', { missingSince: new Date() }],
    ['RETRYING', 'is begun by a second recorder', { status: 'STARTING', engineIds: ['EG_1', 'EG_2'] }],
    ['OK', 'was begun by a second recorder', { engineIds: ['EG_1', 'EG_2'] }],
    ['LIMIT_REACHED', 'was as long as recordings may be', { status: 'COMPLETED', limitReached: true, reason: 'Session limit reached' }],
    ['CUT', 'has a part of its file', { status: 'COMPLETED', reason: 'the recording was cut' }],
    ['FAILED', 'has no file', { status: 'FAILED', reason: 'The recorder was lost' }],
  ])('is %s if it %s', (health, _, change) => {
    expect(healthOf(recording(change))).toBe(health);
  });
});
