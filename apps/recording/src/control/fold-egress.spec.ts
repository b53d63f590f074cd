import fc from 'fast-check';
import { egressInfo, type EgressInfo } from '@classroom/contracts';
import type { RecordingEntity } from '../schema/recording.entity.js';
import { foldEgress } from './fold-egress.js';

type Known = Parameters<typeof foldEgress>[0];
type Status = EgressInfo['status'];

const NOW = new Date('2026-09-01T10:00:00.000Z');
const nanoseconds = (seconds: number) => String(BigInt(NOW.getTime() / 1000 + seconds) * 1_000_000_000n);
const FILE = { filename: 'recordings/a/b/c/1.mp4', startedAt: nanoseconds(1), endedAt: nanoseconds(9) };

/** What an engine reports of one capture. All reports after its beginning state the same start time. */
const word = (status: Status): EgressInfo =>
  egressInfo.parse({
    egressId: 'EG_abcdefgh',
    status,
    startedAt: status === 'EGRESS_STARTING' ? nanoseconds(0) : nanoseconds(1),
    endedAt: isOver(status) ? nanoseconds(9) : '0',
    fileResults: status === 'EGRESS_COMPLETE' || status === 'EGRESS_LIMIT_REACHED' ? [FILE] : [],
  });
const isOver = (status: Status) => !['EGRESS_STARTING', 'EGRESS_ACTIVE', 'EGRESS_ENDING'].includes(status);

const fresh: Known = { status: 'STARTING', activeAt: null, endedAt: null, objectKey: null };
const apply = (known: Known, status: Status): Known => ({ ...known, ...foldEgress(known, word(status), NOW) });
const foldAll = (statuses: readonly Status[], from = fresh): Known => statuses.reduce(apply, from);

/** Sequences of reports that LiveKit and our own recorder send. After a failure, our recorder may still report that the file exists. */
const SEQUENCES: Status[][] = [
  ['EGRESS_STARTING', 'EGRESS_ACTIVE', 'EGRESS_ENDING', 'EGRESS_COMPLETE'],
  ['EGRESS_STARTING', 'EGRESS_ACTIVE', 'EGRESS_ENDING', 'EGRESS_LIMIT_REACHED'],
  ['EGRESS_STARTING', 'EGRESS_ACTIVE', 'EGRESS_ENDING', 'EGRESS_FAILED'],
  ['EGRESS_STARTING', 'EGRESS_ACTIVE', 'EGRESS_ENDING', 'EGRESS_FAILED', 'EGRESS_COMPLETE'],
  ['EGRESS_STARTING', 'EGRESS_FAILED'],
  ['EGRESS_STARTING', 'EGRESS_ABORTED'],
];
const STATUSES = [...new Set(SEQUENCES.flat())];
const sequence = fc.constantFrom(...SEQUENCES);
const anyWords = fc.array(fc.constantFrom(...STATUSES), { maxLength: 12 });
/** The reports of one sequence in any order, some of them twice. */
const shuffled = sequence.chain((words) =>
  fc
    .tuple(fc.shuffledSubarray(words, { minLength: words.length }), fc.array(fc.constantFrom(...words), { maxLength: 4 }))
    .chain(([order, doubles]) =>
      fc.shuffledSubarray([...order, ...doubles], { minLength: order.length + doubles.length }).map((delivered) => ({ words, delivered })),
    ),
);
const outcomeOf = ({ status, objectKey }: Known) => ({ status, objectKey });

const RANK: Record<RecordingEntity['status'], number> = {
  REQUESTED: 0,
  REFUSED: 9,
  STARTING: 1,
  ACTIVE: 2,
  ENDING: 3,
  COMPLETED: 9,
  FAILED: 4,
  ABORTED: 9,
};

describe('the folded events of an engine', () => {
  it('have the same result in any order and with repetitions', () => {
    fc.assert(fc.property(shuffled, ({ words, delivered }) => expect(outcomeOf(foldAll(delivered))).toEqual(outcomeOf(foldAll(words)))));
  });

  it('change nothing when they are repeated', () => {
    fc.assert(
      fc.property(anyWords, fc.constantFrom(...STATUSES), (before, status) => {
        const once = foldAll([...before, status]);
        const { status: then, activeAt, endedAt, objectKey } = apply(once, status);
        expect({ status: then, activeAt, endedAt, objectKey }).toEqual({
          status: once.status,
          activeAt: once.activeAt,
          endedAt: once.endedAt,
          objectKey: once.objectKey,
        });
      }),
    );
  });

  it('never move a recording back, unless a file appears', () => {
    fc.assert(
      fc.property(anyWords, fc.constantFrom(...STATUSES), (before, status) => {
        const known = foldAll(before);
        const next = apply(known, status);
        const isSaved = known.status === 'FAILED' && next.status === 'ENDING' && next.objectKey !== null;
        expect(isSaved || RANK[next.status] >= RANK[known.status]).toBe(true);
      }),
    );
  });

  it('never lose a file', () => {
    fc.assert(
      fc.property(anyWords, anyWords, (before, after) => {
        const named = foldAll([...before, 'EGRESS_COMPLETE']);
        fc.pre(named.objectKey !== null);
        expect(outcomeOf(foldAll(after, named))).toEqual({ status: 'ENDING', objectKey: FILE.filename });
      }),
    );
  });

  it.each(['COMPLETED', 'ABORTED', 'REFUSED'] as const)('change nothing of a recording that is %s', (status) => {
    for (const next of STATUSES) expect(foldEgress({ ...fresh, status }, word(next), NOW)).toEqual({});
  });

  it('keep the first start time', () => {
    const active = foldAll(['EGRESS_STARTING', 'EGRESS_ACTIVE']);
    expect(active.activeAt).toEqual(new Date(NOW.getTime() + 1_000));
    const later = foldEgress(active, { ...word('EGRESS_ENDING'), startedAt: nanoseconds(5) }, NOW);
    expect(later).toEqual({ status: 'ENDING' });
  });

  it('change nothing with an unknown status', () => {
    expect(foldEgress(fresh, { ...word('EGRESS_ACTIVE'), status: 'EGRESS_PAUSED' as Status }, NOW)).toEqual({});
  });

  it('keep the reason of a failure', () => {
    expect(foldEgress(fresh, { ...word('EGRESS_FAILED'), error: 'Template error' }, NOW)).toMatchObject({
      status: 'FAILED',
      reason: 'Template error',
    });
    expect(foldEgress(fresh, word('EGRESS_FAILED'), NOW).reason).toMatch(/without saying why/);
  });

  const seconds = (after: number) => new Date(NOW.getTime() + after * 1_000);

  it('set the exact columns of each step', () => {
    const ended = { endedAt: seconds(9), finalizeAt: null, lookAt: null, missingSince: null };
    expect(foldEgress({ ...fresh, status: 'REQUESTED' }, word('EGRESS_STARTING'), NOW)).toEqual({ status: 'STARTING' });
    expect(foldEgress(fresh, word('EGRESS_STARTING'), NOW)).toEqual({});
    expect(foldEgress(fresh, word('EGRESS_ACTIVE'), NOW)).toEqual({ status: 'ACTIVE', activeAt: seconds(1) });
    expect(foldEgress(fresh, { ...word('EGRESS_ACTIVE'), startedAt: '0' }, NOW)).toEqual({ status: 'ACTIVE', activeAt: NOW });
    expect(foldEgress(fresh, word('EGRESS_ENDING'), NOW)).toEqual({ status: 'ENDING', activeAt: seconds(1) });
    expect(foldEgress(fresh, { ...word('EGRESS_ENDING'), startedAt: '0' }, NOW)).toEqual({ status: 'ENDING' });
    expect(foldEgress({ ...fresh, status: 'FAILED' }, word('EGRESS_ENDING'), NOW)).toEqual({});
    for (const status of ['EGRESS_COMPLETE', 'EGRESS_LIMIT_REACHED'] as const) {
      const limitReached = status === 'EGRESS_LIMIT_REACHED';
      const file = { objectKey: FILE.filename, finalizeAt: NOW, deletedAt: null };
      const done = { status: 'ENDING', activeAt: seconds(1), ...ended, limitReached, ...file };
      const reason = limitReached ? 'The recording had its greatest length' : null;
      expect(foldEgress(fresh, word(status), NOW)).toEqual({ ...done, reason });
      expect(foldEgress(fresh, { ...word(status), error: 'cut' }, NOW)).toEqual({ ...done, reason: 'cut' });
    }
    const aborted = { status: 'ABORTED', reason: 'It was stopped before it began', ...ended };
    expect(foldEgress(fresh, word('EGRESS_ABORTED'), NOW)).toEqual(aborted);
    expect(foldEgress(fresh, { ...word('EGRESS_FAILED'), endedAt: '0' }, NOW)).toEqual({
      ...aborted,
      status: 'FAILED',
      reason: 'The recorder failed without saying why',
      endedAt: NOW,
    });
  });

  it('prefer the times of the file to those of the egress, and take the egress’s where the file has none', () => {
    const file = { ...FILE, startedAt: nanoseconds(3), endedAt: nanoseconds(7), duration: '0', size: '0', location: '' };
    const complete = word('EGRESS_COMPLETE');
    expect(foldEgress(fresh, { ...complete, fileResults: [file] }, NOW)).toMatchObject({ activeAt: seconds(3), endedAt: seconds(7) });
    const bare = { ...file, startedAt: '0', endedAt: '0', filename: '' };
    const change = { activeAt: seconds(1), endedAt: seconds(9), objectKey: null };
    expect(foldEgress(fresh, { ...complete, fileResults: [bare] }, NOW)).toMatchObject(change);
    expect(foldEgress(fresh, { ...complete, fileResults: [] }, NOW)).toMatchObject(change);
  });

  it('leave it to the finalization whether a reported file exists', () => {
    const reported: Known = { ...fresh, status: 'ENDING', objectKey: FILE.filename };
    for (const status of ['EGRESS_FAILED', 'EGRESS_ABORTED'] as const) expect(foldEgress(reported, word(status), NOW)).toEqual({});
    expect(foldEgress({ ...fresh, status: 'FAILED' }, word('EGRESS_ABORTED'), NOW)).toEqual({});
  });
});
