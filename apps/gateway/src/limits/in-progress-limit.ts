import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { metrics } from '@opentelemetry/api';
import { AppError, JSON_BODY_LIMIT } from '@classroom/contracts';
import { CONFIG } from '@classroom/platform';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { GatewayConfig } from '../config.js';

/** What is held for each key at the moment, such as requests or bytes, and for all of them. */
export class Held {
  private readonly amounts = new Map<string, number>();
  private sum = 0;

  /** What is held for all keys. */
  get total(): number {
    return this.sum;
  }

  /** Keys for which something is held. */
  get size(): number {
    return this.amounts.size;
  }

  of(key: string): number {
    return this.amounts.get(key) ?? 0;
  }

  /** @returns releases it, once however often it is called */
  take(key: string, amount = 1): () => void {
    this.add(key, amount);
    let isHeld = true;
    return () => {
      if (isHeld) this.add(key, -amount);
      isHeld = false;
    };
  }

  private add(key: string, change: number): void {
    this.sum += change;
    const left = this.of(key) + change;
    if (left > 0) this.amounts.set(key, left);
    else this.amounts.delete(key);
  }
}

/** Separates what is stored or counted for different callers. */
export function keyOf({ requestContext }: FastifyRequest): string {
  const { caller } = requestContext;
  if (caller.kind === 'organization') return caller.organization.organizationId;
  if (caller.kind === 'participant') return `${caller.participant.sid}/${caller.participant.uid}`;
  if (caller.kind === 'dashboard') return `${caller.organization.organizationId}/dashboard/${caller.subject}`;
  if (caller.kind === 'dispatch' && caller.operator.name !== 'dispatch') return `dispatch/${caller.operator.name}`;
  return caller.kind;
}

/** Calls `run` once: when the response has been sent or its connection has closed. */
export function whenDone({ raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply, run: () => void): void {
  // Its event was before.
  if (socket.destroyed) return run();
  const done = () => {
    response.off('finish', done);
    socket.off('close', done);
    run();
  };
  // A pipelined response that is not sent yet has no connection of its own to report that it closed.
  response.once('finish', done);
  socket.once('close', done);
}

/** A page has at most a few at once: the state of the class, what its user does, and one answer of the tutor. */
const MAX_OF_PERSON = 20;
const RETRY_REQUEST_S = '1';
const RETRY_STREAM_S = '5';

const openStreams = metrics.getMeter('virtual-classroom').createUpDownCounter('classroom_gateway_event_streams', {
  description: 'Open streams of events',
});

/**
 * Limits how many requests of one caller a gateway works on at the same time. The quotas count requests by their beginning; one that streams an
 * answer, or waits for a slow part, holds a connection and memory for minutes.
 */
@Injectable()
export class InProgressLimit {
  private readonly held = new Held();

  constructor(@Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'ORGANIZATION_REQUESTS_IN_PROGRESS'>) {}

  /** Until the response has been sent or its connection has closed. @throws AppError RATE_LIMITED */
  take(request: FastifyRequest, reply: FastifyReply): void {
    const limit = this.limitOf(request);
    if (limit === undefined) return;
    const key = keyOf(request);
    if (this.held.of(key) >= limit) {
      reply.header('retry-after', RETRY_REQUEST_S);
      throw new AppError('RATE_LIMITED', { message: 'Too many requests in progress' });
    }
    whenDone(request, reply, this.held.take(key));
  }

  /** Callers with a request in progress. */
  get size(): number {
    return this.held.size;
  }

  /** Undefined for operators, and for callers without a credential, whom their address limits. */
  private limitOf({ requestContext: { caller } }: FastifyRequest): number | undefined {
    if (caller.kind === 'participant') return MAX_OF_PERSON;
    return 'organization' in caller ? this.config.ORGANIZATION_REQUESTS_IN_PROGRESS : undefined;
  }
}

/** Limits how many event streams a gateway keeps open: of one organization, so that others get theirs, and of all. */
@Injectable()
export class EventStreamLimit {
  private readonly held = new Held();

  constructor(@Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'EVENT_STREAMS' | 'ORGANIZATION_EVENT_STREAMS'>) {}

  /** Until the response has been sent or its connection has closed. @throws AppError RATE_LIMITED, SERVICE_UNAVAILABLE */
  take(organizationId: string, request: FastifyRequest, reply: FastifyReply): void {
    if (this.held.of(organizationId) >= this.config.ORGANIZATION_EVENT_STREAMS) {
      reply.header('retry-after', RETRY_STREAM_S);
      throw new AppError('RATE_LIMITED', { message: 'Too many event streams are open' });
    }
    // Another gateway may have room.
    if (this.held.total >= this.config.EVENT_STREAMS) throw new AppError('SERVICE_UNAVAILABLE');
    const release = this.held.take(organizationId);
    openStreams.add(1);
    whenDone(request, reply, () => {
      release();
      openStreams.add(-1);
    });
  }
}

const MIB = 1024 ** 2;
const WINDOW_S = 60;
/** Bytes of large bodies that one caller may send to a gateway in a minute. Parsing them delays all other requests. */
const PER_MINUTE_BYTES = 256 * MIB;
/** Bytes of large bodies that a gateway holds at once: of one caller, and of all. Each takes several times its size while it is parsed. */
const OF_CALLER_BYTES = 32 * MIB;
const OF_ALL_BYTES = 96 * MIB;
const RETRY_AFTER_S = '1';

/**
 * Limits bodies of more than a MiB, before they are read: audio and images for a model. A body counts from its headers until its answer
 * begins. Each gateway counts for itself.
 */
@Injectable()
export class LargeBodies {
  private readonly perMinute = new RateLimiterMemory({ points: PER_MINUTE_BYTES, duration: WINDOW_S });
  private readonly held = new Held();
  private readonly releases = new WeakMap<FastifyRequest, () => void>();

  /** Synchronous for a small body. @throws AppError RATE_LIMITED */
  take(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const bytes = largeSizeOf(request);
    return bytes === 0 ? undefined : this.takeBytes(bytes, request, reply);
  }

  private async takeBytes(bytes: number, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const caller = keyOf(request);
    if (this.held.of(caller) + bytes > OF_CALLER_BYTES || this.held.total + bytes > OF_ALL_BYTES) throw refusal(reply);
    const release = this.held.take(caller, bytes);
    this.releases.set(request, release);
    reply.raw.once('close', release);
    await this.perMinute.consume(caller, bytes).catch(() => {
      release();
      throw refusal(reply);
    });
  }

  /** Called when the answer begins: the body was read. */
  release(request: FastifyRequest): void {
    this.releases.get(request)?.();
  }
}

/** The size of a body that is large and will be read, as its headers state it; 0 for any other. */
function largeSizeOf({ headers, requestContext }: FastifyRequest): number {
  const limit = requestContext.endpoint?.bodyLimit ?? 0;
  if (limit <= JSON_BODY_LIMIT) return 0;
  // Without a length, it may become as large as its endpoint allows.
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : limit;
  return length > JSON_BODY_LIMIT && length <= limit ? length : 0;
}

function refusal(reply: FastifyReply): AppError {
  reply.header('retry-after', RETRY_AFTER_S);
  return new AppError('RATE_LIMITED', { message: 'Too many large bodies at once or in this minute' });
}
