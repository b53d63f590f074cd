import { toFailure } from './failure.js';
import { commandOf } from './keys.js';
import { isPlaylist, readLink } from './link.js';
import { toQualities } from './hls-source.js';
import { bufferedEnd, formatTime } from './texts.js';

it.each([
  [403, 'expired'],
  [410, 'expired'],
  [404, 'missing'],
  [400, 'failed'],
  [0, undefined],
  [429, undefined],
  [500, undefined],
  [503, undefined],
])('a storage that answers %d means %s', (status, failure) => expect(toFailure(status)).toBe(failure));

const NONE = { code: '', keyCode: 0, isComposing: false, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
const press = (key: string, held: object = {}) => commandOf({ ...NONE, key, getModifierState: () => false, ...held });

it.each([
  [' ', ['toggle']],
  ['K', ['toggle']],
  ['ArrowLeft', ['seek-by', -5]],
  ['l', ['seek-by', 10]],
  ['<', ['rate', -1]],
  ['7', ['seek-to-tenth', 7]],
  ['?', ['help']],
  ['x', undefined],
  ['F5', undefined],
])('%j means %j', (key, command) => expect(press(key)).toEqual(command));

it('leaves key combinations to the browser, and words to the input method', () => {
  expect([
    press('c', { ctrlKey: true }),
    press('l', { metaKey: true }),
    press('ArrowLeft', { altKey: true }),
    press('Enter', { keyCode: 229 }),
  ]).toEqual([undefined, undefined, undefined, undefined]);
});

const SRC = 'https://media.example/v/vid_1/t2x.k1.abc-_/master.m3u8';

it('reads addresses, title and language from the fragment', () => {
  const poster = 'https://media.example/v/vid_1/t2x.k1.abc-_/poster.jpg';
  const fragment = `#src=${encodeURIComponent(SRC)}&poster=${encodeURIComponent(poster)}&title=${encodeURIComponent('Äpfel & Birnen #1')}&lang=de`;
  expect(readLink(fragment)).toEqual({ src: SRC, poster, title: 'Äpfel & Birnen #1', language: 'de' });
  expect(readLink(`#src=${SRC}`)).toEqual({ src: SRC, poster: null, title: '', language: null });
});

it.each([
  '',
  '#',
  '#title=x',
  '#src=',
  '#src=video.mp4',
  '#src=javascript:alert(1)',
  '#src=data:video/mp4,x',
  '#src=file:///etc/passwd',
  '#src=blob:https://a.example/1',
])('finds no video in %j', (fragment) => expect(readLink(fragment).src).toBeNull());

it('recognizes a playlist by its path', () => {
  expect(isPlaylist(SRC)).toBe(true);
  expect(isPlaylist(`${SRC}?token=a.mp4`)).toBe(true);
  expect(isPlaylist('https://media.example/v/vid_1/t/source.mp4?x=.m3u8')).toBe(false);
});

const labels = (levels: Parameters<typeof toQualities>[0]) => toQualities(levels).map(({ label }) => label);

it('names qualities by their shorter side, best first', () => {
  expect(
    toQualities([
      { width: 426, height: 240, bitrate: 400_000 },
      { width: 1280, height: 720, bitrate: 2_800_000 },
    ]),
  ).toEqual([
    { id: 1, label: '720p' },
    { id: 0, label: '240p' },
  ]);
  expect(labels([{ width: 406, height: 720, bitrate: 1 }])).toEqual(['406p']);
});

it('names audio and duplicate sizes by their bit rate', () => {
  expect(labels([{ bitrate: 128_000 }, { width: 0, height: 0, bitrate: 64_000 }])).toEqual(['128 kbit/s', '64 kbit/s']);
  expect(
    labels([
      { width: 1280, height: 720, bitrate: 2e6 },
      { width: 1280, height: 720, bitrate: 3e6 },
    ]),
  ).toEqual(['720p 3000 kbit/s', '720p 2000 kbit/s']);
});

it.each([
  [0, '0:00'],
  [65.9, '1:05'],
  [3665, '1:01:05'],
  [36_000, '10:00:00'],
  [Number.NaN, '0:00'],
  [Number.POSITIVE_INFINITY, '0:00'],
])('%d seconds are %s', (seconds, clock) => expect(formatTime(seconds)).toBe(clock));

it('finds the end of the buffered range at the playback position', () => {
  const pairs = [
    [0, 4],
    [10, 20],
  ] as const;
  const ranges = { length: 2, start: (at: number) => pairs[at]?.[0] ?? 0, end: (at: number) => pairs[at]?.[1] ?? 0 };
  expect([0, 4, 5, 9.95, 12].map((time) => bufferedEnd(ranges, time))).toEqual([4, 4, 5, 20, 20]);
});
