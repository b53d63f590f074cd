import { headers } from '@nats-io/transport-node';
import { z } from 'zod';
import { defineRpc, type RpcInput } from '@classroom/contracts';
import { connectNats, Handles, NoRespondersError, RpcClient } from '../src/index.js';
import { RpcFixture } from './support/rpc-fixture.js';

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
  const handlers = new Handlers();
  let fixture: RpcFixture;

  beforeAll(async () => {
    fixture = await RpcFixture.start(handlers);
  });
  afterAll(() => fixture?.stop());

  beforeEach(() => handlers.handled.splice(0));

  it('whose answer is larger than a message fails immediately with this reason', async () => {
    expect((await fixture.client.call(read, { size: 400_000 })).text).toHaveLength(400_000);
    // 1,200,000 bytes, but only 600,000 characters.
    await expect(fixture.client.call(read, { size: 600_000 })).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
  });

  it('that is larger than a message is refused as too large, and not as unreachable', async () => {
    await expect(fixture.client.call(read, { size: 1, text: 'x'.repeat(1_100_000) })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it('to a service that does not run says so, whenever its timeout ends', async () => {
    const timeouts = Array.from({ length: 50 }, (_, index) => 300 + index * 3);
    const failures = await Promise.all(
      timeouts.map((timeoutMs) => fixture.client.call(contract('unheard'), { size: 1 }, timeoutMs).catch((error: unknown) => error)),
    );
    for (const failure of failures) expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE', cause: expect.any(NoRespondersError) });
  });

  it('that is read after its caller’s timeout has no effect if the contract says so', async () => {
    const late = { headers: headers() };
    late.headers.set('deadline', String(Date.now() - 1));
    fixture.connection.publish(create.subject, JSON.stringify({ size: 1 }), late);
    fixture.connection.publish(read.subject, JSON.stringify({ size: 1 }), late);
    await fixture.client.call(read, { size: 1 });
    // The expired `read` is within the tolerated clock difference.
    expect(handlers.handled).toEqual(['read', 'read']);
  });

  it('whose connection is closed fails at once', async () => {
    const own = await connectNats(fixture.stack.urls.nats, 'caller');
    // Receives the request and never answers.
    const silent = fixture.connection.subscribe(contract('silent').subject);
    const call = new RpcClient(own).call(contract('silent'), { size: 1 }, 3_600_000);
    const failure = expect(call).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    for await (const _ of silent) break;
    await own.close();
    await failure;
  });
});
