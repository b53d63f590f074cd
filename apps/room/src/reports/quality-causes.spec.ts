import type { QualityMinute } from '@classroom/contracts';
import { explain } from './quality-causes.js';

/** A minute without a fault, `n` minutes after 10:00. */
const minute = (n: number, what: Partial<QualityMinute> = {}): QualityMinute => ({
  startedAt: new Date(Date.UTC(2026, 0, 15, 10, n)).toISOString(),
  measuredSeconds: 60,
  mos: 4.4,
  receivedKbps: 900,
  sentKbps: 400,
  lossPercent: 0.2,
  sentLossPercent: null,
  roundTripMs: 40,
  bufferMs: 60,
  freezes: 0,
  frozenSeconds: 0,
  reconnections: 0,
  ...what,
});
const minutes = (count: number, faults: Record<number, Partial<QualityMinute>> = {}) =>
  Array.from({ length: count }, (_, n) => minute(n, faults[n]));
const textsOf = ({ causes }: ReturnType<typeof explain>) => causes.map(({ text }) => text);

describe('the explanation of a quality', () => {
  it('is good without a cause, and nothing without a measurement', () => {
    expect(explain(minutes(10), 1.2)).toEqual({ verdict: 'good', causes: [] });
    expect(explain([], null)).toEqual({ verdict: null, causes: [] });
  });

  it('names the worst of minutes after each other once, and begins again after a gap', () => {
    const faults = { 4: { lossPercent: 5 }, 5: { lossPercent: 12 }, 7: { lossPercent: 4 }, 20: { lossPercent: 3 } };
    expect(explain(minutes(30, faults), null)).toEqual({
      verdict: 'fair',
      causes: [
        {
          code: 'LOSS_RECEIVED',
          text: 'High packet loss (12 %) from 10:04 to 10:08',
          from: minute(4).startedAt,
          until: minute(8).startedAt,
        },
        {
          code: 'LOSS_RECEIVED',
          text: 'High packet loss (3 %) from 10:20 to 10:21',
          from: minute(20).startedAt,
          until: minute(21).startedAt,
        },
      ],
    });
  });

  it('has every kind of cause, in the order of time', () => {
    const faults = {
      1: { reconnections: 2 },
      2: { reconnections: 1, sentLossPercent: 3.5 },
      10: { roundTripMs: 450 },
      12: { bufferMs: 350 },
      14: { frozenSeconds: 4.2, measuredSeconds: 20 },
    };
    expect(textsOf(explain(minutes(30, faults), 8.3))).toEqual([
      'Joined after 8 s',
      'Connection lost 3 times from 10:01 to 10:03',
      'High loss of sent packets (3.5 %) from 10:02 to 10:03',
      'Long way to the media server (450 ms there and back) from 10:10 to 10:11',
      'Uneven arrival of media (waited 350 ms) from 10:12 to 10:13',
      'Video stood still for 4 s at 10:14',
    ]);
  });

  it('is poor if a fifth of the minutes are bad, whatever made them bad', () => {
    const bad = { 0: { lossPercent: 7 }, 3: { frozenSeconds: 15 } };
    expect(explain(minutes(10, bad), null).verdict).toBe('poor');
    expect(explain(minutes(11, bad), null).verdict).toBe('fair');
  });

  it('has 50 causes at most', () => {
    const faults = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [n * 3, { lossPercent: 9 }]));
    expect(explain(minutes(300, faults), null).causes).toHaveLength(50);
  });
});
