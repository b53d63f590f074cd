import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createParser } from 'eventsource-parser';
import { probe } from '@classroom/testing';

// Tests assert the fields that they read. Types would only repeat the contract.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Loose = any;

/** Parses an answer with one JSON object per line. @throws if there is anything else */
export function ndjsonLines(text: string): Loose[] {
  if (!text.endsWith('\n')) throw new Error('the last line is not ended');
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Loose);
}

/** Parses the data of server-sent events with a parser that is not ours. The last event must be [DONE]. */
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

/** Runs ffprobe on a base64 WAV. @throws if it is not a WAV */
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
