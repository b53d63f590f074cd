import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { agentChat, AppError, createRoom, type EndpointContract } from '@classroom/contracts';
import type { Caller } from '../http/endpoint.js';
import { Held, InProgressLimit, LargeBodies } from './in-progress-limit.js';

const organization = (organizationId: string) => ({ kind: 'organization', organization: { organizationId } }) as Caller;
const participant = (uid: string) => ({ kind: 'participant', participant: { sid: 'RM_1', uid } }) as Caller;

describe('requests in progress', () => {
  const headers: Record<string, string> = {};

  const begin = (limit: InProgressLimit, caller: Caller, socket = new EventEmitter()) => {
    const response = new EventEmitter();
    const request = { requestContext: { caller }, raw: { socket } } as unknown as FastifyRequest;
    const reply = { raw: response, header: (name: string, value: string) => (headers[name] = value) } as unknown as FastifyReply;
    limit.take(request, reply);
    return { end: () => response.emit('finish'), disconnect: () => socket.emit('close'), listeners: () => socket.listenerCount('close') };
  };
  const newLimit = () => new InProgressLimit({ ORGANIZATION_REQUESTS_IN_PROGRESS: 2 });
  const refused = expect.objectContaining({ code: 'RATE_LIMITED', message: 'Too many requests in progress' });

  it('are limited for each organization, until one ends or its connection closes', () => {
    const limit = newLimit();
    const school = organization('school');
    const [first, second] = [begin(limit, school), begin(limit, school)];
    expect(() => begin(limit, school)).toThrow(refused);
    expect(headers).toEqual({ 'retry-after': '1' });
    begin(limit, organization('neighbour'));
    first.end();
    begin(limit, school);
    expect(() => begin(limit, school)).toThrow(refused);
    second.disconnect();
    begin(limit, school);
  });

  it('are limited for each person', () => {
    const limit = newLimit();
    for (let count = 0; count < 20; count++) begin(limit, participant('ann'));
    expect(() => begin(limit, participant('ann'))).toThrow(refused);
    begin(limit, participant('ben'));
  });

  it('are not limited for operators', () => {
    const limit = newLimit();
    for (let count = 0; count < 50; count++) begin(limit, { kind: 'dispatch', operator: { name: 'dispatch', role: 'admin' } });
    expect(limit.size).toBe(0);
  });

  it('count once, whether they end, disconnect or both, and leave nothing', () => {
    const limit = newLimit();
    const socket = new EventEmitter();
    const both = begin(limit, organization('school'), socket);
    const pipelined = begin(limit, organization('school'), socket);
    both.end();
    both.disconnect();
    expect(limit.size).toBe(0);
    pipelined.end();
    begin(limit, organization('school')).end();
    expect([limit.size, pipelined.listeners()]).toEqual([0, 0]);
  });
});

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

describe('what is held', () => {
  it('counts for its key and for all, until it is released, and leaves nothing', () => {
    const held = new Held();
    const release = held.take('a', 5);
    const others = [held.take('a'), held.take('b', 2)];
    expect([held.of('a'), held.of('b'), held.of('c'), held.total, held.size]).toEqual([6, 2, 0, 8, 2]);
    for (let times = 0; times < 2; times++) release();
    expect([held.of('a'), held.total]).toEqual([1, 3]);
    for (const one of others) one();
    expect([held.total, held.size]).toEqual([0, 0]);
  });
});
