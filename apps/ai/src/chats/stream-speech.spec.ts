import { setTimeout as pause } from 'node:timers/promises';
import type { PcmAudio } from '../models/ai-provider.js';
import { streamSpeech, type SpeechChunk } from './stream-speech.js';

const audio = (text: string): PcmAudio => ({ samples: Buffer.from(text.trim()), sampleRate: 8_000 });
const textOf = (one: SpeechChunk) => ('text' in one ? one.text : `<${one.audio.samples.toString()}>`);

async function* chunks(list: string[], everyMs = 0): AsyncGenerator<string> {
  for (const chunk of list) {
    if (everyMs > 0) await pause(everyMs);
    yield chunk;
  }
}

async function all(source: AsyncIterable<SpeechChunk>): Promise<string[]> {
  const heard: string[] = [];
  for await (const one of source) heard.push(textOf(one));
  return heard;
}

describe('speech for a streamed answer', () => {
  it('follows the text of each sentence, while more text is streamed', async () => {
    const heard = await all(
      streamSpeech(chunks(['One is here. ', 'Two is ', 'here. ', 'Three ', 'is ', 'here.'], 5), async (text) => audio(text)),
    );
    expect(heard.join('')).toContain('<One is here.>');
    expect(heard.indexOf('<One is here.>')).toBeLessThan(heard.indexOf('is ') + 1);
    expect(heard.filter((one) => one.startsWith('<'))).toEqual(['<One is here.>', '<Two is here.>', '<Three is here.>']);
  });

  it('keeps the order even if a later sentence is ready sooner, with two requests at a time at most', async () => {
    let atOnce = 0;
    let most = 0;
    const heard = await all(
      streamSpeech(chunks(['Long one. ', 'Short. ', 'Third. ', 'Fourth.']), async (text) => {
        most = Math.max(most, ++atOnce);
        await pause(text.startsWith('Long') ? 30 : 2);
        atOnce -= 1;
        return audio(text);
      }),
    );
    expect(heard.filter((one) => one.startsWith('<'))).toEqual(['<Long one.>', '<Short.>', '<Third.>', '<Fourth.>']);
    expect(most).toBe(2);
  });

  it('leaves out sentences without words or without audio', async () => {
    const heard = await all(
      streamSpeech(chunks(['Yes. ', '*** ', 'No.']), async (text) => (text.startsWith('Yes') ? undefined : audio(text))),
    );
    expect(heard.filter((one) => one.startsWith('<')).join('')).not.toContain('Yes');
  });

  it('fails if the text fails', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield 'One is here. And ';
      throw new Error('broken off');
    }
    await expect(all(streamSpeech(broken(), async (text) => audio(text)))).rejects.toThrow('broken off');
  });
});
