import { createHash } from 'node:crypto';
import { Remnants, type CompletedErasure } from './erase-messages.js';

const AT = '2026-03-02T12:00:00.000Z';

const erasure = (kind: 'uid' | 'roomId' | 'organization', id: string, erasureId = 'era_1'): CompletedErasure => ({
  erasureId,
  organizationId: 'org_a',
  completedAt: new Date(AT),
  subjectHash: createHash('sha256').update(`${erasureId}:${kind}:${id}`).digest('hex'),
});
const fact = (data: object, time = '2026-03-01T12:00:00.000Z') => ({ time, data: { organizationId: 'org_a', ...data } });

describe('remnants of an erased person', () => {
  const remnants = new Remnants([erasure('uid', 'other', 'era_0'), erasure('uid', 'ada')]);

  it.each([
    ['of the person', { uid: 'ada' }],
    ['in which the person acts', { uid: 'bob', removedBy: 'ada' }],
    ['with the person in a list', { participants: [{ uid: 'bob' }, { uid: 'ada' }] }],
  ])('are facts %s', (_, data) => expect(remnants.includes(fact(data))).toBe(true));

  it.each([
    ['of others', fact({ uid: 'bob' })],
    ['of the same uid in another organization', { ...fact({}), data: { organizationId: 'org_b', uid: 'ada' } }],
    ['from after the erasure', fact({ uid: 'ada' }, '2026-03-03T12:00:00.000Z')],
    ['with the uid elsewhere, such as in a title', fact({ title: 'ada' })],
    ['without an organization', { time: AT, data: { uid: 'ada' } }],
    ['without data', { time: AT }],
  ])('are not facts %s', (_, one) => expect(remnants.includes(one)).toBe(false));
});

it('remnants of an erased person are webhooks about them, in whatever organization', () => {
  const remnants = new Remnants([erasure('uid', 'ada')]);
  const includes = (participant: object | undefined, at: string) =>
    remnants.includesWebhook(participant ? { participant } : {}, new Date(at));
  expect(includes({ identity: 'ada' }, AT)).toBe(true);
  expect([includes({ identity: 'bob' }, AT), includes({ identity: 'ada' }, '2026-03-03'), includes(undefined, AT)]).toEqual([
    false,
    false,
    false,
  ]);
});

it('remnants of a class are its facts, and those of an organization all of its own', () => {
  const ofClass = new Remnants([erasure('roomId', 'geometry')]);
  expect([fact({ roomId: 'geometry', uid: 'ada' }), fact({ roomId: 'algebra' })].map((one) => ofClass.includes(one))).toEqual([
    true,
    false,
  ]);
  const ofAll = new Remnants([erasure('organization', 'org_a')]);
  expect([fact({}), { time: AT, data: { organizationId: 'org_b' } }].map((one) => ofAll.includes(one))).toEqual([true, false]);
});
