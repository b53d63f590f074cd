import { fromNdjson, fromServerSentEvents, type AnswerEvent } from './answers.js';
import { ConnectionError, VirtualClassroomError } from './errors.js';
import { linesOf } from './server-sent-events.js';

const TEXT: AnswerEvent = { type: 'text', text: 'Ça va? 数 🙂\n' };
const AUDIO: AnswerEvent = { type: 'audio', audio: 'UklGRg==', mimeType: 'audio/wav' };
const USAGE: AnswerEvent = { type: 'usage', usage: { inputTokens: 3, outputTokens: 5 } };

const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const events = (...values: (object | string)[]) =>
  values.map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`).join('');

const FORMATS = [
  {
    name: 'lines of JSON',
    read: fromNdjson,
    whole: lines(TEXT, AUDIO, USAGE, { type: 'done' }),
    failed: lines(TEXT, { type: 'error', error: 'AI_UNAVAILABLE', message: 'Away' }),
    cut: lines(TEXT),
  },
  {
    name: 'server-sent events',
    read: fromServerSentEvents,
    whole: `: beat\n\n${events({ text: TEXT.text, usage: null }, { text: '', audio: AUDIO.audio, mimeType: AUDIO.mimeType, usage: null }, { usage: USAGE.usage }, '[DONE]')}`,
    failed: events({ text: TEXT.text, usage: null }, { error: 'AI_UNAVAILABLE', message: 'Away' }, '[DONE]'),
    cut: events({ text: TEXT.text, usage: null }),
  },
];

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect<T>(source: AsyncIterable<T>): Promise<{ seen: T[]; failure: unknown }> {
  const seen: T[] = [];
  try {
    for await (const it of source) seen.push(it);
    return { seen, failure: undefined };
  } catch (failure) {
    return { seen, failure };
  }
}

describe.each(FORMATS)('an answer as $name', ({ read, whole, failed, cut }) => {
  it('is the same wherever its bytes are cut', async () => {
    const { length } = new TextEncoder().encode(whole);
    for (let size = 1; size <= length; size++) {
      expect([size, await collect(read(inChunks(whole, size)))]).toEqual([size, { seen: [TEXT, AUDIO, USAGE], failure: undefined }]);
    }
  });

  it('may have CRLF line ends', async () => {
    expect((await collect(read(inChunks(whole.replaceAll('\n', '\r\n'), 3)))).seen).toEqual([TEXT, AUDIO, USAGE]);
  });

  it('throws the error that ended it, after the events before', async () => {
    const { seen, failure } = await collect(read(inChunks(failed, 7)));
    expect(seen).toEqual([TEXT]);
    expect(failure).toBeInstanceOf(VirtualClassroomError);
    expect(failure).toMatchObject({ code: 'AI_UNAVAILABLE', message: 'Away', status: 200 });
  });

  it('fails if its end is missing', async () => {
    const { seen, failure } = await collect(read(inChunks(cut, 7)));
    expect(seen).toEqual([TEXT]);
    expect(failure).toBeInstanceOf(ConnectionError);
  });

  it('does not quote a conversation that cannot be read', async () => {
    const { failure } = await collect(read(inChunks(whole.replace('"', '"secret'.repeat(2)), 50)));
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(JSON.stringify([String(failure), (failure as Error).cause])).not.toContain('secret');
  });

  it('closes the connection when its reader leaves the loop', async () => {
    let isLeft = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield* inChunks(cut, 9);
      } finally {
        isLeft = true;
      }
    }
    for await (const _ of read(endless())) break;
    expect(isLeft).toBe(true);
  });
});

it('lines include the last one, and characters whose bytes were split', async () => {
  expect((await collect(linesOf(inChunks('ä\n\n🙂', 1)))).seen).toEqual(['ä', '', '🙂']);
});

it('an event may have its data on several lines, and other fields', async () => {
  const text = 'event: answer\nid: 1\ndata: {"text":\ndata:"two","usage":null}\n\ndata: [DONE]\n\n';
  expect((await collect(fromServerSentEvents(inChunks(text, 4)))).seen).toEqual([{ type: 'text', text: 'two' }]);
});
