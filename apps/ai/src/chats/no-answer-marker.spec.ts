import { NO_ANSWER_MARKER } from '../models/ai-provider.js';
import { NoAnswerMarker } from './no-answer-marker.js';

function shown(pieces: string[]): { text: string; isUnknown: boolean } {
  const marker = new NoAnswerMarker();
  const text = pieces.map((piece) => marker.push(piece)).join('') + marker.end();
  return { text, isUnknown: marker.isUnknown };
}

describe('the unknown mark of a tutor’s answer', () => {
  const answer = `${NO_ANSWER_MARKER} Ask your teacher.`;

  it.each([1, 2, 3, 5, 9, 10, 40])('is removed from chunks of %i', (size) => {
    const pieces = answer.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
    expect(shown(pieces)).toEqual({ text: 'Ask your teacher.', isUnknown: true });
  });

  it('may follow a space or a line break, and be in upper case', () => {
    expect(shown(['\n ', NO_ANSWER_MARKER.toUpperCase(), '\n', 'No idea.'])).toEqual({ text: 'No idea.', isUnknown: true });
  });

  it.each(['It is 4.', '[un', '[unk] is a token', ' leading', '', `It says ${NO_ANSWER_MARKER}.`, '[1] is a list'])(
    'is not found in %j',
    (text) => {
      expect(shown([...text])).toEqual({ text, isUnknown: false });
    },
  );

  it('delays no text that cannot be the mark', () => {
    const marker = new NoAnswerMarker();
    expect(marker.push('[u')).toBe('');
    expect(marker.push('p]')).toBe('[up]');
    expect(marker.push('x')).toBe('x');
  });

  it('may be the whole answer', () => {
    expect(shown([NO_ANSWER_MARKER])).toEqual({ text: '', isUnknown: true });
  });
});
