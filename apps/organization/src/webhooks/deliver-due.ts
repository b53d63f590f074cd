import { Injectable } from '@nestjs/common';
import { webhookDelivery, type JobData } from '@classroom/contracts';
import { DueWorks, type DueWork } from '@classroom/messaging';
import {
  Clock,
  durationHistogram,
  failpoint,
  InBackground,
  inLinkedSpan,
  observedGauge,
  Outbound,
  readPeer,
  ShutdownDeadline,
  SpanKind,
} from '@classroom/platform';
import { DeliveriesRepository, DeliveryListRepository, type ClaimedDelivery } from './deliveries.repository.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { postWebhook, type WebhookAnswer } from './post-webhook.js';
import { DueSignal } from './publish-events.js';
import { MAX_ATTEMPTS, SettleAttempt } from './settle-attempt.js';
import { signatureHeaders, SigningSecrets } from './signing-secrets.js';

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
