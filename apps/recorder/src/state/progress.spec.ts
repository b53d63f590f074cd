import { conclude, type End } from './progress.js';

const broken: End = { cause: 'broken', reason: 'the browser crashed' };

describe('the outcome of a capture', () => {
  test.each<[string, End, object]>([
    ['a stop', { cause: 'stopped' }, { outcome: 'ABORTED', error: 'stopped before anything was captured' }],
    [
      'the end of the room',
      { cause: 'the room was over' },
      { outcome: 'ABORTED', error: 'the room was over before anything was captured' },
    ],
    ['a crash', broken, { outcome: 'FAILED', error: 'the browser crashed' }],
  ])('without a frame, by %s', (_, end, expected) => {
    expect(conclude({ acceptedAt: 0 }, end, 500)).toEqual({ endedAt: 500, ...expected });
  });

  test('without a frame, names what it waited for', () => {
    const { error } = conclude({ acceptedAt: 0 }, { cause: 'stopped' }, 500, 'the recording page was loaded from https://class.example');
    expect(error).toBe('stopped before the recording page was loaded from https://class.example');
  });

  test.each<[string, End, object]>([
    ['a stop', { cause: 'stopped' }, { outcome: 'COMPLETE' }],
    ['the end of the room', { cause: 'the room was over' }, { outcome: 'COMPLETE' }],
    ['its limit', { cause: 'limit', seconds: 12 }, { outcome: 'LIMIT_REACHED', error: 'a recording is at most 12 s long' }],
    ['a crash', broken, { outcome: 'COMPLETE', error: 'the recording was cut: the browser crashed after 12 s' }],
  ])('with frames, by %s', (_, end, expected) => {
    expect(conclude({ acceptedAt: 0, activeAt: 1_000 }, end, 13_200)).toEqual({ endedAt: 13_200, ...expected });
  });
});
