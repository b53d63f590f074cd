import type { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { Drain } from './lifecycle.js';

describe('a shutdown', () => {
  it('asks the clients of all further answers to connect elsewhere', async () => {
    const server = { closeIdleConnections: () => undefined };
    const drain = new Drain(
      { SHUTDOWN_DELAY_SECONDS: 0 } as GatewayConfig,
      { httpAdapter: { getHttpServer: () => server } } as unknown as HttpAdapterHost,
    );
    const answer = () => {
      const headers: Record<string, string> = {};
      drain.closeConnectionIfDraining({ header: (name: string, value: string) => (headers[name] = value) } as unknown as FastifyReply);
      return headers;
    };
    expect(answer()).toEqual({});
    const drained = drain.onModuleDestroy();
    expect(answer()).toEqual({ connection: 'close' });
    await drained;
  });
});
