import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { aiEvent, AppError, type agentRpc, type AiEvent, type RpcRequest, type tutorRpc } from '@classroom/contracts';
import { knownFailure } from '@classroom/http';
import { NATS, readTextStream, RpcClient } from '@classroom/messaging';
import type { NatsConnection } from '@nats-io/transport-node';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { failureOptions } from '../http/endpoint.js';

/** Splits bytes into lines. The bytes may be cut anywhere, even within a character. */
export class LineSplitter {
  private readonly decoder = new TextDecoder();
  private partial: string[] = [];

  /** @returns the lines that these bytes completed */
  push(bytes: Uint8Array): string[] {
    const [end = '', ...others] = this.decoder.decode(bytes, { stream: true }).split('\n');
    this.partial.push(end);
    if (others.length === 0) return [];
    // Joined only once, because a line of audio spans many frames.
    const first = this.partial.join('');
    this.partial = [others.pop() ?? ''];
    return [first, ...others];
  }
}

export type Begun = Extract<AiEvent, { type: 'begun' }>;
/** The events that follow the beginning. */
export type AnswerEvent = Exclude<AiEvent, Begun>;

/** An answer that has begun: the model has produced its first token. */
export interface Answer {
  begun: Begun;
  events: AsyncGenerator<AnswerEvent>;
}

type Contract = typeof agentRpc.chat | typeof tutorRpc.chat | typeof tutorRpc.ask;

/** Requests answers from the AI service and reads them line by line. */
@Injectable()
export class AnswerStream {
  constructor(
    private readonly rpc: RpcClient,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {}

  /**
   * Resolves with the first line, so an error before it is still an ordinary error response. The service pauses while its lines are not
   * read. It stops its model when the signal fires or when reading the events ends early.
   */
  async open<C extends Contract>(contract: C, question: Omit<RpcRequest<C>, 'inbox'>, disconnected: AbortSignal): Promise<Answer> {
    const start = async (inbox: string) => (await this.rpc.call(contract, { ...question, inbox } as RpcRequest<C>)).control;
    const events = eventsOf(readTextStream(this.connection, start, disconnected));
    const first = await events.next();
    if (first.done || first.value.type !== 'begun') throw invalidAnswer();
    return { begun: first.value, events: events as AsyncGenerator<AnswerEvent> };
  }
}

async function* eventsOf(frames: AsyncGenerator<Uint8Array>): AsyncGenerator<AiEvent> {
  const lines = new LineSplitter();
  for await (const frame of frames) {
    for (const line of lines.push(frame)) yield parse(line);
  }
}

function parse(line: string): AiEvent {
  try {
    return aiEvent.parse(JSON.parse(line));
  } catch {
    // The parser's own error quotes the line, which is part of a private conversation.
    throw invalidAnswer();
  }
}

const invalidAnswer = () => new AppError('INTERNAL_ERROR', { message: 'The AI service gave an answer that cannot be read' });

/** What a client learns before the first event: why the answer is less than was asked for, and that audio will come. */
function announcementOf({ message, responseModality }: Begun): object | undefined {
  if (message === undefined && responseModality === 'text') return undefined;
  return { ...(message === undefined ? {} : { message }), ...(responseModality === 'text' ? {} : { responseModality }) };
}

/** How the events of an answer are encoded. */
interface StreamFormat {
  headers: Record<string, string>;
  /** The text before the first event; empty if there is none. */
  beginning(begun: Begun): string;
  event(event: AnswerEvent): string;
  /** Ends a complete answer. */
  end: string;
  /** Ends an answer that failed. */
  failure(error: AppError): string;
}

const line = (value: object) => `${JSON.stringify(value)}\n`;

/** One JSON object per line, with its kind in `type`: text, audio, usage, then done or error. */
export const NDJSON: StreamFormat = {
  headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-cache' },
  beginning: (begun) => {
    const announced = announcementOf(begun);
    return announced ? line({ type: 'text', text: '', ...announced }) : '';
  },
  event: (event) => {
    if (event.type !== 'usage') return line(event);
    const { usage, message } = event;
    const { inputTokens, outputTokens } = usage;
    return line({ type: 'usage', usage: { inputTokens, outputTokens }, message });
  },
  end: line({ type: 'done' }),
  failure: ({ code, message }) => line({ type: 'error', error: code, message }),
};

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const DONE = 'data: [DONE]\n\n';

/** Server-sent events in the form that the tutor's clients expect. */
export const SSE: StreamFormat = {
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', connection: 'keep-alive' },
  beginning: (begun) => {
    const announced = announcementOf(begun);
    return announced ? data({ text: '', usage: null, ...announced }) : '';
  },
  event: (event) => {
    if (event.type === 'text') return data({ text: event.text, usage: null });
    if (event.type === 'audio') return data({ text: '', audio: event.audio, mimeType: event.mimeType, usage: null });
    const { usage, message } = event;
    const { inputTokens, outputTokens } = usage;
    return data({ usage: { inputTokens, outputTokens }, message });
  },
  end: DONE,
  failure: ({ code, message }) => data({ error: code, message }) + DONE,
};

/** In class, the page also receives the id of its question, so that it can pass the question on to the teacher. */
export const CLASSROOM_SSE: StreamFormat = {
  ...SSE,
  beginning: ({ questionId, provider, message }) => data({ text: '', usage: null, questionId, provider, message }),
};

interface CompleteAnswer {
  begun: Begun;
  text: string;
  /** Base64 WAV, if speech was requested. */
  audio: string | undefined;
  usage: Extract<AiEvent, { type: 'usage' }>['usage'];
  /** Why the answer contains less than was requested. */
  message: string | undefined;
}

/** Waits for the answer's end. @throws AppError the error with which the answer failed */
export async function collectAnswer({ begun, events }: Answer): Promise<CompleteAnswer> {
  let text = '';
  let audio: string | undefined;
  let usage: CompleteAnswer['usage'] | undefined;
  const messages = [begun.message];
  for await (const event of events) {
    if (event.type === 'text') text += event.text;
    else if (event.type === 'audio') ({ audio } = event);
    else {
      ({ usage } = event);
      messages.push(event.message);
    }
  }
  if (!usage) throw new AppError('INTERNAL_ERROR', { message: 'The answer ended without its usage' });
  return { begun, text, audio, usage, message: messages.filter(Boolean).join(' ') || undefined };
}

export const PROVIDER_HEADER = 'x-ai-provider';
/** Without this header, nginx would buffer what has to arrive immediately. */
const UNBUFFERED_HEADERS = { 'x-accel-buffering': 'no' };

/** Streams an answer as fast as its client reads it. The headers are sent before the first event. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer, format: StreamFormat): void {
  reply.headers({ ...format.headers, ...UNBUFFERED_HEADERS, [PROVIDER_HEADER]: answer.begun.provider });
  reply.send(Readable.from(encode(answer, format, request, reply), { objectMode: false }));
  reply.raw.flushHeaders();
}

async function* encode(
  { begun, events }: Answer,
  format: StreamFormat,
  request: FastifyRequest,
  reply: FastifyReply,
): AsyncGenerator<string> {
  try {
    const beginning = format.beginning(begun);
    if (beginning !== '') yield beginning;
    for await (const event of events) yield format.event(event);
    yield format.end;
  } catch (error) {
    // A client that has disconnected needs no error event.
    if (reply.raw.destroyed) return;
    yield format.failure(knownFailure(request, error, failureOptions(request)));
  }
}
