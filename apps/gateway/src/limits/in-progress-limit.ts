import { Inject, Injectable } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';
import { AppError } from '@classroom/contracts';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { Held, keyOf, whenDone } from './held.js';

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
