import { headers, type NatsConnection } from '@nats-io/transport-node';
import { AppError } from '@classroom/contracts';
import { eventually, sleep, TestStack } from '@classroom/testing';
import { connectNats, readTextStream, startTextStream } from '../src/index.js';
import { FRAME_KIND, FRAME_NUMBER } from '../src/text-stream.js';

/** Text that is too large for one reply arrives whole, in order, no faster than it is read, and either side can end it. */
describe('text streams over NATS', () => {
  let stack: TestStack;
  let writer: NatsConnection;
  let reader: NatsConnection;

  beforeAll(async () => {
    stack = await TestStack.parts(['nats']);
    writer = await connectNats(stack.urls.nats, 'writer');
    reader = await connectNats(stack.urls.nats, 'reader');
  });

  afterAll(async () => {
    await writer?.close();
    await reader?.close();
    await stack?.stop();
  });

  const open = (source: AsyncIterable<string>) =>
    readTextStream(reader, async (inbox) => {
      await reader.flush();
      return startTextStream(writer, inbox, () => source).control;
    });

  async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  it('deliver all text in chunks of any size, including characters of several bytes', async () => {
    const parts = ['a', 'é'.repeat(100_000), '', '数'.repeat(60_000), 'z'];
    async function* source() {
      yield* parts;
    }
    expect(await textOf(open(source()))).toBe(parts.join(''));
  });

  it('read the source no faster than the reader reads frames', async () => {
    let made = 0;
    async function* source() {
      for (; made < 1_000; made++) yield 'x'.repeat(1_000);
    }
    const stream = open(source());
    await stream.next();
    await sleep(300);
    expect(made).toBeLessThan(40);
    expect((await textOf(stream)).length).toBe(999_000);
  });

  it('end the source when the reader leaves', async () => {
    let ended = false;
    async function* source() {
      try {
        for (;;) yield 'x';
      } finally {
        ended = true;
      }
    }
    for await (const _ of open(source())) break;
    await eventually(() => expect(ended).toBe(true));
  });

  it('abort a waiting source as soon as its reader leaves', async () => {
    const reading = new AbortController();
    let abortedAfterMs: number | undefined;
    let leftAt = 0;
    async function* source(signal: AbortSignal): AsyncGenerator<string> {
      yield 'a';
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      abortedAfterMs = Date.now() - leftAt;
    }
    const stream = readTextStream(
      reader,
      async (inbox) => {
        await reader.flush();
        return startTextStream(writer, inbox, source).control;
      },
      reading.signal,
    );
    await stream.next();
    const next = expect(stream.next()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    leftAt = Date.now();
    reading.abort();
    await next;
    // Not only with the next heartbeat, 2 s later.
    await eventually(() => expect(abortedAfterMs).toBeLessThan(1_500));
  });

  it('carry a declared error, and mask an unknown one', async () => {
    async function* gone(): AsyncGenerator<string> {
      yield 'a';
      throw new AppError('ROOM_NOT_FOUND');
    }
    async function* broken(): AsyncGenerator<string> {
      yield 'a';
      throw new Error('secret detail');
    }
    await expect(textOf(open(gone()))).rejects.toMatchObject({ code: 'ROOM_NOT_FOUND' });
    await expect(textOf(open(broken()))).rejects.toMatchObject({ code: 'INTERNAL_ERROR', message: expect.not.stringContaining('secret') });
  });

  it('detect a lost frame', async () => {
    const stream = readTextStream(reader, async (inbox) => {
      await reader.flush();
      for (const number of [0, 2]) {
        const sent = headers();
        sent.set(FRAME_KIND, 'data');
        sent.set(FRAME_NUMBER, String(number));
        writer.publish(inbox, 'x', { headers: sent });
      }
      return 'nowhere';
    });
    await expect(textOf(stream)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('time out if the writer sends nothing', async () => {
    const stream = readTextStream(reader, async () => 'nowhere');
    await expect(textOf(stream)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('time out if the reader requests nothing', async () => {
    let ended = false;
    async function* source() {
      try {
        for (;;) yield 'x'.repeat(70_000);
      } finally {
        ended = true;
      }
    }
    startTextStream(writer, '_INBOX.unknown', source);
    await eventually(() => expect(ended).toBe(true));
  });
});
