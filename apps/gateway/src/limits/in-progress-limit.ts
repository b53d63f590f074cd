import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@classroom/contracts';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { keyOf } from './caller-key.js';
import { whenDone } from './when-done.js';

/** A page has at most a few at once: the state of the class, what its user does, and one answer of the tutor. */
const MAX_OF_PERSON = 20;
const RETRY_AFTER_SECONDS = '1';

/**
 * Limits how many requests of one caller a gateway works on at the same time. The quotas count requests by their beginning; one that streams an
 * answer, or waits for a slow part, holds a connection and memory for minutes.
 */
@Injectable()
export class InProgressLimit {
  private readonly counts = new Map<string, number>();

  constructor(@Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'ORGANIZATION_REQUESTS_IN_PROGRESS'>) {}

  /** Until the response has been sent or its connection has closed. @throws AppError RATE_LIMITED */
  take(request: FastifyRequest, reply: FastifyReply): void {
    const limit = this.limitOf(request);
    if (limit === undefined) return;
    const key = keyOf(request);
    const count = this.counts.get(key) ?? 0;
    if (count >= limit) {
      reply.header('retry-after', RETRY_AFTER_SECONDS);
      throw new AppError('RATE_LIMITED', { message: 'Too many requests in progress' });
    }
    this.counts.set(key, count + 1);
    whenDone(request, reply, () => this.release(key));
  }

  /** Callers with a request in progress. */
  get size(): number {
    return this.counts.size;
  }

  /** Undefined for operators, and for callers without a credential, whom their address limits. */
  private limitOf({ requestContext: { caller } }: FastifyRequest): number | undefined {
    if (caller.kind === 'participant') return MAX_OF_PERSON;
    return 'organization' in caller ? this.config.ORGANIZATION_REQUESTS_IN_PROGRESS : undefined;
  }

  private release(key: string): void {
    const left = (this.counts.get(key) ?? 0) - 1;
    if (left > 0) this.counts.set(key, left);
    else this.counts.delete(key);
  }
}
