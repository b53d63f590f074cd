import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../http/request-context.js';
import { InProgressLimit } from './in-progress-limit.js';

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
