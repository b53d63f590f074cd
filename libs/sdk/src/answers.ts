import { ConnectionError, VirtualClassroomError } from './errors.js';
import { linesOf, messagesOf } from './server-sent-events.js';

/** A part of a model's answer, in the order in which the model generates it. */
export type AnswerEvent =
  | { type: 'text'; text: string }
  /** Audio in base64. */
  | { type: 'audio'; audio: string; mimeType: string }
  | { type: 'usage'; usage: { inputTokens: number; outputTokens: number } };

/**
 * Reads the agent's answer: one JSON object per line.
 * @throws VirtualClassroomError if the service reports an error in the stream, ConnectionError if the stream ends early
 */
export async function* fromNdjson(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<AnswerEvent> {
  for await (const line of linesOf(chunks)) {
    if (line === '') continue;
    const event = parse(line) as AnswerEvent | { type: 'done' } | { type: 'error'; error: string; message: string };
    if (event.type === 'done') return;
    if (event.type === 'error') throw streamError(event);
    yield event;
  }
  throw truncatedStreamError();
}

/** Reads the tutor's answer: server-sent events. @throws as `fromNdjson` */
export async function* fromServerSentEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<AnswerEvent> {
  for await (const { data } of messagesOf(chunks)) {
    if (data === '') continue;
    if (data === '[DONE]') return;
    const event = parse(data) as TutorData;
    if (event.error !== undefined) throw streamError({ error: event.error, message: event.message ?? event.error });
    if (event.usage) yield { type: 'usage', usage: event.usage };
    else if (event.audio !== undefined) yield { type: 'audio', audio: event.audio, mimeType: event.mimeType ?? 'audio/wav' };
    else yield { type: 'text', text: event.text ?? '' };
  }
  throw truncatedStreamError();
}

interface TutorData {
  text?: string;
  audio?: string;
  mimeType?: string;
  usage?: { inputTokens: number; outputTokens: number } | null;
  error?: string;
  message?: string;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser's message quotes the answer, which is part of a private conversation.
    throw new ConnectionError('The stream has a part that is not JSON', { cause: (cause as Error).name });
  }
}

const streamError = ({ error: code, message }: { error: string; message: string }) =>
  new VirtualClassroomError(message, { code, status: 200, requestId: undefined, details: [], retryAfterMs: undefined });

const truncatedStreamError = () => new ConnectionError('The stream ended before its last part');
