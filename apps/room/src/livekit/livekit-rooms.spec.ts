import { offsetBetween } from './livekit-rooms.js';

describe('the offset of LiveKit’s clock', () => {
  const NOON = Date.parse('2026-09-01T12:00:00.000Z');
  /** @param offset seconds by which LiveKit’s clock is ahead @param writtenAfter milliseconds until it wrote the header */
  const measured = (offset: number, tookMs: number, writtenAfter = tookMs / 2) => {
    const before = NOON + 640;
    return offsetBetween(before, before + tookMs, Math.floor((before + writtenAfter) / 1000 + offset) * 1000);
  };

  it.each([0, 300, 1_900])('is none for equal clocks, however long the answer takes (%i ms)', (tookMs) => {
    for (let writtenAfter = 0; writtenAfter <= tookMs; writtenAfter += 50) expect(measured(0, tookMs, writtenAfter)).toBe(0);
  });

  it.each([-3_600, -30, -4, 4, 30, 3_600])('is known to a second (%i s)', (offset) => {
    for (const tookMs of [2, 300, 1_900]) expect(Math.abs(measured(offset, tookMs) - offset)).toBeLessThanOrEqual(1);
  });

  it('is none without a Date header', () => expect(offsetBetween(NOON, NOON, NaN)).toBe(0));
});
