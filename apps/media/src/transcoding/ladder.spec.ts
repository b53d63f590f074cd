import { ladderOf } from './ladder.js';
import { frameRateOf } from './frame-rate.js';

const sizes = (width: number, height: number) => ladderOf({ width, height }, 30).map((rung) => `${rung.name} ${rung.width}x${rung.height}`);

describe('the ladder of a source', () => {
  test.each([
    ['full HD', 1920, 1080, ['240p 426x240', '360p 640x360', '480p 854x480', '720p 1280x720', '1080p 1920x1080']],
    ['a portrait', 1080, 1920, ['240p 240x426', '360p 360x640', '480p 480x854', '720p 720x1280', '1080p 1080x1920']],
    ['larger than the top rung', 3840, 2160, ['240p 426x240', '360p 640x360', '480p 854x480', '720p 1280x720', '1080p 1920x1080']],
    ['between rungs', 1067, 600, ['240p 426x240', '360p 640x360', '480p 854x480', '600p 1068x600']],
    ['just above a rung', 872, 490, ['240p 428x240', '360p 640x360', '490p 872x490']],
    ['odd', 321, 241, ['240p 320x240']],
    ['below every rung', 320, 180, ['180p 320x180']],
    ['4:3', 640, 480, ['240p 320x240', '360p 480x360', '480p 640x480']],
    ['a wide banner', 4096, 240, ['240p 4096x240']],
  ])('has the right rungs for: %s', (_, width, height, rungs) => {
    expect(sizes(width, height)).toEqual(rungs);
  });

  test('is never larger than the source, and has even, ascending sizes', () => {
    for (let height = 16; height < 2200; height += 7) {
      for (const width of [16, 99, 321, 1080, 1921, 4096]) {
        const rungs = ladderOf({ width, height }, 30);
        const scale = Math.min(width, height);
        expect(rungs.length).toBeGreaterThan(0);
        for (const rung of rungs) {
          expect([rung.width % 2, rung.height % 2]).toEqual([0, 0]);
          expect(Math.min(rung.width, rung.height)).toBeLessThanOrEqual(Math.max(2, scale));
          expect(Math.abs(rung.width / rung.height / (width / height) - 1)).toBeLessThan(0.15);
        }
        const bits = rungs.map(({ kbps }) => kbps);
        expect(bits).toEqual([...bits].sort((a, b) => a - b));
      }
    }
  });

  test('gives more bits to more frames, and less to a narrow picture', () => {
    const top = (width: number, height: number, fps: number) => ladderOf({ width, height }, fps).at(-1)?.kbps;
    expect([top(1920, 1080, 30), top(1920, 1080, 60), top(1920, 1080, 24)]).toEqual([5_000, 7_500, 5_000]);
    expect(top(1080, 1080, 30)).toBe(3_000);
  });
});

describe('the frame rate of an output', () => {
  test.each([
    ['whole', '30/1', '30/1', 30, '30/1'],
    ['of NTSC', '30000/1001', '30000/1001', 29.97, '30000/1001'],
    ['its average off by rounding', '30/1', '899/30', 30, '30/1'],
    ['varying', '90000/1', '2145/100', 21.45, '21450/1000'],
    ['a camera’s 120', '120/1', '120/1', 60, '120/2'],
    ['just above 60', '60000/1001', '60000/1001', 59.94, '60000/1001'],
    ['slides', '1/30', '1/30', 10, '10'],
    ['unknown', '0/0', '0/0', 25, '25'],
    ['no average', '25/1', '0/0', 25, '25/1'],
    ['nonsense', 'x', '-3/0', 25, '25'],
  ])('is right for: %s', (_, base, average, value, text) => {
    const rate = frameRateOf(base, average);
    expect(rate.value).toBeCloseTo(value, 2);
    expect(rate.text).toBe(text);
  });
});
