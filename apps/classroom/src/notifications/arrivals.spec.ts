import { arrivedSince, unseen } from './arrivals.js';

const person = (uid: string, isLocal = false) => ({ uid, name: uid, isLocal });
const uids = (people: { uid: string }[]) => people.map(({ uid }) => uid);

describe('what waits for a teacher', () => {
  const keyOf = ({ uid, at }: { uid: string; at: number }) => `${uid} ${at}`;

  it('is gone once it is put aside, and there again when the same person asks again', () => {
    const ada = { uid: 'ada', at: 1 };
    expect(unseen([ada, { uid: 'bob', at: 2 }], keyOf, new Set(['ada 1']))).toEqual([{ uid: 'bob', at: 2 }]);
    expect(unseen([{ ...ada, at: 3 }], keyOf, new Set(['ada 1']))).toEqual([{ uid: 'ada', at: 3 }]);
  });
});

describe('who has just come', () => {
  it('are neither those who were there first nor the teacher', () => {
    expect(arrivedSince(undefined, [person('ada')])).toEqual([]);
    expect(uids(arrivedSince(new Set(['ada']), [person('me', true), person('ada'), person('bob')]))).toEqual(['bob']);
  });
});
