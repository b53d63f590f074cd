import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@classroom/persistence';
import {
  Clock,
  currentTraceparent,
  durationHistogram,
  failpoint,
  InBackground,
  inLinkedSpan,
  logger,
  observedGauge,
  Outbound,
  readPeer,
  ShutdownDeadline,
  SpanKind,
} from '@classroom/platform';
import { webhookDelivery, type JobData } from '@classroom/contracts';
import { DueWorks, type DueWork } from '@classroom/messaging';
import type { WebhookEndpointEntity } from '../schema/webhook-endpoint.entity.js';
import { DeliveriesRepository, DeliveryListRepository, type ClaimedDelivery, type Outcome } from './deliveries.repository.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { postWebhook, signatureHeaders, SigningSecrets, type WebhookAnswer } from './post-webhook.js';
import { DueSignal, PublicEventPublisher } from './publish-events.js';

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

/** Attempts in parallel for one endpoint. */
const CONCURRENCY_PER_ENDPOINT = 4;
/** Milliseconds after which an endpoint's turn ends, so that another endpoint can have one. */
const TURN_MS = 20_000;
/** Milliseconds that an endpoint may take to answer, as docs/guides/webhooks.md promises. */
const TIMEOUT_MS = 15_000;
/** With time to prepare the attempt, read the answer's body and write the outcome. */
const LEASE_MS = TIMEOUT_MS + 10_000;
/** Attempts that a process may leave without an outcome, because it died, before the delivery is given up. */
const MAX_INTERRUPTED = 5;

const duration = durationHistogram('webhook.delivery.duration', 'Attempts to deliver a webhook, by outcome');

/**
 * Sends the due deliveries of one endpoint, each at least once: if a process dies after it sent a webhook and before it wrote
 * the outcome, the webhook is sent again.
 */
@Injectable()
export class DeliverDue {
  constructor(
    private readonly outbound: Outbound,
    private readonly deliveries: DeliveriesRepository,
    private readonly secrets: SigningSecrets,
    private readonly settleAttempt: SettleAttempt,
    private readonly clock: Clock,
    private readonly grace: ShutdownDeadline,
  ) {}

  async execute(endpointId: string): Promise<void> {
    const until = performance.now() + TURN_MS;
    await Promise.all(Array.from({ length: CONCURRENCY_PER_ENDPOINT }, () => this.deliverUntil(endpointId, until)));
  }

  private async deliverUntil(endpointId: string, until: number): Promise<void> {
    while (!this.grace.hasBegun && performance.now() < until) {
      const claimed = await this.deliveries.claim(endpointId, this.clock.now(), this.clock.wall(), LEASE_MS);
      if (!claimed) return;
      await this.attempt(claimed);
    }
  }

  private attempt(claimed: ClaimedDelivery): Promise<void> {
    const attributes = {
      'http.request.method': 'POST',
      ...readPeer(claimed.url),
      'webhook.endpoint.id': claimed.endpointId,
      'webhook.event.id': claimed.eventId,
      'http.request.resend_count': claimed.attempts - 1,
    };
    return inLinkedSpan('deliver webhook', { since: claimed.trace, kind: SpanKind.CLIENT, attributes }, async (span) => {
      await failpoint('organization.webhooks.after-claim');
      const startedAt = this.clock.wall();
      const started = performance.now();
      const answer = await this.send(claimed, startedAt);
      const durationMs = Math.round(performance.now() - started);
      await failpoint('organization.webhooks.after-send');
      if (answer.statusCode !== null) span.setAttribute('http.response.status_code', answer.statusCode);
      if (answer.error !== null) span.setAttribute('error.type', answer.error);
      duration.record(durationMs / 1000, { outcome: answer.error ?? 'delivered' });
      await this.settleAttempt.execute({ claimed, answer, startedAt, durationMs });
    });
  }

  private async send(claimed: ClaimedDelivery, at: Date): Promise<WebhookAnswer> {
    // Gives up without sending: these attempts may be what kills the process.
    if (claimed.attempts > MAX_ATTEMPTS + MAX_INTERRUPTED)
      return { statusCode: null, error: 'connection', retryAfterMs: null, responseBody: null };
    const { endpointId, eventId: id, payload: body, url } = claimed;
    const secrets = this.secretsOf(claimed).map((sealed) => this.secrets.open(endpointId, sealed));
    const headers = signatureHeaders(secrets, { id, at, body });
    return postWebhook({ outbound: this.outbound, url, headers, body, timeoutMs: TIMEOUT_MS });
  }

  private secretsOf({ secret, previousSecret, previousSecretUntil }: ClaimedDelivery): string[] {
    const isBothSign = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > this.clock.now();
    return isBothSign ? [secret, previousSecret] : [secret];
  }
}

const BATCH = 10_000;
/** Endpoints to which one process sends in parallel. */
const PARALLEL = 32;

/** Finds the endpoints that have due deliveries. They are served in parallel: a slow one occupies one slot, not the queue. */
@Injectable()
export class DueDeliveries {
  @InBackground() private readonly work: DueWork<JobData<typeof webhookDelivery>>;

  constructor(
    dueWorks: DueWorks,
    dueSignal: DueSignal,
    endpoints: EndpointsRepository,
    deliveries: DeliveryListRepository,
    deliverDue: DeliverDue,
    clock: Clock,
  ) {
    this.work = dueWorks.declareQueued(webhookDelivery, {
      find: async (now, limit) => {
        const due = await endpoints.findWithDue(now, clock.wall());
        return due.slice(0, limit).map((endpointId) => ({ endpointId }));
      },
      run: ({ endpointId }) => deliverDue.execute(endpointId),
      parallel: PARALLEL,
      batch: BATCH,
      dueSince: async () => (await deliveries.summarizePending()).oldestDue,
    });
    dueSignal.onWake(() => this.work.wake());
  }
}

@Injectable()
export class WebhookGauges {
  constructor(deliveries: DeliveryListRepository) {
    observedGauge('classroom_webhook_pending_deliveries', 'Webhooks that wait for their first or another attempt', async () => [
      { value: (await deliveries.summarizePending()).count },
    ]);
  }
}
