/// <reference types="jest" />
import type { MeasuredMinute } from '@classroom/contracts';
import type { Room } from 'livekit-client';
import { ClassMeter, type Moment } from './measuring.js';

const START = Date.parse('2026-01-15T09:00:00.500Z');
const at = (time: string) => expect.stringContaining(`T${time}.`);

function setup() {
  const localParticipant = { sid: 'PA_1' };
  const moments: Moment[] = [];
  const counters: Record<string, Record<string, unknown>> = {};
  const getStats = async () => new Map(Object.entries(counters).map(([id, counter]) => [id, { id, ...counter }]));
  const room = {
    localParticipant,
    engine: { pcManager: { publisher: { getStats: async () => new Map() }, subscriber: { getStats } } },
  };
  const reports: MeasuredMinute[][] = [];
  let isReachable = true;
  const meter = new ClassMeter(
    async ({ minutes }) => {
      reports.push(minutes);
      if (!isReachable) throw new Error('unreachable');
    },
    () => START,
  );
  const seconds = (count: number) => jest.advanceTimersByTimeAsync(count * 1000);
  return {
    meter,
    reports,
    counters,
    seconds,
    start(joinMs?: number) {
      moments.push([performance.now(), false, false]);
      meter.start(room as unknown as Room, moments, joinMs);
    },
    reach: (reachable: boolean) => (isReachable = reachable),
    /** For so many seconds, the participant does this. */
    async does({ talks = false, isOnCamera = false }, count: number) {
      moments.push([performance.now(), talks, isOnCamera]);
      await seconds(count);
    },
  };
}

describe('the measurements of a participant', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are the time of speech and camera, reported each minute and at the end', async () => {
    const { meter, reports, start, does, seconds } = setup();
    start(1_200);
    await does({ talks: true }, 7);
    await does({}, 5);
    await does({ isOnCamera: true }, 48);
    await does({ talks: true }, 3);
    meter.stop();
    await seconds(120);
    expect(reports).toMatchObject([
      [
        {
          connectionSid: 'PA_1',
          startedAt: at('09:00:00'),
          measuredMs: 60_000,
          talkMs: 7_000,
          cameraMs: 48_000,
          joinMs: 1_200,
        },
      ],
      [{ startedAt: at('09:01:00'), measuredMs: 3_000, talkMs: 3_000, cameraMs: 0 }],
    ]);
    expect(reports[1]?.[0]?.joinMs).toBeUndefined();
  });

  it('are sent again until the service has them, and not after', async () => {
    const { meter, reports, start, seconds, reach } = setup();
    start();
    reach(false);
    await seconds(120);
    reach(true);
    await seconds(60);
    meter.stop();
    expect(reports.map((minutes) => minutes.map(({ startedAt }) => startedAt.slice(14, 16)))).toEqual([
      ['00'],
      ['00', '01'],
      ['00', '01', '02'],
      ['03'],
    ]);
  });

  it('contain how much the counters rose, summed over the streams, also of streams that come and go', async () => {
    const { meter, reports, start, counters, seconds } = setup();
    start();
    counters['audio'] = { type: 'inbound-rtp', packetsReceived: 100, packetsLost: 2, kind: 'audio' };
    counters['path'] = { type: 'candidate-pair', totalRoundTripTime: 0.5, responsesReceived: 10 };
    await seconds(60);
    Object.assign(counters['audio'], { packetsReceived: 150, packetsLost: 1 });
    counters['video'] = { type: 'inbound-rtp', packetsReceived: 70, freezeCount: 1 };
    await seconds(20);
    delete counters['video'];
    await seconds(40);
    meter.stop();
    expect(reports.map(([minute]) => minute?.stats)).toMatchObject([
      { 'inbound-rtp': { packetsReceived: 100, packetsLost: 2 }, 'candidate-pair': { totalRoundTripTime: 0.5, responsesReceived: 10 } },
      { 'inbound-rtp': { packetsReceived: 120, packetsLost: 0, freezeCount: 1 } },
      {},
    ]);
  });

  it('count each loss of the connection, and continue with the next one', async () => {
    const { meter, reports, start, seconds, does } = setup();
    start();
    meter.countReconnection();
    await seconds(10);
    meter.stop();
    meter.countReconnection();
    start();
    await does({ talks: true }, 5);
    meter.stop();
    expect(reports.flat()).toMatchObject([
      { reconnections: 1, measuredMs: 10_000, talkMs: 0 },
      { reconnections: 1, measuredMs: 5_000, talkMs: 5_000 },
    ]);
  });

  it('end with the connection: nothing is reported twice', () => {
    const { meter, reports, start } = setup();
    meter.stop();
    start();
    meter.stop();
    meter.stop();
    expect(reports).toHaveLength(1);
  });
});
