import type { MeasuredMinute } from '@classroom/contracts';
import { toMinuteRow } from './to-minute-row.js';

const minute = (reported: Partial<MeasuredMinute>) =>
  toMinuteRow({ connectionSid: 'PA_1', startedAt: '2026-01-15T09:00:41.500Z', measuredMs: 60_000, talkMs: 0, cameraMs: 0, ...reported });

describe('a minute that a page reports', () => {
  it('is stored in whole milliseconds, with the means of round trip and buffer', () => {
    const stats = {
      'inbound-rtp': {
        bytesReceived: 1_000,
        packetsReceived: 90,
        packetsLost: 10,
        jitterBufferDelay: 96,
        jitterBufferEmittedCount: 960,
        freezeCount: 2,
        totalFreezesDuration: 1.4,
      },
      'outbound-rtp': { bytesSent: 500, packetsSent: 50 },
      'remote-inbound-rtp': { packetsLost: 5 },
      'candidate-pair': { totalRoundTripTime: 1.2, responsesReceived: 24 },
    };
    expect(minute({ talkMs: 12_345.6, cameraMs: 60_000, reconnections: 1, joinMs: 1_300.4, stats })).toEqual({
      connectionSid: 'PA_1',
      minute: new Date('2026-01-15T09:00:30Z'),
      measuredMs: 60_000,
      talkMs: 12_346,
      cameraMs: 60_000,
      reconnections: 1,
      joinMs: 1_300,
      bytesReceived: 1_000,
      bytesSent: 500,
      packetsReceived: 90,
      packetsLost: 10,
      packetsSent: 50,
      sentLost: 5,
      roundTripMs: 50,
      bufferMs: 100,
      freezes: 2,
      frozenMs: 1_400,
    });
  });

  it('contains no more than a minute can contain, whatever the page claims', () => {
    const MUCH = 1e15;
    const stats = {
      'inbound-rtp': { packetsReceived: MUCH, packetsLost: MUCH, bytesReceived: MUCH, totalFreezesDuration: MUCH, freezeCount: MUCH },
      'outbound-rtp': { packetsSent: 10 },
      'remote-inbound-rtp': { packetsLost: MUCH },
      'candidate-pair': { totalRoundTripTime: MUCH, responsesReceived: 1 },
    };
    const row = minute({ measuredMs: MUCH, talkMs: MUCH, cameraMs: MUCH, reconnections: MUCH, joinMs: MUCH, stats });
    expect(row).toMatchObject({
      measuredMs: 60_000,
      talkMs: 60_000,
      cameraMs: 60_000,
      frozenMs: 60_000,
      roundTripMs: 60_000,
      sentLost: 10,
    });
    for (const value of Object.values(row)) if (typeof value === 'number') expect(value).toBeLessThanOrEqual(7_500_000_000);
    expect(minute({ measuredMs: 20_000, talkMs: 30_000, cameraMs: 20_000.4 })).toMatchObject({ talkMs: 20_000, cameraMs: 20_000 });
  });

  it('has no round trip and no buffer where none was measured', () => {
    expect(minute({})).toMatchObject({ roundTripMs: null, bufferMs: null, joinMs: null, packetsReceived: 0 });
    expect(minute({ stats: { 'candidate-pair': { totalRoundTripTime: 0, responsesReceived: 0 } } }).roundTripMs).toBeNull();
  });
});
