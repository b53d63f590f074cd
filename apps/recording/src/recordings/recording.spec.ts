import { metrics, type Attributes, type MeterProvider } from '@opentelemetry/api';
import { recordingOptions } from '@classroom/contracts';
import { tenantOf } from '@classroom/storage';
import { durationOf, fileNameOf, healthOf, objectKeyOf, prefixOf, recordingKeyIn, startedAtOf } from './recording.js';

const at = (seconds: number) => new Date(1_000_000 + seconds * 1_000);

describe('the times of a recording', () => {
  it.each([
    ['the length of its file', { duration: 7, activeAt: at(0), endedAt: at(60), mergedFrom: [] }, 7],
    ['zero of an empty file', { duration: 0, activeAt: at(0), endedAt: at(60), mergedFrom: [] }, 0],
    ['zero before it was active', { duration: null, activeAt: null, endedAt: at(60), mergedFrom: [] }, 0],
    ['until its end, rounded up', { duration: null, activeAt: at(0), endedAt: at(60.5), mergedFrom: [] }, 61],
    ['until its end, rounded down', { duration: null, activeAt: at(0), endedAt: at(60.4), mergedFrom: [] }, 60],
    ['until now', { duration: null, activeAt: at(10), endedAt: null, mergedFrom: [] }, 90],
    ['zero while files are merged', { duration: null, activeAt: at(0), endedAt: null, mergedFrom: ['EG_1', 'EG_2'] }, 0],
    ['never negative', { duration: null, activeAt: at(20), endedAt: at(10), mergedFrom: [] }, 0],
  ])('last %s', (_, recording, seconds) => expect(durationOf(recording, at(100))).toBe(seconds));

  it('begin with the first frame, before that with the request', () => {
    expect(startedAtOf({ activeAt: at(2), requestedAt: at(1) })).toEqual(at(2));
    expect(startedAtOf({ activeAt: null, requestedAt: at(1) })).toEqual(at(1));
  });
});

const running = { status: 'ACTIVE', missingSince: null, engineIds: ['EG_1'], reason: null, limitReached: false } as const;
const recording = (change: object) => ({ ...running, engineIds: ['EG_1'], ...change });

describe('the health of a recording', () => {
  it.each([
    ['OK', 'runs', {}],
    ['OK', 'has its whole file', { status: 'COMPLETED' }],
    ['OK', 'was stopped before it began', { status: 'ABORTED', reason: 'It was stopped before it began' }],
    ['STALLED', 'has a recorder that no longer answers', { missingSince: new Date() }],
    ['RETRYING', 'is begun by a second recorder', { status: 'STARTING', engineIds: ['EG_1', 'EG_2'] }],
    ['OK', 'was begun by a second recorder', { engineIds: ['EG_1', 'EG_2'] }],
    ['LIMIT_REACHED', 'was as long as recordings may be', { status: 'COMPLETED', limitReached: true, reason: 'Session limit reached' }],
    ['CUT', 'has a part of its file', { status: 'COMPLETED', reason: 'the recording was cut' }],
    ['FAILED', 'has no file', { status: 'FAILED', reason: 'The recorder was lost' }],
  ])('is %s if it %s', (health, _, change) => {
    expect(healthOf(recording(change))).toBe(health);
  });
});

const recordingKey = '0b9f6f0e-5a39-4a2e-8f0c-3f6f2f1f9d11';
const stored = { organizationId: 'org_secret', sid: 'RM_1', recordingKey };

describe('the key of a recording’s file', () => {
  it('contains the room, the recording and the attempt, and only a hash of the organization', () => {
    expect(prefixOf(stored)).toBe(`recordings/${tenantOf('org_secret')}/RM_1/${recordingKey}/`);
    expect(objectKeyOf(stored, 2)).toBe(`recordings/${tenantOf('org_secret')}/RM_1/${recordingKey}/2.mp4`);
  });

  it.each([
    [`recordings/t/RM_1/${recordingKey}/1.mp4`, recordingKey],
    [`recordings/t/RM_1/${recordingKey}x/1.mp4`, undefined],
    [`recordings/t/RM_1/x${recordingKey}/1.mp4`, undefined],
    ['recordings/2026/11/algebra.mp4', undefined],
    ['recordings/a.mp4', undefined],
  ])('names the recording: %s', (objectKey, key) => expect(recordingKeyIn(objectKey)).toBe(key));
});

const began = new Date('2026-09-01T10:30:59.999Z');
const options = recordingOptions.parse({});
const named = (title: string) => fileNameOf({ title, activeAt: began, requestedAt: new Date(0), options });

describe('the name of a recording’s file', () => {
  it.each([
    ['Algebra I', 'Algebra I 2026-09-01 10-30.mp4'],
    ['数学 – Übung', '数学 – Übung 2026-09-01 10-30.mp4'],
    ['a/b\\c:d*e?"f"<g>|h', 'a b c d e f g h 2026-09-01 10-30.mp4'],
    ['../../etc/passwd', 'etc passwd 2026-09-01 10-30.mp4'],
    ['  \n ', 'Recording 2026-09-01 10-30.mp4'],
    ['...', 'Recording 2026-09-01 10-30.mp4'],
  ])('is made from %j', (title, name) => expect(named(title)).toBe(name));

  it('is shortened between characters', () => {
    expect(named('👩'.repeat(100))).toBe(`${'👩'.repeat(80)} 2026-09-01 10-30.mp4`);
  });

  it('has the time of the request if the recording never began', () => {
    expect(fileNameOf({ title: 'A', activeAt: null, requestedAt: began, options })).toBe('A 2026-09-01 10-30.mp4');
  });

  it('says that it has sound only', () => {
    const name = fileNameOf({ title: 'A', activeAt: began, requestedAt: began, options: { ...options, audioOnly: true } });
    expect(name).toBe('A 2026-09-01 10-30.m4a');
  });

  it.each([
    ['.hidden.', 'hidden'],
    ['a\u0000b\tc', 'a b c'],
    [`${'x'.repeat(79)} y`, 'x'.repeat(79)],
  ])('has no dots or spaces at the ends of %j', (title, name) => expect(named(title)).toBe(`${name} 2026-09-01 10-30.mp4`));
});

const counted: Attributes[] = [];
const meter = { createCounter: () => ({ add: (_: number, attributes: Attributes) => void counted.push(attributes) }) };

test.each([
  ['COMPLETED', null, [{ status: 'COMPLETED', cut: 'false' }]],
  ['COMPLETED', 'The recorder was ended', [{ status: 'COMPLETED', cut: 'true' }]],
  ['FAILED', 'There is no file', [{ status: 'FAILED', cut: 'false' }]],
  ['ABORTED', null, [{ status: 'ABORTED', cut: 'false' }]],
  ['ACTIVE', null, []],
  ['REFUSED', null, []],
] as const)('a recording that becomes %s because %s', async (status, reason, expected) => {
  counted.length = 0;
  jest.resetModules();
  metrics.setGlobalMeterProvider({ getMeter: () => meter } as unknown as MeterProvider);
  const { countEnd } = await import('./recording.js');
  countEnd({ status, reason });
  expect(counted).toEqual(expected);
});
