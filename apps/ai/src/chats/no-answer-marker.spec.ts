import { UNKNOWN_MARK } from '../models/ai-provider.js';
import { UnknownMark } from './unknown-mark.js';

function shown(pieces: string[]): { text: string; isUnknown: boolean } {
  const mark = new UnknownMark();
  const text = pieces.map((piece) => mark.push(piece)).join('') + mark.end();
  return { text, isUnknown: mark.isUnknown };
}

describe('the unknown mark of a tutor’s answer', () => {
  const answer = `${UNKNOWN_MARK} Ask your teacher.`;

  it.each([1, 2, 3, 5, 9, 10, 40])('is removed from chunks of %i', (size) => {
    const pieces = answer.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
    expect(shown(pieces)).toEqual({ text: 'Ask your teacher.', isUnknown: true });
  });

  it('may follow a space or a line break, and be in upper case', () => {
    expect(shown(['\n ', UNKNOWN_MARK.toUpperCase(), '\n', 'No idea.'])).toEqual({ text: 'No idea.', isUnknown: true });
  });

  it.each(['It is 4.', '[un', '[unk] is a token', ' leading', '', `It says ${UNKNOWN_MARK}.`, '[1] is a list'])(
    'is not found in %j',
    (text) => {
      expect(shown([...text])).toEqual({ text, isUnknown: false });
    },
  );

  it('delays no text that cannot be the mark', () => {
    const mark = new UnknownMark();
    expect(mark.push('[u')).toBe('');
    expect(mark.push('p]')).toBe('[up]');
    expect(mark.push('x')).toBe('x');
  });

  it('may be the whole answer', () => {
    expect(shown([UNKNOWN_MARK])).toEqual({ text: '', isUnknown: true });
  });
});
