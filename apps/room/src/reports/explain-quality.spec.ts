import { toQualityMinute } from './explain-quality.js';
import type { StoredMinute } from './participant-minutes.repository.js';

const NOTHING: StoredMinute = {
  minute: new Date('2026-01-15T10:04:00Z'),
  measuredMs: 30_000,
  reconnections: 0,
  joinMs: null,
  bytesReceived: 0,
  bytesSent: 0,
  packetsReceived: 0,
  packetsLost: 0,
  packetsSent: 0,
  sentLost: 0,
  roundTripMs: null,
  bufferMs: null,
  freezes: 0,
  frozenMs: 0,
};

describe('a minute of quality', () => {
  it('has rates of what was carried, and a score of what arrived', () => {
    const carried = { bytesReceived: 1_500_000, bytesSent: 375_000, packetsReceived: 950, packetsLost: 50, packetsSent: 400, sentLost: 6 };
    expect(toQualityMinute({ ...NOTHING, ...carried, roundTripMs: 40, bufferMs: 60, freezes: 1, frozenMs: 1_540 })).toEqual({
      startedAt: '2026-01-15T10:04:00.000Z',
      measuredSeconds: 30,
      mos: 3.1,
      receivedKbps: 400,
      sentKbps: 100,
      lossPercent: 5,
      sentLossPercent: 1.5,
      roundTripMs: 40,
      bufferMs: 60,
      freezes: 1,
      frozenSeconds: 1.5,
      reconnections: 0,
    });
  });

  it('has no loss and no score where nothing was carried', () => {
    expect(toQualityMinute({ ...NOTHING, measuredMs: 0 })).toMatchObject({
      mos: null,
      lossPercent: null,
      sentLossPercent: null,
      receivedKbps: 0,
    });
  });
});
