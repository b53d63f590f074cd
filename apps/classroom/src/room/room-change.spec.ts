import { validateForm, toChange, toForm } from './room-change.js';

const ROOM = { title: 'Algebra', roomDescription: null, maxParticipants: 30, emptyTimeout: 300 };
const FORM = toForm(ROOM);

describe('a change of the room', () => {
  it('sends only the differences', () => {
    expect(toChange(FORM, ROOM)).toBeUndefined();
    expect(toChange({ ...FORM, title: ' Geometry ' }, ROOM)).toEqual({ title: 'Geometry' });
    expect(toChange({ ...FORM, maxParticipants: '40' }, ROOM)).toEqual({ settings: { maxParticipants: 40 } });
  });

  it('removes an emptied description', () => {
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
  ])('reports an error for a %s of %j', (field, value, problem) => {
    expect(validateForm({ ...FORM, [field]: value })).toEqual({ [field]: problem });
  });

  it('is valid for an unchanged room', () => {
    expect(validateForm(FORM)).toEqual({});
  });

  it('counts characters as users do', () => {
    expect(validateForm({ ...FORM, title: '😀'.repeat(256) })).toEqual({});
  });
});
