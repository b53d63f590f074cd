import { timeOfChange } from './organization-changes.js';

describe('the time of an organization’s change', () => {
  const before = new Date('2026-11-01T00:00:00.000Z');

  it.each([
    ['is now', '2026-11-01T00:00:05.000Z', '2026-11-01T00:00:05.000Z'],
    ['is later than that of the change before in the same millisecond', '2026-11-01T00:00:00.000Z', '2026-11-01T00:00:00.001Z'],
    ['is later than that of the change before on a clock that was set back', '2026-10-31T00:00:00.000Z', '2026-11-01T00:00:00.001Z'],
  ])('%s', (_, now, expected) => expect(timeOfChange(before, new Date(now)).toISOString()).toBe(expected));
});
