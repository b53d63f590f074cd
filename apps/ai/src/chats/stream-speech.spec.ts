import { setTimeout as pause } from 'node:timers/promises';
import type { Sound } from '../models/ai-provider.js';
import { speakAlong, type Said } from './speak-along.js';

const sound = (text: string): Sound => ({ samples: Buffer.from(text.trim()), sampleRate: 8_000 });
const said = (one: Said) => ('text' in one ? one.text : `<${one.sound.samples.toString()}>`);

async function* words(list: string[], everyMs = 0): AsyncGenerator<string> {
  for (const word of list) {
    if (everyMs > 0) await pause(everyMs);
    yield word;
  }
}

async function all(source: AsyncIterable<Said>): Promise<string[]> {
  const heard: string[] = [];
  for await (const one of source) heard.push(said(one));
  return heard;
}

describe('speech for a streamed answer', () => {
  it('follows the text of each sentence, while more text is streamed', async () => {
    const heard = await all(
      speakAlong(words(['One is here. ', 'Two is ', 'here. ', 'Three ', 'is ', 'here.'], 5), async (text) => sound(text)),
    );
    expect(heard.join('')).toContain('<One is here.>');
    expect(heard.indexOf('<One is here.>')).toBeLessThan(heard.indexOf('is ') + 1);
    expect(heard.filter((one) => one.startsWith('<'))).toEqual(['<One is here.>', '<Two is here.>', '<Three is here.>']);
  });

  it('keeps the order even if a later sentence is ready sooner, with two requests at a time at most', async () => {
    let atOnce = 0;
    let most = 0;
    const heard = await all(
      speakAlong(words(['Long one. ', 'Short. ', 'Third. ', 'Fourth.']), async (text) => {
        most = Math.max(most, ++atOnce);
        await pause(text.startsWith('Long') ? 30 : 2);
        atOnce -= 1;
        return sound(text);
      }),
    );
    expect(heard.filter((one) => one.startsWith('<'))).toEqual(['<Long one.>', '<Short.>', '<Third.>', '<Fourth.>']);
    expect(most).toBe(2);
  });

  it('leaves out sentences without words or without audio', async () => {
    const heard = await all(
      speakAlong(words(['Yes. ', '*** ', 'No.']), async (text) => (text.startsWith('Yes') ? undefined : sound(text))),
    );
    expect(heard.filter((one) => one.startsWith('<')).join('')).not.toContain('Yes');
  });

  it('fails if the text fails', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield 'One is here. And ';
      throw new Error('broken off');
    }
    await expect(all(speakAlong(broken(), async (text) => sound(text)))).rejects.toThrow('broken off');
  });
});
