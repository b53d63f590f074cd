import { Lines } from './lines.js';

const LINES = ['{"text":"Gänse"}', '', '{"text":"🦢 und mehr"}', 'x'.repeat(300)];
const BYTES = Buffer.from(LINES.map((line) => `${line}\n`).join(''));

describe('lines out of frames', () => {
  test.each([1, 2, 3, 7, 64, 1_000])('are whole, cut every %i bytes', (size) => {
    const lines = new Lines();
    const found: string[] = [];
    for (let at = 0; at < BYTES.length; at += size) found.push(...lines.push(BYTES.subarray(at, at + size)));
    expect(found).toEqual(LINES);
  });

  it('come as soon as they have ended, and not before', () => {
    const lines = new Lines();
    expect(lines.push(Buffer.from('one'))).toEqual([]);
    expect(lines.push(Buffer.from('\ntwo\nthr'))).toEqual(['one', 'two']);
    expect(lines.push(Buffer.from('ee\n'))).toEqual(['three']);
  });
});
