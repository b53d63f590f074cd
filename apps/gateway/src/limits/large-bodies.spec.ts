import { EventEmitter } from 'node:events';
import { agentChat, AppError, createRoom, type EndpointContract } from '@classroom/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LargeBodies } from './large-bodies.js';

const MIB = 1024 ** 2;

describe('a large body', () => {
  let bodies: LargeBodies;
  beforeEach(() => (bodies = new LargeBodies()));

  interface Sent {
    by?: string;
    endpoint?: EndpointContract;
    headers?: Record<string, string>;
  }

  /** Sends the headers of a request. @returns `read` or `refused`, and how its answer begins and its connection ends */
  async function send(mib: number, { by = 'school', endpoint = agentChat, headers }: Sent = {}) {
    const caller = { kind: 'organization', organization: { organizationId: by } };
    const request = {
      headers: headers ?? { 'content-length': String(mib * MIB) },
      requestContext: { endpoint, caller },
    } as unknown as FastifyRequest;
    const raw = new EventEmitter();
    const header = jest.fn();
    try {
      await bodies.take(request, { raw, header } as unknown as FastifyReply);
      return { outcome: 'read', answer: () => bodies.release(request), close: () => raw.emit('close') };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'RATE_LIMITED') throw error;
      expect(header).toHaveBeenCalledWith('retry-after', '1');
      return { outcome: 'refused', answer: () => undefined, close: () => undefined };
    }
  }
  const outcomeOf = async (...given: Parameters<typeof send>) => (await send(...given)).outcome;

  it('is refused while the gateway holds 32 MiB of the same caller, until an answer begins or a connection ends', async () => {
    const first = await send(20);
    expect(await outcomeOf(13)).toBe('refused');
    const second = await send(12);
    expect([second.outcome, await outcomeOf(2)]).toEqual(['read', 'refused']);
    second.answer();
    // The connection ends after the answer: the body counts once.
    second.close();
    expect([await outcomeOf(13), await outcomeOf(12)]).toEqual(['refused', 'read']);
    first.close();
    expect(await outcomeOf(20)).toBe('read');
  });

  it('is refused while the gateway holds 96 MiB of all callers', async () => {
    for (const by of ['a', 'b', 'c']) expect(await outcomeOf(30, { by })).toBe('read');
    expect([await outcomeOf(7, { by: 'd' }), await outcomeOf(6, { by: 'd' })]).toEqual(['refused', 'read']);
  });

  it('is refused after 256 MiB of its caller in a minute, and not for another caller', async () => {
    for (let n = 0; n < 8; n += 1) {
      const sent = await send(32);
      expect(sent.outcome).toBe('read');
      sent.answer();
    }
    expect([await outcomeOf(2), await outcomeOf(2, { by: 'other' })]).toEqual(['refused', 'read']);
    // A refused body is not held.
    for (let n = 0; n < 20; n += 1) await send(32);
    expect([await outcomeOf(32, { by: 'b' }), await outcomeOf(32, { by: 'c' })]).toEqual(['read', 'read']);
  });

  it('counts as the largest that is allowed if its size is not stated', async () => {
    const headers = { 'transfer-encoding': 'chunked' };
    expect([await outcomeOf(0, { headers }), await outcomeOf(2)]).toEqual(['read', 'refused']);
  });

  it('is not a small one, nor one that is refused for its size', async () => {
    expect(await outcomeOf(32)).toBe('read');
    expect([await outcomeOf(1), await outcomeOf(33), await outcomeOf(0, { headers: {} })]).toEqual(['read', 'read', 'read']);
    expect(await outcomeOf(0, { endpoint: createRoom, headers: { 'transfer-encoding': 'chunked' } })).toBe('read');
  });
});
