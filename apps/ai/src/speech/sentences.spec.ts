import fc from 'fast-check';
import { SentenceSplitter, splitSentences } from './sentences.js';

const split = (...pieces: string[]) => {
  const splitter = new SentenceSplitter();
  return [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
};

/** `|` separates the sentences. */
it.each([
  'One. |Two! |Three? |Four… |Five',
  'Is it so?! |Yes.',
  'Dr. Smith and Prof. Ada met Mrs. Jones, e.g. at 3 p.m. on Jan. 5, 2026. |They talked.',
  'It is 3.14, not 3,14. |Version 2.0.1 is out.',
  '“Is it true?” she asked. |“It is.” |He left.',
  '"Stop!" |Then silence.',
  'See J. S. Bach. |He wrote it.',
  'Das gilt z.B. für die 3. Klasse. |Gut so.',
  '1. First this. |2. Then that.',
  'First line\n|Second line\n\n|Third line',
  '这是第一句。|这是第二句！|「真的吗？」|好。',
  'これは文です。|次の文です。',
  'यह पहला वाक्य है। |यह दूसरा है।',
  'In 2019. |Then it ended.',
  'It is **bold.** |And so on.',
  'Wait... |What?',
  'He said no. and left.',
])('%s', (marked) => {
  expect(split(marked.replaceAll('|', ''))).toEqual(marked.split('|'));
});

it('returns a sentence as soon as the next one begins', () => {
  const splitter = new SentenceSplitter();
  expect(splitter.push('Hello there')).toEqual([]);
  expect(splitter.push('. ')).toEqual([]);
  expect(splitter.push('N')).toEqual(['Hello there. ']);
  expect(splitter.end()).toEqual(['N']);
  expect(splitter.end()).toEqual([]);
});

it('cuts a text without an end at pauses', () => {
  const clause = 'and then the cell divides once more';
  const pieces = split(Array.from({ length: 40 }, () => clause).join(', '));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(300);
  expect(pieces.slice(0, -1).every((piece) => piece.endsWith(', '))).toBe(true);
  expect(split('word '.repeat(200)).every((piece) => piece.length <= 300 && piece.endsWith('word '))).toBe(true);
  expect(split('x'.repeat(1_000)).map(({ length }) => length)).toEqual([300, 300, 300, 100]);
});

const words = fc.constantFrom(
  'Hello',
  'e.g.',
  'Dr.',
  '3.',
  '2.5',
  'so',
  'Then',
  '。',
  '！',
  '好',
  '.',
  '?',
  '!',
  '…',
  '"',
  '”',
  ')',
  ',',
  '\n',
  ' ',
  '  ',
  'x'.repeat(150),
  '😀',
  '\ud83d',
  'ß',
);
const texts = fc.oneof(
  fc.array(words, { maxLength: 40 }).map((list) => list.join('')),
  fc.array(words, { maxLength: 40 }).map((list) => list.join(' ')),
  fc.string({ unit: 'binary', maxLength: 700 }),
);

it('loses no text, and makes no piece longer than the limit for a voice', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const pieces = split(text);
      expect(pieces.join('')).toBe(text);
      expect(pieces.every(({ length }) => length > 0 && length <= 300)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it('finds the same sentences in chunks of any size', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(20), { minLength: 1, maxLength: 50 }), (text, sizes) => {
      const pieces: string[] = [];
      for (let at = 0, turn = 0; at < text.length; turn++) {
        const size = (sizes[turn % sizes.length] ?? 0) + 1;
        pieces.push(text.slice(at, at + size));
        at += size;
      }
      expect(split(...pieces)).toEqual(split(text));
    }),
    { numRuns: 500 },
  );
});

it('reads a stream', async () => {
  async function* stream() {
    yield 'One. T';
    yield 'wo.';
  }
  const sentences: string[] = [];
  for await (const sentence of splitSentences(stream())) sentences.push(sentence);
  expect(sentences).toEqual(['One. ', 'Two.']);
});
