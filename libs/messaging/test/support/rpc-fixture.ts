import { MetadataScanner, type DiscoveryService } from '@nestjs/core';
import type { NatsConnection } from '@nats-io/transport-node';
import type { BaseConfig } from '@classroom/platform';
import { TestStack } from '@classroom/testing';
import { connectNats, RpcClient, RpcServer } from '../../src/index.js';

/** A server that serves the marked methods of one object, and a client, over a real NATS. */
export class RpcFixture {
  readonly client: RpcClient;

  private constructor(
    readonly stack: TestStack,
    readonly connection: NatsConnection,
    readonly server: RpcServer,
  ) {
    this.client = new RpcClient(connection);
  }

  static async start(handlers: object, callerKeys: string[] = []): Promise<RpcFixture> {
    const stack = await TestStack.parts(['nats']);
    const connection = await connectNats(stack.urls.nats, 'test');
    const discovery = { getProviders: () => [{ instance: handlers }], getControllers: () => [] } as unknown as DiscoveryService;
    const config = { DEPLOYMENT: 'local', ROLES: ['service'], CALLER_PUBLIC_KEYS: callerKeys } as unknown as BaseConfig;
    const server = new RpcServer(connection, config, discovery, new MetadataScanner());
    await server.listen(() => undefined);
    return new RpcFixture(stack, connection, server);
  }

  async stop(): Promise<void> {
    await this.server.onModuleDestroy();
    await this.connection.close();
    await this.stack.stop();
  }
}
