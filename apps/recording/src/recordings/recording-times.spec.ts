import { durationOf, startedAtOf } from './recording-times.js';

const at = (seconds: number) => new Date(1_000_000 + seconds * 1_000);

describe('the times of a recording', () => {
  it.each([
    ['the length of its file', { duration: 7, activeAt: at(0), endedAt: at(60), mergedFrom: [] }, 7],
    ['zero of an empty file', { duration: 0, activeAt: at(0), endedAt: at(60), mergedFrom: [] }, 0],
    ['zero before it was active', { duration: null, activeAt: null, endedAt: at(60), mergedFrom: [] }, 0],
    ['until its end, rounded up', { duration: null, activeAt: at(0), endedAt: at(60.5), mergedFrom: [] }, 61],
    ['until its end, rounded down', { duration: null, activeAt: at(0), endedAt: at(60.4), mergedFrom: [] }, 60],
    ['until now', { duration: null, activeAt: at(10), endedAt: null, mergedFrom: [] }, 90],
    ['zero while files are merged', { duration: null, activeAt: at(0), endedAt: null, mergedFrom: ['EG_1', 'EG_2'] }, 0],
    ['never negative', { duration: null, activeAt: at(20), endedAt: at(10), mergedFrom: [] }, 0],
  ])('last %s', (_, recording, seconds) => expect(durationOf(recording, at(100))).toBe(seconds));

  it('begin with the first frame, before that with the request', () => {
    expect(startedAtOf({ activeAt: at(2), requestedAt: at(1) })).toEqual(at(2));
    expect(startedAtOf({ activeAt: null, requestedAt: at(1) })).toEqual(at(1));
  });
});
