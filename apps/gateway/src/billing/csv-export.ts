import { Inject, Injectable, type StreamableFile } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import type { RpcContract, RpcRequest } from '@classroom/contracts';
import { NATS, readTextStream, RpcClient } from '@classroom/messaging';
import { csvFile } from '../http/csv-file.js';

/** Passes a service's text on as fast as the client reads it. If the client disconnects, the source ends. */
@Injectable()
export class CsvExport {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {}

  /** Resolves with the first bytes, so an error before them is still an ordinary error response. */
  async open<C extends RpcContract>(
    contract: C,
    query: Omit<RpcRequest<C>, 'inbox'>,
    fileName: string,
    hasMark: boolean,
  ): Promise<StreamableFile> {
    const frames = readTextStream(this.connection, async (inbox) => {
      const { control } = (await this.rpc.call(contract, { ...query, inbox } as RpcRequest<C>)) as { control: string };
      return control;
    });
    const first = await frames.next();
    return csvFile(startingWith(first, frames), fileName, hasMark);
  }
}

async function* startingWith(first: IteratorResult<Uint8Array>, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
