import { Inject, Injectable } from '@nestjs/common';
import { metrics } from '@opentelemetry/api';
import { AppError } from '@classroom/contracts';
import { CONFIG } from '@classroom/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { whenDone } from './when-done.js';

const RETRY_AFTER_SECONDS = '5';

const open = metrics.getMeter('virtual-classroom').createUpDownCounter('classroom_gateway_event_streams', {
  description: 'Open streams of events',
});

/** Limits how many event streams a gateway keeps open: of one organization, so that others get theirs, and of all. */
@Injectable()
export class EventStreamLimit {
  private readonly counts = new Map<string, number>();
  private total = 0;

  constructor(@Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'EVENT_STREAMS' | 'ORGANIZATION_EVENT_STREAMS'>) {}

  /** Until the response has been sent or its connection has closed. @throws AppError RATE_LIMITED, SERVICE_UNAVAILABLE */
  take(organizationId: string, request: FastifyRequest, reply: FastifyReply): void {
    const count = this.counts.get(organizationId) ?? 0;
    if (count >= this.config.ORGANIZATION_EVENT_STREAMS) {
      reply.header('retry-after', RETRY_AFTER_SECONDS);
      throw new AppError('RATE_LIMITED', { message: 'Too many event streams are open' });
    }
    // Another gateway may have room.
    if (this.total >= this.config.EVENT_STREAMS) throw new AppError('SERVICE_UNAVAILABLE');
    this.counts.set(organizationId, count + 1);
    this.total += 1;
    open.add(1);
    whenDone(request, reply, () => this.release(organizationId));
  }

  private release(organizationId: string): void {
    this.total -= 1;
    open.add(-1);
    const left = (this.counts.get(organizationId) ?? 0) - 1;
    if (left > 0) this.counts.set(organizationId, left);
    else this.counts.delete(organizationId);
  }
}
