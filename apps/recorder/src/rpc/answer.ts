import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { AppError, validationError, type ErrorReply, type RpcContract, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { DEADLINE_HEADER } from '@classroom/messaging';
import { extractTrace, inSpan, logger, SpanKind } from '@classroom/platform';

/** Another machine's clock may differ from ours by this much before a request counts as expired. */
const SKEW_MS = 2_000;

export interface AnswerOptions {
  /** The contract's own, or one that was made of it. */
  subject?: string;
  queue?: string;
}

/**
 * Answers a contract on a subject that is listened to for a while only, which Nest's server can't: it subscribes once and
 * for ever.
 */
export function answer<C extends RpcContract>(
  connection: NatsConnection,
  contract: C,
  { subject = contract.subject, queue }: AnswerOptions,
  handle: (input: RpcInput<C>) => Promise<RpcOutput<C>>,
): Subscription {
  return connection.subscribe(subject, {
    ...(queue === undefined ? {} : { queue }),
    callback: (error, message) => {
      if (error) logger.error({ err: error, subject: contract.subject }, 'subscription failed');
      else void reply(message, contract, handle);
    },
  });
}

async function reply<C extends RpcContract>(message: Msg, contract: C, handle: (input: RpcInput<C>) => Promise<RpcOutput<C>>): Promise<void> {
  const { subject } = contract;
  // Whoever asked has given up, and may have asked another recorder since.
  if (Date.now() > Number(message.headers?.get(DEADLINE_HEADER) || Infinity) + SKEW_MS) return;
  const traceparent = message.headers?.get('traceparent');
  const parent = extractTrace(traceparent ? { traceparent } : {});
  const attributes = { 'rpc.system': 'nats', 'rpc.method': subject };
  const body = await inSpan(subject, { kind: SpanKind.SERVER, parent, attributes }, async (span) => {
    try {
      return { data: await handle(parse(message, contract)) };
    } catch (error) {
      const refusal = toReply(error, subject);
      span.setAttribute('error.type', refusal.code);
      return { error: refusal };
    }
  });
  try {
    message.respond(JSON.stringify(body));
  } catch (error) {
    logger.error({ err: error, subject }, 'a request could not be answered');
  }
}

function parse<C extends RpcContract>(message: Msg, contract: C): RpcInput<C> {
  let input: unknown;
  try {
    input = message.json();
  } catch {
    throw new AppError('VALIDATION_FAILED', { message: 'The message is not JSON' });
  }
  const parsed = contract.input.safeParse(input);
  if (!parsed.success) throw validationError(parsed.error);
  return parsed.data as RpcInput<C>;
}

function toReply(error: unknown, subject: string): ErrorReply {
  if (error instanceof AppError && error.kind !== 'internal') return error.toReply();
  logger.error({ err: error, subject }, 'unknown failure');
  return new AppError('INTERNAL_ERROR').toReply();
}
