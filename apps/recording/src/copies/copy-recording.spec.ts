import { CopyRecording, nextAttempt } from './copy-recording.js';

it('gives back the claim of a job that is taken while the process shuts down', async () => {
  const released: unknown[][] = [];
  const copies = { release: async (...given: unknown[]) => void released.push(given) };
  const unused = undefined as never;
  const copyRecording = new CopyRecording(copies as never, unused, unused, unused, unused, unused, unused);
  await copyRecording.execute('key-1', AbortSignal.abort());
  expect(released).toEqual([['key-1', null]]);
});

const requested = new Date('2026-09-01T10:00:00.000Z');
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const after = (ms: number) => new Date(requested.getTime() + ms);

test.each([
  ['half a minute at first', 0, 30 * SECOND],
  ['half of the time since the request', 20 * 60 * SECOND, 30 * 60 * SECOND],
  ['at most an hour', 50 * HOUR, 51 * HOUR],
  ['an hour on the last day', 7 * 24 * HOUR - 1, 7 * 24 * HOUR - 1 + HOUR],
])('a failed copy is tried again after %s', (_, failed, next) => {
  expect(nextAttempt(requested, after(failed))).toEqual(after(next));
});

test('a copy is given up a week after its request', () => {
  expect(nextAttempt(requested, after(7 * 24 * HOUR))).toBeNull();
});
