import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createParser } from 'eventsource-parser';
import { probe } from '@classroom/testing';

// Answers are read by tests that look at them: typing each would only repeat the contract.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Loose = any;

/** One JSON object to each line, and nothing else. @throws where it is not so */
export function ndjsonLines(text: string): Loose[] {
  if (!text.endsWith('\n')) throw new Error('the last line is not ended');
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Loose);
}

/** Events' data by a parser that is none of ours; the last must be [DONE]. */
export function sseData(text: string): Loose[] {
  const events: string[] = [];
  const parser = createParser({
    onEvent: ({ data, event, id }) => {
      if (event !== undefined || id !== undefined) throw new Error('an event has a name or an id');
      events.push(data);
    },
    onError: (error) => {
      throw error;
    },
  });
  parser.feed(text);
  const last = events.pop();
  if (last !== '[DONE]') throw new Error(`the stream ended in ${last}`);
  return events.map((data) => JSON.parse(data) as Loose);
}

export const textOf = (events: Loose[]): string => events.map((event) => (typeof event.text === 'string' ? event.text : '')).join('');

/** What ffprobe says of a WAV in base64. @throws where it is none */
export async function probeWav(base64: string): Promise<{ seconds: number; codec: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'ai-wav-'));
  try {
    const file = join(folder, 'answer.wav');
    await writeFile(file, Buffer.from(base64, 'base64'));
    const { duration, audio, video } = await probe(file, ['-f', 'wav']);
    const [sound] = audio;
    if (!sound || audio.length !== 1 || video.length !== 0) throw new Error('it is not one track of sound');
    return { seconds: duration, codec: sound.codec };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
