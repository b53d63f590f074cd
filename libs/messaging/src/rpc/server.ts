import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import {
  AppError,
  validationError,
  replyErrorsOf,
  type ErrorReply,
  type RpcContract,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import {
  CONFIG,
  durationHistogram,
  extractTrace,
  inOrganization,
  inSpan,
  logger,
  observedGauge,
  SpanKind,
  within,
  type BaseConfig,
} from '@classroom/platform';
import { markedMethods, handledBy } from './handles.js';
import { NATS } from '../connection.js';
import { Batch } from './inbox.js';
import { AUDIT_HEADER, DEADLINE_HEADER } from './client.js';
import { CALLER_HEADER, CallerVerifier } from './signed-caller.js';

const duration = durationHistogram('rpc.server.duration', 'Calls answered, by subject and outcome');
const TOO_LARGE = JSON.stringify({ error: new AppError('RESPONSE_TOO_LARGE').toReply() });
/** Allowed clock difference between machines, in milliseconds, before a request counts as expired. */
const SKEW_MS = 2_000;
/** Maximum UTF-8 bytes of one UTF-16 unit. */
const MOST_BYTES = 3;

/** The reply that is sent over NATS. */
type RpcReply = { data: unknown } | { error: ErrorReply };
type Handle = (input: unknown) => Promise<unknown>;

export interface ServeOptions {
  /** Default: the contract's subject. Otherwise one that was derived from it. */
  subject?: string;
  /** Default: the service's name. Null if every subscriber has to receive each request. */
  queue?: string | null;
}

/**
 * Nest transport for contracts over NATS. It serves every method marked with `@Handles`, in any module. Malformed JSON gets an
 * answer, errors keep their codes, the trace continues, and an expired request has no effect. A stop loses no request: the server
 * unsubscribes, finishes the requests that it received, then lets the process end.
 */
@Injectable()
export class RpcServer extends Server implements CustomTransportStrategy, OnModuleDestroy {
  private readonly inFlight = new Set<Promise<void>>();
  private readonly own: Subscription[] = [];
  private readonly replies = new Batch();
  private readonly callers: CallerVerifier;

  constructor(
    @Inject(NATS) private readonly connection: NatsConnection,
    @Inject(CONFIG) private readonly config: BaseConfig,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {
    super();
    this.callers = new CallerVerifier(config.CALLER_PUBLIC_KEYS);
  }

  async listen(callback: (error?: unknown) => void): Promise<void> {
    if (this.config.ROLES.includes('service')) {
      this.reportUnverified();
      for (const [contract, handle] of this.discovered()) this.own.push(this.serve(contract, handle));
      // Ensures that the server has processed the subscriptions before this process reports itself ready.
      await this.connection.flush();
    }
    callback();
  }

  /** Serves a contract until the caller drains the subscription. */
  serve<C extends RpcContract>(
    contract: C,
    handle: (input: RpcInput<C>) => Promise<RpcOutput<C>>,
    options: ServeOptions = {},
  ): Subscription {
    const { subject = contract.subject, queue = contract.service } = options;
    return this.connection.subscribe(subject, {
      ...(queue === null ? {} : { queue }),
      callback: (error, message) => {
        if (error) return logger.error({ err: error, subject }, 'subscription failed');
        const work = this.answer(contract, handle as Handle, message);
        this.inFlight.add(work);
        void work.finally(() => this.inFlight.delete(work));
      },
    });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.own.map(drained));
    await Promise.all(this.inFlight);
    this.replies.flush();
  }

  /** The connection belongs to the process, which closes it last. */
  close(): void {}

  on(): void {}

  unwrap(): never {
    throw new Error('the connection is injected as NATS');
  }

  /** Where calls are answered without proof of who caused them, the log and a metric say so. On a developer's machine nothing does. */
  private reportUnverified(): void {
    const isOpen = this.config.CALLER_PUBLIC_KEYS.length === 0 && this.config.DEPLOYMENT !== 'local';
    const description = 'Whether this process answers calls without a signed statement of who caused them';
    observedGauge('classroom_unverified_callers', description, () => [{ value: Number(isOpen) }]);
    if (isOpen) logger.error('CALLER_PUBLIC_KEYS is not set: every call that NATS lets through is answered');
  }

  /** @throws if two methods answer the same subject */
  private discovered(): Map<RpcContract, Handle> {
    const found = new Map<RpcContract, Handle>();
    const subjects = new Set<string>();
    for (const { mark: contract, method } of markedMethods(this.discovery, this.scanner, handledBy)) {
      if (subjects.has(contract.subject)) throw new Error(`two methods handle ${contract.subject}`);
      subjects.add(contract.subject);
      found.set(contract, method as Handle);
    }
    return found;
  }

  private async answer(contract: RpcContract, handle: Handle, message: Msg): Promise<void> {
    const { subject } = contract;
    const started = performance.now();
    const expiresAt = Number(message.headers?.get(DEADLINE_HEADER) || Infinity);
    if (Date.now() > expiresAt + (contract.mayRunLate ? SKEW_MS : 0)) return;
    const traceparent = message.headers?.get('traceparent');
    const tracestate = message.headers?.get('tracestate');
    const parent = extractTrace({ ...(traceparent ? { traceparent } : {}), ...(tracestate ? { tracestate } : {}) });
    const options = { kind: SpanKind.SERVER, parent, attributes: { 'rpc.system': 'nats', 'rpc.method': subject } };
    await inSpan(subject, options, async (span) => {
      const reply = await this.replyOf(contract, handle, message);
      const body = JSON.stringify(reply);
      const isTooLarge = this.isTooLarge(body);
      if (isTooLarge) logger.error({ subject, characters: body.length }, 'response too large for a message');
      const outcome = isTooLarge ? 'RESPONSE_TOO_LARGE' : 'error' in reply ? reply.error.code : 'OK';
      if (outcome !== 'OK') span.setAttribute('error.type', outcome);
      this.reply(message, isTooLarge ? TOO_LARGE : body);
      duration.record((performance.now() - started) / 1000, { subject, outcome });
    }).catch((error: unknown) => logger.error({ err: error, subject }, 'request failed'));
  }

  private async replyOf(contract: RpcContract, handle: Handle, message: Msg): Promise<RpcReply> {
    try {
      const parsed = contract.input.safeParse(read(message));
      if (!parsed.success) throw validationError(parsed.error);
      const organizationId = organizationOf(parsed.data);
      const caller = message.headers?.get(CALLER_HEADER) || undefined;
      const problem = this.callers.problemOf(contract, organizationId, caller);
      if (problem !== undefined) return refuse(contract, problem);
      const auditId = message.headers?.get(AUDIT_HEADER) || undefined;
      return { data: await inOrganization(organizationId, () => handle(parsed.data), constant(caller), constant(auditId)) };
    } catch (error) {
      return { error: toReply(error, contract) };
    }
  }

  /** Whether the reply is larger than a message may be. Sending it would fail here and time out at the caller. */
  private isTooLarge(body: string): boolean {
    const limit = this.connection.info?.max_payload ?? Infinity;
    return body.length * MOST_BYTES > limit && Buffer.byteLength(body) > limit;
  }

  private reply(message: Msg, body: string): void {
    this.replies.add(() => {
      try {
        message.respond(body);
      } catch (error) {
        logger.error({ err: error, subject: message.subject }, 'request failed');
      }
    });
  }
}

/** The gateway has refused such a request before it called. So the deployment is at fault (another key), or an attacker. */
function refuse({ subject }: RpcContract, problem: string): RpcReply {
  logger.error({ subject, problem }, 'refused a call: the gateway has not signed that its caller may make it');
  return { error: new AppError('SERVICE_UNAVAILABLE').toReply() };
}

/** The organization that a request is for: its own field, or that of the participant who called. */
function organizationOf(input: unknown): string | undefined {
  const { organizationId, caller } = input as { organizationId?: string; caller?: { organizationId?: string } };
  return organizationId ?? caller?.organizationId;
}

const constant = (value: string | undefined) => (value === undefined ? undefined : () => value);

function read(message: Msg): unknown {
  try {
    return message.json();
  } catch {
    throw new AppError('VALIDATION_FAILED', { message: 'The message is not JSON' });
  }
}

/** The reply for a failure: a declared error is returned unchanged; any other is logged once and answered as INTERNAL_ERROR. */
function toReply(error: unknown, contract: RpcContract): ErrorReply {
  const { subject } = contract;
  if (error instanceof AppError) {
    if (error.kind === 'unavailable') logger.warn({ err: error, subject }, 'dependency unreachable');
    if (error.kind !== 'internal' && replyErrorsOf(contract).has(error.code)) return error.toReply();
  }
  logger.error({ err: error, subject }, error instanceof AppError && error.kind !== 'internal' ? 'undeclared error' : 'unknown failure');
  return new AppError('INTERNAL_ERROR').toReply();
}

/** Milliseconds. A reachable server answers immediately. */
const DRAIN_MS = 5_000;

/** Drains a subscription or a connection. While NATS is unreachable, nats.js itself would wait for it without a limit. */
export const drained = (part: { drain(): Promise<void> }): Promise<void> => within(DRAIN_MS, part.drain()).catch(() => undefined);

/** Leaves room for the envelope in a message of 512 KiB. */
const BYTES = 400 * 1024;

/** The first of the items, as many as fit into one message. */
export function fitMessage<T>(items: readonly T[], bytes = BYTES): T[] {
  let left = bytes;
  const tooMany = items.findIndex((item) => (left -= Buffer.byteLength(JSON.stringify(item)) + 1) < 0);
  return tooMany < 0 ? [...items] : items.slice(0, tooMany);
}
