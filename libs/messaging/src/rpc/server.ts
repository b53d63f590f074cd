import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ServerNats } from '@nestjs/microservices';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { AppError } from '@classroom/contracts';
import { CONFIG, durationHistogram, extractTrace, inSpan, logger, SpanKind, type BaseConfig } from '@classroom/platform';
import { NATS } from '../tokens.js';
import { Batch } from './batch.js';
import { DEADLINE_HEADER } from './client.js';
import type { RpcReply } from './handler.js';

const duration = durationHistogram('rpc.server.duration', 'Calls answered, by subject and outcome');
const BAD_JSON = JSON.stringify({ error: { code: 'VALIDATION_FAILED', message: 'The message is not JSON' } });
const TOO_LARGE = JSON.stringify({ error: new AppError('RESPONSE_TOO_LARGE').toReply() });
/** Another machine's clock may differ from ours by this much before a request counts as expired. */
const SKEW_MS = 2_000;
/** UTF-8 bytes of one UTF-16 unit at most. */
const MOST_BYTES = 3;

/**
 * Nest's NATS transport with what it lacks: bad JSON is answered, errors keep their codes, the trace goes on, an expired
 * request has no effect, and a stop loses no request: unsubscribe, finish what came, then let the process go.
 */
@Injectable()
export class ContractServer extends ServerNats implements OnModuleDestroy {
  private readonly inFlight = new Set<Promise<void>>();
  private readonly taken: Subscription[] = [];
  private readonly replies = new Batch();

  constructor(
    @Inject(NATS) private readonly connection: NatsConnection,
    @Inject(CONFIG) private readonly config: BaseConfig,
  ) {
    super({});
  }

  override async listen(callback: (error?: unknown) => void): Promise<void> {
    if (this.config.ROLES.includes('service')) {
      for (const subject of this.messageHandlers.keys()) this.subscribe(subject);
      // Subscribed at the server, not just here, before we call ourselves ready.
      await this.connection.flush();
    }
    callback();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.taken.map((subscription) => subscription.drain().catch(() => undefined)));
    await Promise.all(this.inFlight);
    this.replies.flush();
  }

  /** The connection is the process's, not ours: it closes last. */
  override async close(): Promise<void> {}

  private subscribe(subject: string): void {
    const queue = subject.split('.')[1] ?? 'service';
    const subscription = this.connection.subscribe(subject, {
      queue,
      callback: (error, message) => {
        if (error) return logger.error({ err: error, subject }, 'subscription failed');
        const work = this.answer(subject, message);
        this.inFlight.add(work);
        void work.finally(() => this.inFlight.delete(work));
      },
    });
    this.taken.push(subscription);
  }

  /** Larger than a message may be: sent, it would be an error here and a timeout at the caller. */
  private isTooLarge(body: string): boolean {
    const limit = this.connection.info?.max_payload ?? Infinity;
    return body.length * MOST_BYTES > limit && Buffer.byteLength(body) > limit;
  }

  private reply(message: Msg, body: string): void {
    this.replies.add(() => {
      try {
        message.respond(body);
      } catch (error) {
        logger.error({ err: error, subject: message.subject }, 'a request could not be answered');
      }
    });
  }

  private async answer(subject: string, message: Msg): Promise<void> {
    const started = performance.now();
    const expiresAt = Number(message.headers?.get(DEADLINE_HEADER) || Infinity);
    const handler = this.messageHandlers.get(subject);
    const { mayRunLate = true } = (handler?.extras ?? {}) as { mayRunLate?: boolean };
    if (Date.now() > expiresAt + (mayRunLate ? SKEW_MS : 0)) return;
    let input: unknown;
    try {
      input = message.json();
    } catch {
      this.reply(message, BAD_JSON);
      return;
    }
    const traceparent = message.headers?.get('traceparent');
    const tracestate = message.headers?.get('tracestate');
    const parent = extractTrace({ ...(traceparent ? { traceparent } : {}), ...(tracestate ? { tracestate } : {}) });
    const options = { kind: SpanKind.SERVER, parent, attributes: { 'rpc.system': 'nats', 'rpc.method': subject } };
    await inSpan(subject, options, async (span) => {
      const reply = (await handler?.(input, undefined)) as RpcReply;
      const body = JSON.stringify(reply);
      const isTooLarge = this.isTooLarge(body);
      if (isTooLarge) logger.error({ subject, characters: body.length }, 'an answer is too large for a message');
      const outcome = isTooLarge ? 'RESPONSE_TOO_LARGE' : 'error' in reply ? reply.error.code : 'OK';
      if (outcome !== 'OK') span.setAttribute('error.type', outcome);
      this.reply(message, isTooLarge ? TOO_LARGE : body);
      duration.record((performance.now() - started) / 1000, { subject, outcome });
    }).catch((error: unknown) => logger.error({ err: error, subject }, 'a request could not be answered'));
  }
}
