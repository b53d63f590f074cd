import { Readable } from 'node:stream';
import { AppError, type AiEvent } from '@classroom/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { knownFailure } from '@classroom/http';
import { failureOptions } from '../http/envelope.js';
import type { Answer, Begun } from './answer-stream.js';
import type { StreamFormat } from './stream-formats.js';

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
