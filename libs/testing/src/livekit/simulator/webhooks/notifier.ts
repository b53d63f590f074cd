import { Agent, request } from 'node:http';
import type { EventLog } from '../event-log.js';
import type { Faults } from '../faults.js';
import { toWebhookJson, type WebhookMessage } from '../messages.js';
import type { Pace } from '../pace.js';
import type { SeededRandom } from '../random.js';
import { signWebhook } from '../tokens.js';
import { type Answer, deliver } from './attempts.js';
import { type QueuedEvent, queueRules, ResourceQueue } from './resource-queue.js';

export interface WebhookCounts {
  queued: number;
  attempts: number;
  delivered: number;
  failed: number;
  droppedFull: number;
  droppedAge: number;
  lostByFault: number;
  duplicated: number;
  reordered: number;
}

export interface NotifierOptions {
  url: string;
  apiKey: string;
  apiSecret: string;
  pace: Pace;
  faults: Faults;
  random: SeededRandom;
  log: EventLog;
}

/** Sends signed webhooks to one url, with one queue per room (protocol/webhook/resource_url_notifier.go). */
export class WebhookNotifier {
  readonly counts: WebhookCounts = {
    queued: 0,
    attempts: 0,
    delivered: 0,
    failed: 0,
    droppedFull: 0,
    droppedAge: 0,
    lostByFault: 0,
    duplicated: 0,
    reordered: 0,
  };
  readonly #queues = new Map<string, ResourceQueue>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  /** One run of the sending process; what it had not delivered at its end is lost. */
  #life = { isOver: false };

  constructor(private readonly options: NotifierOptions) {}

  /** False if the room's queue is full; LiveKit then does not offer the event to the urls after this one. */
  notify(message: WebhookMessage): boolean {
    const key = message.room.name;
    const queue = this.#queues.get(key) ?? this.#open(key);
    const isQueued = queue.enqueue(message.id, JSON.stringify(toWebhookJson(message)));
    if (isQueued) this.counts.queued++;
    return isQueued;
  }

  /** The process ends: its queues and retries are lost, immediately or after `graceMs`. */
  forget(graceMs = 0): void {
    const life = this.#life;
    const queues = [...this.#queues.values()];
    this.#life = { isOver: false };
    this.#queues.clear();
    const end = () => {
      life.isOver = true;
      for (const queue of queues) queue.clear();
    };
    if (graceMs === 0) end();
    else setTimeout(end, graceMs).unref();
  }

  #open(key: string): ResourceQueue {
    const life = this.#life;
    const queue: ResourceQueue = new ResourceQueue(
      {
        post: (event) => this.#post(event, () => life.isOver),
        dropped: (event, reason) => {
          this.counts[reason === 'full' ? 'droppedFull' : 'droppedAge']++;
          this.options.log.write('webhook-dropped', { id: event.id, reason });
        },
        idle: () => {
          if (this.#queues.get(key) === queue) this.#queues.delete(key);
        },
      },
      this.options.pace.toReal(queueRules.maxAgeMs),
    );
    this.#queues.set(key, queue);
    return queue;
  }

  async #post(event: QueuedEvent, isAbandoned: () => boolean): Promise<void> {
    const { webhooks } = this.options.faults;
    const { random, log } = this.options;
    const { min, max } = webhooks.delayMs;
    if (max > 0) await sleep(random.between(min, max));
    if (webhooks.dropNext > 0 || random.happens(webhooks.lossRate)) {
      if (webhooks.dropNext > 0) webhooks.dropNext--;
      this.counts.lostByFault++;
      log.write('webhook-lost', { id: event.id });
      return;
    }
    if (random.happens(webhooks.reorderRate)) {
      this.counts.reordered++;
      void sleep(random.between(1, webhooks.reorderWithinMs)).then(() => this.#send(event, isAbandoned));
      return;
    }
    await this.#send(event, isAbandoned);
    if (random.happens(webhooks.duplicateRate)) {
      this.counts.duplicated++;
      await this.#send(event, isAbandoned);
    }
  }

  async #send(event: QueuedEvent, isAbandoned: () => boolean): Promise<void> {
    if (isAbandoned()) return;
    const { apiKey, apiSecret, pace, log } = this.options;
    const authorization = signWebhook(event.body, apiKey, apiSecret);
    const outcome = await deliver(
      () => this.#attempt(event.body, authorization),
      (ms) => pace.wait(ms),
      isAbandoned,
    );
    this.counts[outcome.isDelivered ? 'delivered' : 'failed']++;
    log.write('webhook', { id: event.id, ...outcome });
  }

  #attempt(body: string, authorization: string): Promise<Answer> {
    this.counts.attempts++;
    return new Promise((resolve) => {
      const headers = {
        authorization,
        'content-type': 'application/webhook+json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Go-http-client/1.1',
      };
      const outgoing = request(this.options.url, { method: 'POST', agent: this.#agent, headers }, (answer) => {
        answer.resume();
        const retryAfter = Number(answer.headers['retry-after'] ?? Number.NaN);
        resolve({
          status: answer.statusCode,
          retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
        });
      });
      // No timeout, because LiveKit's client has none: a receiver that hangs blocks its room's queue.
      outgoing.on('error', () => resolve({}));
      outgoing.end(body);
    });
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
