import { aboutPerson } from './exported.repository.js';

describe('data about a person', () => {
  it.each([
    [
      { roomId: 'a', uid: 'ada', name: 'Ada', removedBy: null },
      { roomId: 'a', uid: 'ada', name: 'Ada', removedBy: null },
    ],
    [
      { uid: 'ada', name: 'Ada', removedBy: 'bob' },
      { uid: 'ada', name: 'Ada' },
    ],
    [
      { uid: 'bob', name: 'Bob', ip: '203.0.113.7', role: 'STUDENT', removedBy: 'ada' },
      { role: 'STUDENT', removedBy: 'ada' },
    ],
    [
      {
        data: {
          people: [
            { uid: 'ada', name: 'Ada' },
            { uid: 'bob', name: 'Bob', seconds: 7 },
          ],
        },
      },
      { data: { people: [{ uid: 'ada', name: 'Ada' }, { seconds: 7 }] } },
    ],
  ])('has no uid or name of others: %j', (data, expected) => {
    expect(aboutPerson(data, 'ada')).toEqual(expected);
  });

  it.each([[{ uid: 'bob', name: 'ada' }], [{ title: 'ada' }], [null], ['ada'], [{ uid: 'adam' }]])('is not %j', (data) => {
    expect(aboutPerson(data, 'ada')).toBeUndefined();
  });
});
