import { isSpeech } from './muted-speech.js';

const [quiet, loud] = [0.004, 0.1];

it.each([
  ['speech with its pauses', [loud, loud, quiet, loud, loud, quiet, loud, loud, quiet, loud], true],
  ['silence', Array<number>(30).fill(quiet), false],
  ['a knock now and then', Array.from({ length: 30 }, (_, at) => (at % 5 === 0 ? loud : quiet)), false],
  ['speech of a while ago', [...Array<number>(10).fill(loud), ...Array<number>(10).fill(quiet)], false],
])('%s is speech: %#', (_, levels, expected) => {
  expect(isSpeech(levels)).toBe(expected);
});
