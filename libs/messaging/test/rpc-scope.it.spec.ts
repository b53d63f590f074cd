import { MetadataScanner, type DiscoveryService } from '@nestjs/core';
import type { NatsConnection } from '@nats-io/transport-node';
import { z } from 'zod';
import { classroomCaller, defineRpc } from '@classroom/contracts';
import { currentOrganization, Loop, type BaseConfig } from '@classroom/platform';
import { TestStack } from '@classroom/testing';
import { connectNats, Handles, RpcClient, RpcServer } from '../src/index.js';

const contract = <I extends z.ZodType>(verb: string, input: I) =>
  defineRpc({ service: 'room', rpc: `thing.${verb}`, input, output: z.object({ organizationId: z.string().nullable() }) });
const ofOrganization = contract('of-organization', z.object({ organizationId: z.string() }));
const ofParticipant = contract('of-participant', z.object({ caller: classroomCaller }));
const ofNone = contract('of-none', z.object({}));

class Handlers {
  readonly loop = new Loop('test', 60_000, async () => void this.inLoop.push(currentOrganization()));
  readonly inLoop: (string | undefined)[] = [];

  @Handles(ofOrganization)
  async organization() {
    this.loop.wake();
    return this.answer();
  }

  @Handles(ofParticipant)
  participant() {
    return this.answer();
  }

  @Handles(ofNone)
  none() {
    return this.answer();
  }

  private async answer() {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return { organizationId: currentOrganization() ?? null };
  }
}

/** The work that a call causes is limited to the rows of its organization (libs/persistence). */
describe('a call', () => {
  const handlers = new Handlers();
  const caller = { sid: 'RM_1', uid: 'ann', organizationId: 'school-b', sessionNumber: 1, issuedAt: 0 };
  let stack: TestStack;
  let connection: NatsConnection;
  let server: RpcServer;
  let client: RpcClient;

  beforeAll(async () => {
    stack = await TestStack.parts(['nats']);
    connection = await connectNats(stack.urls.nats, 'test');
    const discovery = { getProviders: () => [{ instance: handlers }], getControllers: () => [] } as unknown as DiscoveryService;
    server = new RpcServer(connection, { ROLES: ['service'] } as unknown as BaseConfig, discovery, new MetadataScanner());
    await server.listen(() => undefined);
    client = new RpcClient(connection);
  });

  afterAll(async () => {
    await handlers.loop.stop();
    await server?.onModuleDestroy();
    await connection?.close();
    await stack?.stop();
  });

  it('is for its own organization, also next to others', async () => {
    const answers = await Promise.all([
      client.call(ofOrganization, { organizationId: 'school-a' }),
      client.call(ofParticipant, { caller }),
      client.call(ofNone, {}),
      client.call(ofOrganization, { organizationId: 'school-c' }),
    ]);
    expect(answers.map(({ organizationId }) => organizationId)).toEqual(['school-a', 'school-b', null, 'school-c']);
  });

  it('wakes loops, whose work is for all organizations', async () => {
    handlers.loop.start();
    await client.call(ofOrganization, { organizationId: 'school-a' });
    await client.call(ofOrganization, { organizationId: 'school-a' });
    expect(handlers.inLoop.length).toBeGreaterThan(1);
    expect(new Set(handlers.inLoop)).toEqual(new Set([undefined]));
  });
});
