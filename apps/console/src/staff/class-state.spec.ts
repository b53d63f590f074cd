import { classState } from './class-state.js';

const NOW = Date.parse('2026-03-02T09:00:00.000Z');

it.each([
  ['live', '2026-03-02T09:00:00.001Z', 'prepared'],
  ['live', '2026-03-02T09:00:00.000Z', 'live'],
  ['live', null, 'live'],
  ['live', undefined, 'live'],
  ['created', '2026-03-02T12:00:00.000Z', 'created'],
  // It was ended before its start.
  ['finished', '2026-03-02T12:00:00.000Z', 'finished'],
] as const)('a class that is %s and starts at %s is shown as %s', (status, startsAt, shown) => {
  expect(classState({ status, startsAt }, NOW)).toBe(shown);
});
