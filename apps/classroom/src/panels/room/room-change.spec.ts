import { problemsOf, toChange, toForm } from './room-change.js';

const ROOM = { title: 'Algebra', roomDescription: null, maxParticipants: 30, emptyTimeout: 300 };
const FORM = toForm(ROOM);

describe('changing the room', () => {
  it('sends only what differs', () => {
    expect(toChange(FORM, ROOM)).toBeUndefined();
    expect(toChange({ ...FORM, title: ' Geometry ' }, ROOM)).toEqual({ title: 'Geometry' });
    expect(toChange({ ...FORM, maxParticipants: '40' }, ROOM)).toEqual({ settings: { maxParticipants: 40 } });
  });

  it('takes an emptied description away', () => {
    expect(toChange({ ...FORM, roomDescription: ' ' }, { ...ROOM, roomDescription: 'old' })).toEqual({ roomDescription: null });
  });

  it.each([
    ['title', ' ', 'missing'],
    ['title', 'x'.repeat(257), 'tooLong'],
    ['roomDescription', 'x'.repeat(4001), 'tooLong'],
    ['maxParticipants', '5001', 'outOfRange'],
    ['maxParticipants', '1.5', 'outOfRange'],
    ['emptyTimeout', '', 'outOfRange'],
    ['emptyTimeout', 'soon', 'outOfRange'],
  ])('says what is wrong with a %s of %j', (field, value, problem) => {
    expect(problemsOf({ ...FORM, [field]: value })).toEqual({ [field]: problem });
  });

  it('finds nothing wrong with a room as it is', () => {
    expect(problemsOf(FORM)).toEqual({});
  });

  it('counts letters as people do', () => {
    expect(problemsOf({ ...FORM, title: '😀'.repeat(256) })).toEqual({});
  });
});
