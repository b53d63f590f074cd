import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, currentTraceparent, failpoint, logger } from '@classroom/platform';
import type { WebhookEndpointEntity } from '../schema/webhook-endpoint.entity.js';
import { DeliveriesRepository, type ClaimedDelivery, type Outcome } from './deliveries.repository.js';
import { EndpointsRepository } from './endpoints.repository.js';
import type { WebhookAnswer } from './post-webhook.js';
import { PublicEventPublisher } from './publish-events.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds between attempts: after the first, the second and so on. In total almost 24 hours. */
const DELAYS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 8 * HOUR];
/** Each delay varies by up to this share, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
export const MAX_ATTEMPTS = DELAYS_MS.length + 1;

/**
 * Milliseconds until the next attempt; null if `attempts` was the last one.
 * @param retryAfterMs the least that the endpoint asked for; null if it did not ask
 * @param chance from 0 to 1
 */
export function retryDelayMs(attempts: number, retryAfterMs: number | null, chance = Math.random()): number | null {
  const delayMs = DELAYS_MS[attempts - 1];
  if (delayMs === undefined) return null;
  const jittered = Math.round(delayMs * (1 + JITTER * (2 * chance - 1)));
  return Math.max(jittered, retryAfterMs ?? 0);
}

const DAY_MS = 24 * HOUR;
const GIVE_UP_AFTER_MS = 5 * DAY_MS;
/** After this time without an attempt, a failure says nothing about the time before. It is longer than any delay, `Retry-After` included. */
const SILENCE_MS = 2 * DAY_MS;
const GONE = 410;

export interface Attempt {
  claimed: ClaimedDelivery;
  answer: WebhookAnswer;
  /** Real time, not the domain clock. */
  startedAt: Date;
  durationMs: number;
}

/** Writes the outcome of an attempt, and what follows from it for the delivery and its endpoint. */
@Injectable()
export class SettleAttempt {
  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly publisher: PublicEventPublisher,
    private readonly clock: Clock,
  ) {}

  async execute(attempt: Attempt): Promise<void> {
    await this.database.transaction(async (tx) => {
      const endpoint = await this.endpoints.lock(tx, attempt.claimed.endpointId);
      if (!endpoint || !(await this.deliveries.settle(tx, attempt.claimed, this.outcomeOf(attempt)))) return;
      if (attempt.answer.error === null) await this.recordSuccess(tx, endpoint);
      else await this.recordFailure(tx, endpoint, attempt);
      await failpoint('organization.webhooks.before-commit');
    });
    await failpoint('organization.webhooks.after-commit');
  }

  private outcomeOf({ claimed, answer, startedAt, durationMs }: Attempt): Outcome {
    const { statusCode, error, responseBody } = answer;
    const response = { attemptedAt: startedAt, statusCode, error, durationMs, responseBody };
    if (error === null) return { ...response, status: 'delivered', dueAt: null };
    const delayMs = statusCode === GONE ? null : retryDelayMs(claimed.attempts, answer.retryAfterMs);
    if (delayMs === null) return { ...response, status: 'failed', dueAt: null };
    return { ...response, status: 'pending', dueAt: new Date(this.clock.now().getTime() + delayMs) };
  }

  private async recordSuccess(tx: Transaction, endpoint: WebhookEndpointEntity): Promise<void> {
    if (endpoint.failingSince === null) return;
    await this.endpoints.save(tx, { ...endpoint, failingSince: null });
  }

  private async recordFailure(
    tx: Transaction,
    endpoint: WebhookEndpointEntity,
    { claimed, answer: { statusCode, retryAfterMs } }: Attempt,
  ): Promise<void> {
    const now = this.clock.now();
    // A retry that is late, because we were down, belongs to the attempt before.
    const isAfterSilence = claimed.attempts === 1 && now.getTime() - (endpoint.lastFailedAt ?? now).getTime() > SILENCE_MS;
    const failingSince = isAfterSilence ? now : (endpoint.failingSince ?? now);
    // The endpoint's Retry-After applies to everything that is sent to it, not only to this delivery.
    const heldUntil = retryAfterMs === null ? endpoint.heldUntil : new Date(now.getTime() + retryAfterMs);
    const failing = { ...endpoint, failingSince, lastFailedAt: now, heldUntil };
    const isFailing = now.getTime() - failingSince.getTime() >= GIVE_UP_AFTER_MS;
    if (!endpoint.isEnabled || (statusCode !== GONE && !isFailing)) return this.endpoints.save(tx, failing);
    await this.disable(tx, failing, statusCode === GONE ? 'gone' : 'failing', now);
  }

  private async disable(tx: Transaction, endpoint: WebhookEndpointEntity, reason: 'gone' | 'failing', now: Date): Promise<void> {
    const { endpointId, organizationId } = endpoint;
    await this.endpoints.save(tx, { ...endpoint, isEnabled: false, disabledReason: reason, disabledAt: now });
    const data = { endpointId, reason, disabledAt: now.toISOString() };
    const occurred = this.clock.wall();
    await this.publisher.publish(tx, [
      { organizationId, type: 'webhook.endpoint_disabled', data, occurred, traceparent: currentTraceparent() },
    ]);
    logger.info({ endpointId, reason }, 'webhook endpoint disabled');
  }
}
