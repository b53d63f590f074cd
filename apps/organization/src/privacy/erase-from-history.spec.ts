import { Anonymizer } from './erase-from-history.js';

const ALIAS = /^erased#[0-9a-f]{16}$/;
const alias = expect.stringMatching(ALIAS) as unknown;

describe('a person in a value', () => {
  const joined = { roomId: 'algebra', title: 'Algebra', participant: { uid: 'ada', name: 'Ada', role: 'STUDENT', ip: '203.0.113.7' } };

  it('is replaced with everything that is next to the uid, and nothing else is', () => {
    expect(new Anonymizer({ uid: 'ada' }).anonymize(joined)).toEqual({
      ...joined,
      participant: { uid: alias, name: '', role: 'STUDENT', ip: null },
    });
  });

  it('has the same pseudonym in several values, and another one in another erasure', () => {
    const anonymizer = new Anonymizer({ uid: 'ada' });
    const [first, second] = [joined, { list: [{ uid: 'bob', name: 'Bob' }, { studentUid: 'ada' }] }].map((it) =>
      anonymizer.anonymize(it),
    ) as [typeof joined, { list: [object, { studentUid: string }] }];
    expect(second).toEqual({ list: [{ uid: 'bob', name: 'Bob' }, { studentUid: first.participant.uid }] });
    expect(new Anonymizer({ uid: 'ada' }).anonymize(joined)).not.toEqual(first);
  });

  it.each([[{ uid: 'adam', name: 'Ada' }], [{ text: 'ada' }], [null], ['ada'], [{ uid: 'erased#00' }]])('is not in %j', (value) => {
    expect(new Anonymizer({ uid: 'ada' }).anonymize(value)).toBeUndefined();
  });
});

describe('everyone in a class', () => {
  it('is replaced, with what was written about the class', () => {
    const value = {
      roomId: 'algebra',
      title: 'Ada and Bob',
      people: [
        { uid: 'ada', name: 'Ada' },
        { uid: 'bob', name: 'Bob' },
      ],
    };
    expect(new Anonymizer({ roomId: 'algebra' }).anonymize(value)).toEqual({
      roomId: 'algebra',
      title: 'Erased',
      people: [
        { uid: alias, name: '' },
        { uid: alias, name: '' },
      ],
    });
  });

  it('is not replaced in another class', () => {
    expect(new Anonymizer({ roomId: 'algebra' }).anonymize({ roomId: 'biology', participant: { uid: 'ada' } })).toBeUndefined();
  });
});
