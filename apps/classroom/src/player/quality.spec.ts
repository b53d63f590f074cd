import { toQualities } from './quality.js';

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
