import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import type { RpcContract, RpcOutput, RpcRequest } from '@classroom/contracts';
import { NATS, readTextStream, RpcClient, startingWith } from '@classroom/messaging';
import type { z } from 'zod';

type StreamContract = RpcContract<z.ZodType<{ inbox: string }>, z.ZodType<{ control: string }>>;
type Query<C extends StreamContract> = Omit<RpcRequest<C>, 'inbox'>;

interface Page {
  /** The last page has none. */
  nextCursor?: string | null | undefined;
}

/** The pages of a result that one message cannot hold. The owner decides the size of a page; each is read when the one before was taken. */
export async function* pagesFrom<P extends Page>(first: P, read: (cursor: string) => Promise<P>): AsyncGenerator<P, void> {
  for (let page: P | undefined = first; page; page = page.nextCursor ? await read(page.nextCursor) : undefined) yield page;
}

/** Reads all of them. */
export async function allPages<P extends Page>(read: (cursor: string | undefined) => Promise<P>): Promise<[P, ...P[]]> {
  const first = await read(undefined);
  const others: P[] = [];
  for await (const page of pagesFrom(first, read)) if (page !== first) others.push(page);
  return [first, ...others];
}

/** Without it Excel takes a CSV file for the code page of the system. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A CSV file that is sent as fast as the client reads it. If the client disconnects, its source ends. */
export function csvFile(text: AsyncGenerator<string | Uint8Array>, fileName: string, hasMark: boolean): StreamableFile {
  const bytes = Readable.from(hasMark ? marked(text) : text, { objectMode: false });
  return new StreamableFile(bytes, { type: 'text/csv; charset=utf-8', disposition: `attachment; filename="${fileName}"` });
}

async function* marked(text: AsyncGenerator<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  try {
    yield BYTE_ORDER_MARK;
    yield* text;
  } finally {
    await text.return(undefined);
  }
}

/** Texts that a service streams, because one message cannot hold them. */
@Injectable()
export class LongAnswers {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {}

  /**
   * Passes a CSV file on as fast as the client reads it. If the client disconnects, the source ends. Resolves with the first bytes, so an error
   * before them is still an ordinary error response.
   */
  async csv<C extends StreamContract>(contract: C, query: Query<C>, fileName: string, hasMark: boolean): Promise<StreamableFile> {
    const frames = this.open(contract, query);
    const first = await frames.next();
    return csvFile(startingWith(first, frames), fileName, hasMark);
  }

  /** The same for a file that the source sends in base64. */
  async file<C extends StreamContract>(
    contract: C,
    query: Query<C>,
    { type, fileName }: { type: string; fileName: string },
  ): Promise<StreamableFile> {
    const frames = this.open(contract, query);
    const first = await frames.next();
    return new StreamableFile(Readable.from(decoded(startingWith(first, frames)), { objectMode: false }), {
      type,
      disposition: `attachment; filename="${fileName}"`,
    });
  }

  /** Reads a text to its end. @returns the reply with which it began, and the text */
  async read<C extends StreamContract>(contract: C, query: Query<C>): Promise<{ reply: RpcOutput<C>; text: string }> {
    const started = Promise.withResolvers<RpcOutput<C>>();
    const whole = await text(this.open(contract, query, started.resolve));
    return { reply: await started.promise, text: whole };
  }

  private open<C extends StreamContract>(
    contract: C,
    query: Query<C>,
    onReply?: (reply: RpcOutput<C>) => void,
  ): AsyncGenerator<Uint8Array> {
    return readTextStream(this.connection, async (inbox) => {
      const reply = await this.rpc.call(contract, { ...query, inbox } as RpcRequest<C>);
      onReply?.(reply);
      return reply.control;
    });
  }
}

/** Base64 in frames of any size. Only the last one may have padding. */
async function* decoded(frames: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = '';
  for await (const frame of frames) {
    const text = rest + Buffer.from(frame).toString('latin1');
    const whole = text.length - (text.length % 4);
    rest = text.slice(whole);
    yield Buffer.from(text.slice(0, whole), 'base64');
  }
}
