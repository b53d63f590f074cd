import { recordingOptions } from '@classroom/contracts';
import { tenantOf } from '@classroom/storage';
import { fileNameOf, objectKeyOf, prefixOf, recordingKeyIn } from './recording-file.js';

const recordingKey = '0b9f6f0e-5a39-4a2e-8f0c-3f6f2f1f9d11';
const recording = { organizationId: 'org_secret', sid: 'RM_1', recordingKey };

describe('the key of a recording’s file', () => {
  it('contains the room, the recording and the attempt, and only a hash of the organization', () => {
    expect(prefixOf(recording)).toBe(`recordings/${tenantOf('org_secret')}/RM_1/${recordingKey}/`);
    expect(objectKeyOf(recording, 2)).toBe(`recordings/${tenantOf('org_secret')}/RM_1/${recordingKey}/2.mp4`);
  });

  it.each([
    [`recordings/t/RM_1/${recordingKey}/1.mp4`, recordingKey],
    [`recordings/t/RM_1/${recordingKey}x/1.mp4`, undefined],
    [`recordings/t/RM_1/x${recordingKey}/1.mp4`, undefined],
    ['recordings/2026/11/algebra.mp4', undefined],
    ['recordings/a.mp4', undefined],
  ])('names the recording: %s', (objectKey, key) => expect(recordingKeyIn(objectKey)).toBe(key));
});

const at = new Date('2026-09-01T10:30:59.999Z');
const options = recordingOptions.parse({});
const named = (title: string) => fileNameOf({ title, activeAt: at, requestedAt: new Date(0), options });

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
    expect(fileNameOf({ title: 'A', activeAt: null, requestedAt: at, options })).toBe('A 2026-09-01 10-30.mp4');
  });

  it('says that it has sound only', () => {
    const name = fileNameOf({ title: 'A', activeAt: at, requestedAt: at, options: { ...options, audioOnly: true } });
    expect(name).toBe('A 2026-09-01 10-30.m4a');
  });

  it.each([
    ['.hidden.', 'hidden'],
    ['a\u0000b\tc', 'a b c'],
    [`${'x'.repeat(79)} y`, 'x'.repeat(79)],
  ])('has no dots or spaces at the ends of %j', (title, name) => expect(named(title)).toBe(`${name} 2026-09-01 10-30.mp4`));
});
