import { Inject, Injectable } from '@nestjs/common';
import { context, type Attributes } from '@opentelemetry/api';
import { errors, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { AppError, type ErrorReply, type RpcContract, type RpcOutput, type RpcRequest } from '@classroom/contracts';
import { durationHistogram, injectTrace, inSpan, peerOf, SpanKind } from '@classroom/platform';
import { NATS } from '../tokens.js';
import { Inbox, NobodyListens } from './inbox.js';

const duration = durationHistogram('rpc.client.duration', 'Calls to another service, by subject and outcome');
/** Nobody listens while a service restarts: asking again is safe, for the request reached no one. */
const NO_RESPONDER_PAUSE_MS = 40;
export const DEADLINE_HEADER = 'deadline';

type Reply<T> = { data: T } | { error: ErrorReply };

/** Calls other services by contract. Every call ends within its timeout, in data or in a declared error. */
@Injectable()
export class RpcClient {
  /** Settled while the connection is up. nats.js drops what is sent while it is not, so nothing is sent then. */
  private up: Promise<void> = Promise.resolve();
  private isDown = false;
  private readonly inbox: Inbox;
  private peer: Attributes;

  constructor(@Inject(NATS) private readonly connection: NatsConnection) {
    this.inbox = new Inbox(connection);
    this.peer = peerOf(connection.getServer());
    void this.followConnection();
  }

  /**
   * @throws AppError with the callee's code; SERVICE_UNAVAILABLE where nobody answered in `timeoutMs` (milliseconds, the
   * contract's own unless given).
   */
  call<C extends RpcContract>(contract: C, input: RpcRequest<C>, timeoutMs = contract.timeoutMs): Promise<RpcOutput<C>> {
    const started = performance.now();
    const { subject } = contract;
    const method = methodOf(subject);
    const options = { kind: SpanKind.CLIENT, attributes: { 'rpc.system': 'nats', 'rpc.method': method, ...this.peer } };
    return inSpan(method, options, async () => {
      let outcome = 'OK';
      try {
        const message = await this.request(contract, JSON.stringify(input), timeoutMs);
        const reply = message.json<Reply<RpcOutput<C>>>();
        if ('error' in reply) throw AppError.fromReply(reply.error);
        return reply.data;
      } catch (error) {
        const known =
          error instanceof AppError
            ? error
            : new AppError(isTooLarge(error) ? 'PAYLOAD_TOO_LARGE' : 'SERVICE_UNAVAILABLE', { cause: error });
        outcome = known.code;
        throw known;
      } finally {
        duration.record((performance.now() - started) / 1000, { subject: method, outcome });
      }
    });
  }

  private async request({ subject, waitsForResponder }: RpcContract, body: string, timeoutMs: number): Promise<Msg> {
    const deadline = Date.now() + timeoutMs;
    const sent = headers();
    sent.set(DEADLINE_HEADER, String(deadline));
    for (const [key, value] of Object.entries(injectTrace(context.active()))) sent.set(key, value);
    for (;;) {
      if (this.isDown) await withDeadline(this.up, deadline);
      try {
        const timeout = Math.max(deadline - Date.now(), 1);
        return await this.inbox.request(subject, body, sent, timeout);
      } catch (error) {
        if (!(error instanceof NobodyListens) || !waitsForResponder || deadline - Date.now() <= NO_RESPONDER_PAUSE_MS) throw error;
        await new Promise((resolve) => setTimeout(resolve, NO_RESPONDER_PAUSE_MS));
      }
    }
  }

  private async followConnection(): Promise<void> {
    let markUp: () => void = () => undefined;
    for await (const { type } of this.connection.status()) {
      if (type === 'disconnect' && !this.isDown) {
        this.isDown = true;
        this.up = new Promise((resolve) => (markUp = resolve));
      }
      if (type === 'reconnect') {
        this.isDown = false;
        this.peer = peerOf(this.connection.getServer());
        markUp();
      }
    }
  }
}

/** Whether nats.js refused to send it, which it would each time. */
const isTooLarge = (error: unknown) => error instanceof errors.InvalidArgumentError;

/** @throws where `deadline` (milliseconds since 1970) passes first */
async function withDeadline(work: Promise<void>, deadline: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('NATS is away')), Math.max(deadline - Date.now(), 0));
  });
  try {
    await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** `rpc.<service>.<noun>.<verb>.v<n>`: what follows is the id of one capture, of which no metric may keep a series for ever. */
const methodOf = (subject: string) => subject.split('.', 5).join('.');
