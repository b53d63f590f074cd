import { RetentionRule } from './retention-rule.js';

const MINUTE = 60_000;
const end = new Date('2026-09-01T10:00:00.000Z');
const after = (minutes: number) => new Date(end.getTime() + minutes * MINUTE);

test.each([
  ['six hours after the class', null, 360],
  ['six hours after the class if it was completed early', 299, 360],
  ['six hours after the class at the limit', 300, 360],
  ['an hour after a late completion', 301, 361],
])('a file is deleted %s', async (_, completed, deleted) => {
  const completedAt = completed === null ? null : after(completed);
  const rule = new RetentionRule({ RECORDING_RETENTION_HOURS: 6 }, { find: async () => undefined });
  expect(await rule.deleteAt('org_a', end, completedAt)).toEqual(after(deleted));
});

test('a file is deleted after the hours of its organization', async () => {
  const rule = new RetentionRule({ RECORDING_RETENTION_HOURS: 6 }, { find: async () => 48 });
  expect(await rule.deleteAt('org_a', end, null)).toEqual(after(48 * 60));
});
