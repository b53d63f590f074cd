/// <reference types="jest" />
import { ClassUpdateReader } from './class-update-reader.js';

const bytes = (words: string) => new TextEncoder().encode(words);
const update = { base: 3, version: 4, hands: [] };
const push = { payload: bytes(JSON.stringify(update)), topic: 'class', sender: '' };

function reader() {
  const problems: string[] = [];
  return { problems, pushes: new ClassUpdateReader((problem) => problems.push(problem)) };
}

describe('the class’s pushes', () => {
  it('are accepted from the server', () => {
    const { pushes, problems } = reader();
    expect(pushes.read(push)).toEqual(update);
    expect(pushes.read({ ...push, sender: undefined })).toEqual(update);
    expect(problems).toEqual([]);
  });

  it('are not accepted from a participant, known or not, nor on another topic', () => {
    const { pushes, problems } = reader();
    expect([{ sender: 'mallory' }, { topic: 'chat' }, { topic: undefined }].map((other) => pushes.read({ ...push, ...other }))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(problems).toEqual([]);
  });

  it('are ignored if they cannot be read, which is reported once', () => {
    const { pushes, problems } = reader();
    for (const words of ['{', 'null', '[]', '"four"', '{"version":"4","base":3}'])
      expect(pushes.read({ ...push, payload: bytes(words) })).toBeUndefined();
    expect(pushes.read({ ...push, payload: new Uint8Array([0xff, 0xfe]) })).toBeUndefined();
    expect(problems).toHaveLength(1);
    expect(pushes.read(push)).toEqual(update);
  });
});
