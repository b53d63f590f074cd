import type { HttpAdapterHost } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AllowedOrigins, MAX_LOOKUPS } from '@classroom/http';
import type { RpcClient } from '@classroom/messaging';
import type { GatewayConfig } from '../config.js';
import { ClassroomCors, Drain, keepBlankSegments } from './lifecycle.js';

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

const SCHOOL = 'https://school.example';

function corsOf() {
  const asked: string[] = [];
  const call = async (_: unknown, { host }: { host: string }) => {
    asked.push(host);
    return { isVerified: `https://${host}` === SCHOOL };
  };
  const cors = new ClassroomCors(new AllowedOrigins({}, { call } as unknown as RpcClient));
  const allowed = async (origin: string, ip = '203.0.113.7') => {
    const headers: Record<string, string> = {};
    const reply = { header: (name: string, value: string) => (headers[name] = value) } as unknown as FastifyReply;
    await cors.answer({ url: '/v1/classroom/hand', method: 'POST', headers: { origin }, ip } as FastifyRequest, reply);
    return headers['access-control-allow-origin'];
  };
  return { asked, allowed };
}

describe('an origin', () => {
  it('that is verified may call, and another may not', async () => {
    const { allowed } = corsOf();
    expect([await allowed(SCHOOL), await allowed('https://other.example')]).toEqual([SCHOOL, undefined]);
  });

  it('that calls too often from one address is looked up for others', async () => {
    const { asked, allowed } = corsOf();
    for (let index = 0; index < MAX_LOOKUPS + 5; index++) await allowed(`https://x${index}.example`);
    expect(asked).toHaveLength(MAX_LOOKUPS);
    expect(await allowed(SCHOOL, '203.0.113.8')).toBe(SCHOOL);
  });
});

describe('keepBlankSegments', () => {
  it.each([
    ['/v1/room//status', '/v1/room/%20/status'],
    ['/v1/room//status?a=//b', '/v1/room/%20/status?a=//b'],
    ['/v1/room/', '/v1/room/%20'],
    ['/v1/room', '/v1/room/%20'],
    ['/v1/room/x/status', '/v1/room/x/status'],
    ['/r//x', '/r//x'],
  ])('%s becomes %s', (url, kept) => expect(keepBlankSegments(url)).toBe(kept));
});
