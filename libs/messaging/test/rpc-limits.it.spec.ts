import { MetadataScanner, type DiscoveryService } from '@nestjs/core';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { defineRpc, type RpcInput } from '@classroom/contracts';
import type { BaseConfig } from '@classroom/platform';
import { TestStack } from '@classroom/testing';
import { connectNats, Handles, RpcClient, RpcServer } from '../src/index.js';

const contract = (verb: string, mayRunLate = true) =>
  defineRpc({
    service: 'room',
    rpc: `thing.${verb}`,
    mayRunLate,
    input: z.object({ size: z.number(), text: z.string().optional() }),
    output: z.object({ text: z.string() }),
  });
const read = contract('read');
const create = contract('create', false);
type Input = RpcInput<typeof read>;

class Handlers {
  readonly handled: string[] = [];

  @Handles(read)
  async read({ size }: Input) {
    this.handled.push('read');
    return { text: 'ß'.repeat(size) };
  }

  @Handles(create)
  async create({ text = '' }: Input) {
    this.handled.push('create');
    return { text };
  }
}

/** A request or answer that is too large or too late gives a named error on both sides. */
describe('a call', () => {
  let stack: TestStack;
  let connection: NatsConnection;
  let server: RpcServer;
  let client: RpcClient;
  const handlers = new Handlers();

  beforeAll(async () => {
    stack = await TestStack.parts(['nats']);
    connection = await connectNats(stack.urls.nats, 'test');
    const discovery = { getProviders: () => [{ instance: handlers }], getControllers: () => [] } as unknown as DiscoveryService;
    server = new RpcServer(connection, { ROLES: ['service'] } as unknown as BaseConfig, discovery, new MetadataScanner());
    await server.listen(() => undefined);
    client = new RpcClient(connection);
  });

  afterAll(async () => {
    await server?.onModuleDestroy();
    await connection?.close();
    await stack?.stop();
  });

  beforeEach(() => handlers.handled.splice(0));

  it('whose answer is larger than a message fails immediately with this reason', async () => {
    expect((await client.call(read, { size: 400_000 })).text).toHaveLength(400_000);
    // 1,200,000 bytes, but only 600,000 characters.
    await expect(client.call(read, { size: 600_000 })).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
  });

  it('that is larger than a message is refused as too large, and not as unreachable', async () => {
    await expect(client.call(read, { size: 1, text: 'x'.repeat(1_100_000) })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it('that is read after its caller’s timeout has no effect if the contract says so', async () => {
    const late = { headers: headers() };
    late.headers.set('deadline', String(Date.now() - 1));
    connection.publish(create.subject, JSON.stringify({ size: 1 }), late);
    connection.publish(read.subject, JSON.stringify({ size: 1 }), late);
    await client.call(read, { size: 1 });
    // The expired `read` is within the tolerated clock difference.
    expect(handlers.handled).toEqual(['read', 'read']);
  });

  it('whose connection is closed fails at once', async () => {
    const own = await connectNats(stack.urls.nats, 'caller');
    // Receives the request and never answers.
    const silent = connection.subscribe(contract('silent').subject);
    const call = new RpcClient(own).call(contract('silent'), { size: 1 }, 3_600_000);
    const failure = expect(call).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    for await (const _ of silent) break;
    await own.close();
    await failure;
  });
});
