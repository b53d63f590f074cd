import { readAnswer, type AnswerPart, readEvents } from './stream.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const streamOf = (...chunks: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      chunks.forEach((chunk) => controller.enqueue(chunk));
      controller.close();
    },
  });
const inChunks = (text: string, size: number) => {
  const all = bytes(text);
  return streamOf(...Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size)));
};
const all = async <T>(items: AsyncIterable<T>) => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

describe('server-sent events', () => {
  const text = ': hello\n\ndata: {"text":"Grüße 🌍"}\r\n\r\nevent: x\ndata:one\ndata: two\nid: 7\n\nretry: 5\n\ndata: last\r\r';

  it.each([1, 2, 3, 5, 7, 1000])('are read the same in chunks of %d bytes', async (size) => {
    expect(await all(readEvents(inChunks(text, size)))).toEqual(['{"text":"Grüße 🌍"}', 'one\ntwo', 'last']);
  });

  it('are dropped if the stream ends before they are complete', async () => {
    expect(await all(readEvents(inChunks('data: a\n\ndata: b\n', 4)))).toEqual(['a']);
  });

  it('end the request when their reader leaves the loop', async () => {
    const cancelled = jest.fn();
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes('data: a\n\ndata: b\n\n')),
      cancel: cancelled,
    });
    for await (const data of readEvents(stream)) {
      expect(data).toBe('a');
      break;
    }
    expect(cancelled).toHaveBeenCalledTimes(1);
  });
});

describe('an answer', () => {
  const event = (data: object | string) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
  const answer = (...events: (object | string)[]) => readAnswer(inChunks(events.map(event).join(''), 9));

  it('consists of its text and audio in order', async () => {
    const parts = await all(
      answer(
        { text: '', usage: null, questionId: 'q' },
        { text: 'Yes. ', usage: null },
        { text: '', audio: btoa('wav'), mimeType: 'audio/wav', usage: null },
        { text: 'No.', usage: null },
        { usage: { inputTokens: 1, outputTokens: 2 } },
        '[DONE]',
      ),
    );
    expect(parts).toEqual<AnswerPart[]>([
      { kind: 'begun', questionId: 'q' },
      { kind: 'text', text: 'Yes. ' },
      { kind: 'sound', wav: bytes('wav') },
      { kind: 'text', text: 'No.' },
    ]);
  });

  it('that ends with an error returns its text and then throws', async () => {
    const parts = answer({ text: 'Yes', usage: null }, { error: 'AI_UNAVAILABLE', message: 'away' }, '[DONE]');
    expect(await parts.next()).toMatchObject({ value: { text: 'Yes' } });
    await expect(parts.next()).rejects.toMatchObject({ code: 'AI_UNAVAILABLE' });
  });

  it.each([[[{ text: 'Yes' }]], [['no JSON', '[DONE]']]])('that breaks off fails with NO_ANSWER', async (events) => {
    await expect(all(answer(...events))).rejects.toMatchObject({ code: 'NO_ANSWER' });
  });
});
