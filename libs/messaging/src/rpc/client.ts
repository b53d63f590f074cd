import { Inject, Injectable } from '@nestjs/common';
import { context, type Attributes } from '@opentelemetry/api';
import { errors, headers, type Msg, type NatsConnection, type QueuedIterator } from '@nats-io/transport-node';
import { AppError, type ErrorReply, type RpcContract, type RpcOutput, type RpcRequest } from '@classroom/contracts';
import { currentAuditId, currentCaller, durationHistogram, injectTrace, inSpan, peerOf, SpanKind } from '@classroom/platform';
import { NATS } from '../connection.js';
import { Inbox, NoRespondersError } from './inbox.js';
import { CALLER_HEADER } from './signed-caller.js';

const duration = durationHistogram('rpc.client.duration', 'Calls to another service, by subject and outcome');
/**
 * Pause before a retry without a responder, such as while a service restarts. The retry is safe, because no process received the
 * request.
 */
const NO_RESPONDER_PAUSE_MS = 40;
/** Milliseconds that a retry needs at least. One that is begun later would end by its timeout, and the caller would not learn that nothing listens. */
const RETRY_MS = 250;
/** Pause after which no more answers to a call of all processes are expected. */
const SILENCE_MS = 300;
export const DEADLINE_HEADER = 'deadline';
/** The id of the audit log's entry about the request. A service records its changes under this id. */
export const AUDIT_HEADER = 'audit';

type Reply<T> = { data: T } | { error: ErrorReply };

/** Calls other services by contract. Every call ends within its timeout, with data or with a declared error. */
@Injectable()
export class RpcClient {
  /** Resolved while the connection is up. While it is down, nats.js drops what is sent, so nothing is sent. */
  private up: Promise<void> = Promise.resolve();
  private isDown = false;
  private readonly inbox: Inbox;
  private peer: Attributes;
  /** How many answers the last call of all processes had, by subject. */
  private readonly answered = new Map<string, number>();

  constructor(@Inject(NATS) private readonly connection: NatsConnection) {
    this.inbox = new Inbox(connection);
    this.peer = peerOf(connection.getServer());
    void this.followConnection();
  }

  /**
   * @throws AppError with the service's code; SERVICE_UNAVAILABLE if there is no answer within `timeoutMs` (milliseconds,
   * default: the contract's timeout); PAYLOAD_TOO_LARGE if the request is too large for a message
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

  /**
   * Calls a contract that every process answers, and collects the answers. It ends when none has arrived for `silenceMs`, but not before
   * there are as many as the last time: for a process that was there, it waits until the contract's timeout. An answer with an error is left out.
   */
  async callAll<C extends RpcContract>({ subject, timeoutMs }: C, silenceMs = SILENCE_MS): Promise<RpcOutput<C>[]> {
    const answers: RpcOutput<C>[] = [];
    const expected = this.answered.get(subject) ?? 1;
    let count = 0;
    let silence: NodeJS.Timeout | undefined;
    try {
      const asked = await this.connection.requestMany(subject, '{}', { strategy: 'timer', maxWait: timeoutMs });
      // Its own `stall` replaces the limit of the whole call.
      const replies = asked as QueuedIterator<Msg>;
      for await (const message of replies) {
        const reply = message.json<Reply<RpcOutput<C>>>();
        if ('data' in reply) answers.push(reply.data);
        count += 1;
        clearTimeout(silence);
        if (count >= expected) silence = setTimeout(() => replies.stop(), silenceMs);
      }
    } catch (error) {
      if (!(error instanceof errors.NoRespondersError)) throw new AppError('SERVICE_UNAVAILABLE', { cause: error });
    } finally {
      clearTimeout(silence);
    }
    this.answered.set(subject, count);
    return answers;
  }

  private async request({ subject, waitsForResponder }: RpcContract, body: string, timeoutMs: number): Promise<Msg> {
    const deadline = Date.now() + timeoutMs;
    const sent = headers();
    sent.set(DEADLINE_HEADER, String(deadline));
    const caller = currentCaller();
    if (caller !== undefined) sent.set(CALLER_HEADER, caller);
    const auditId = currentAuditId();
    if (auditId !== undefined) sent.set(AUDIT_HEADER, auditId);
    for (const [key, value] of Object.entries(injectTrace(context.active()))) sent.set(key, value);
    for (;;) {
      if (this.isDown) await withDeadline(this.up, deadline);
      try {
        const timeout = Math.max(deadline - Date.now(), 1);
        return await this.inbox.request(subject, body, sent, timeout);
      } catch (error) {
        if (!(error instanceof NoRespondersError) || !waitsForResponder || deadline - Date.now() < NO_RESPONDER_PAUSE_MS + RETRY_MS)
          throw error;
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

/** Whether nats.js refused to send the message because of its size. It would refuse every retry. */
const isTooLarge = (error: unknown) => error instanceof errors.InvalidArgumentError;

/** @throws if `deadline` (milliseconds since 1970) passes first */
async function withDeadline(work: Promise<void>, deadline: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('NATS unreachable')), Math.max(deadline - Date.now(), 0));
  });
  try {
    await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** `rpc.<service>.<noun>.<verb>.v<n>`. An id of one capture may follow; it is removed, because no metric may keep a series per capture. */
const methodOf = (subject: string) => subject.split('.', 5).join('.');
