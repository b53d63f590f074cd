import { LineSplitter } from './answer-stream.js';

const LINES = ['{"text":"Gänse"}', '', '{"text":"🦢 und mehr"}', 'x'.repeat(300)];
const BYTES = Buffer.from(LINES.map((line) => `${line}\n`).join(''));

describe('lines from frames', () => {
  test.each([1, 2, 3, 7, 64, 1_000])('are complete with frames of %i bytes', (size) => {
    const lines = new LineSplitter();
    const found: string[] = [];
    for (let at = 0; at < BYTES.length; at += size) found.push(...lines.push(BYTES.subarray(at, at + size)));
    expect(found).toEqual(LINES);
  });

  it('are returned as soon as they are complete, and not before', () => {
    const lines = new LineSplitter();
    expect(lines.push(Buffer.from('one'))).toEqual([]);
    expect(lines.push(Buffer.from('\ntwo\nthr'))).toEqual(['one', 'two']);
    expect(lines.push(Buffer.from('ee\n'))).toEqual(['three']);
  });
});
