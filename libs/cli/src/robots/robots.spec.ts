import { HEIGHT, Portrait, WIDTH } from './portrait.js';
import { SAMPLES, Voice } from './voice.js';

/** Moments of half a minute, in seconds. */
const MOMENTS = Array.from({ length: 300 }, (_, n) => 1_000 + n / 10 + 0.05);

describe('robots', () => {
  it('speak in turns, each of them', () => {
    const voices = Array.from({ length: 3 }, (_, number) => new Voice(number, 3));
    const speaking = MOMENTS.map((time) => voices.flatMap((voice, number) => (voice.level(time) > 0 ? [number] : [])));
    expect(Math.max(...speaking.map(({ length }) => length))).toBe(1);
    expect([...new Set(speaking.flat())].sort()).toEqual([0, 1, 2]);
  });

  it('are heard when it is their turn, without distortion', () => {
    const voice = new Voice(0, 1);
    const frames = MOMENTS.map((time) => voice.frame(time));
    const loudest = Math.max(...frames.map((frame) => Math.max(...frame.map(Math.abs))));
    expect(frames[0]).toHaveLength(SAMPLES);
    expect([loudest > 3_000, loudest < 32_767]).toEqual([true, true]);
    expect(new Set(new Voice(1, 2).frame(0))).toEqual(new Set([0]));
  });

  it('have faces of different colors, whose mouths open', () => {
    const [first, second] = [new Portrait(0), new Portrait(1)];
    const colors = (picture: Uint8Array) => [picture[WIDTH * HEIGHT], picture.at(-1)];
    expect(first.frame(0)).toHaveLength((WIDTH * HEIGHT * 3) / 2);
    expect(colors(first.frame(0))).not.toEqual(colors(second.frame(0)));
    const dark = (picture: Uint8Array) => picture.subarray(0, WIDTH * HEIGHT).filter((light) => light < 50).length;
    expect(dark(first.frame(1))).toBeGreaterThan(dark(first.frame(0)));
  });
});
