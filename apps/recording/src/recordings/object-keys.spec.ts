import { tenantOf } from '@classroom/storage';
import { objectKeyOf, prefixOf, recordingKeyIn } from './object-keys.js';

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
