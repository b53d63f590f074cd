import { Eta, outTime, Progress } from './progress.js';

const block = (us: number | string, how = 'continue') =>
  `frame=1\nfps=0.00\nout_time_us=${us}\nout_time_ms=${us}\nspeed=1x\nprogress=${how}\n`;

describe('the progress of ffmpeg', () => {
  test('is the last position that it reported', () => {
    expect(outTime('')).toBeUndefined();
    expect(outTime(block('N/A'))).toBeUndefined();
    expect(outTime(block(-40_000))).toBe(0);
    expect(outTime(block(500_000) + block(2_040_000, 'end'))).toBe(2.04);
  });

  test('is read in pieces, never decreases, and does not reach 100 % before the end', () => {
    let now = 0;
    const progress = new Progress(() => now, 10);
    const text = block(1_000_000) + block(5_000_000) + block(4_000_000);
    for (const character of text) progress.read(character);
    expect([progress.reached, progress.percent]).toEqual([5, 50]);
    progress.read(block(12_000_000, 'end'));
    expect([progress.reached, progress.percent]).toEqual([12, 99]);
  });

  test('counts as stalled if it uses the processor without output, not while it is starved of it', () => {
    let now = 0;
    const progress = new Progress(() => now, 10);
    const at = (ms: number, processorSeconds?: number) => {
      now = ms;
      return progress.isStalled(processorSeconds);
    };
    expect([at(0, 5), at(61_000, 7), at(70_000, 36)]).toEqual([false, false, true]);
    progress.read(block(1_000_000));
    expect([at(71_000, 36), at(140_000, 60), at(141_000, 67)]).toEqual([false, false, true]);
    progress.read(block(2_000_000));
    expect([at(142_000, 67), at(141_000 + 14 * 60_000, 68), at(142_000 + 16 * 60_000, 68)]).toEqual([false, false, true]);
    progress.read(block(3_000_000));
    expect([at(now + 59_000), at(now + 2_000)]).toEqual([false, true]);
  });
});

let now = 0;
const eta = () => new Eta(() => now);

test('an attempt that has not begun may take no time', () => {
  expect(eta().minRemainingMs).toBe(0);
});

test('an attempt without a percent after one second takes at least 99 more', () => {
  const begun = eta();
  begun.begin();
  now += 1_000;
  expect(begun.minRemainingMs).toBe(99_000);
});

test('the time for preparation does not count', () => {
  const late = eta();
  now += 60_000;
  late.begin();
  now += 1_000;
  late.percent = 49;
  expect(late.minRemainingMs).toBe(1_000);
});

test('the last percent may take no time', () => {
  const ending = eta();
  ending.begin();
  now += 1_000;
  ending.percent = 99;
  expect(ending.minRemainingMs).toBe(0);
});
