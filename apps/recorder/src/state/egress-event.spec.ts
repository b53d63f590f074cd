import { egressWebhook } from '@classroom/contracts';
import type { StoredJob, Progress } from './progress.js';
import { toEgressEvent } from './egress-event.js';

const job: StoredJob = {
  egressId: 'EG_abcdefgh',
  sid: 'RM_aaaaaaaaaaaaaaaa',
  livekitUrl: 'ws://media',
  pageUrl: 'http://page/recording',
  title: '',
  logoUrl: '',
  layout: 'speaker',
  preset: 'H264_1080P_30',
  objectKey: 'org/RM/EG.mp4',
};
const accepted: Progress = { acceptedAt: 1_000_000 };
const active: Progress = { ...accepted, activeAt: 1_002_000 };
const done: Progress = { ...active, endedAt: 1_032_000, outcome: 'COMPLETE', file: { durationMs: 30_020, size: 12_345 } };
const eventOf = (...[step, progress]: [Parameters<typeof toEgressEvent>[0], Progress]) =>
  egressWebhook.parse(toEgressEvent(step, job, progress, 1_040_000));

describe('the events of a capture', () => {
  test.each([
    ['started', accepted, 'egress_started', 'EGRESS_STARTING'],
    ['active', active, 'egress_updated', 'EGRESS_ACTIVE'],
    ['ending', { ...active, endedAt: 1_032_000, outcome: 'COMPLETE' }, 'egress_updated', 'EGRESS_ENDING'],
    ['ended', done, 'egress_ended', 'EGRESS_COMPLETE'],
    ['ended', { ...accepted, endedAt: 1_001_000, outcome: 'ABORTED' }, 'egress_ended', 'EGRESS_ABORTED'],
    ['ended', { ...done, outcome: 'LIMIT_REACHED' }, 'egress_ended', 'EGRESS_LIMIT_REACHED'],
  ] as const)('are named and numbered like LiveKit’s: %s', (step, progress, event, status) => {
    expect(eventOf(step, progress)).toMatchObject({ event, egressInfo: { egressId: job.egressId, roomName: job.sid, status } });
  });

  test('have times in nanoseconds, and are active since the first frame', () => {
    expect(eventOf('started', accepted).egressInfo.startedAt).toBe('1000000000000');
    expect(eventOf('active', active).egressInfo.startedAt).toBe('1002000000000');
  });

  test('contain the file only at the end', () => {
    expect(eventOf('ending', done).egressInfo).toMatchObject({ status: 'EGRESS_ENDING', fileResults: [] });
    expect(eventOf('ended', done).egressInfo.fileResults).toEqual([
      {
        filename: job.objectKey,
        location: job.objectKey,
        startedAt: '1002000000000',
        endedAt: '1032000000000',
        duration: '30020000000',
        size: '12345',
      },
    ]);
  });

  test('report a failure while the file could not be uploaded, and completion after its upload', () => {
    const gaveUp = { ...done, gaveUp: { at: 1, reason: 'the file could not be uploaded' } };
    expect(eventOf('ended', gaveUp).egressInfo).toMatchObject({ status: 'EGRESS_FAILED', error: gaveUp.gaveUp.reason, fileResults: [] });
    expect(eventOf('delivered', done).egressInfo.status).toBe('EGRESS_COMPLETE');
  });

  test('have one id for each step, however often it is published', () => {
    expect(eventOf('ended', done).id).toBe(eventOf('ended', { ...done, outcome: 'FAILED' }).id);
    expect(new Set((['started', 'active', 'ending', 'ended', 'delivered'] as const).map((step) => eventOf(step, done).id)).size).toBe(5);
  });
});
