import { ApiError, type ApiErrorCode } from '@classroom/page/api-error';
import { fromBase64 } from './wav.js';

export type AnswerPart =
  | { kind: 'begun'; questionId: string }
  | { kind: 'text'; text: string }
  | { kind: 'sound'; wav: Uint8Array<ArrayBuffer> };

interface Chunk {
  questionId?: string;
  text?: string;
  audio?: string;
  error?: ApiErrorCode;
}

const END = '[DONE]';

/** Reads the tutor's answer while it arrives. @throws ApiError with the error in the stream; with NO_ANSWER if the stream breaks off */
export async function* readAnswer(stream: ReadableStream<Uint8Array>): AsyncGenerator<AnswerPart> {
  for await (const data of readEvents(stream)) {
    if (data === END) return;
    const { questionId, text, audio, error } = parseChunk(data);
    if (error) throw new ApiError(error);
    if (questionId) yield { kind: 'begun', questionId };
    if (text) yield { kind: 'text', text };
    if (audio) yield { kind: 'sound', wav: fromBase64(audio) };
  }
  throw new ApiError('NO_ANSWER');
}

function parseChunk(data: string): Chunk {
  try {
    return JSON.parse(data) as Chunk;
  } catch (cause) {
    throw new ApiError('NO_ANSWER', null, [], { cause });
  }
}

const LINE_END = /\r\n|\r|\n/;

/** The data of each server-sent event, wherever the chunks are split. Ends with the stream; leaving the loop early cancels the stream. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A carriage return at the end of a chunk may be followed by its line feed in the next one.
      const lines = (done || !rest.endsWith('\r') ? rest : rest.slice(0, -1)).split(LINE_END);
      rest = (lines.pop() ?? '') + (!done && rest.endsWith('\r') ? '\r' : '');
      for (const line of lines) {
        if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
        if (line !== '' || data.length === 0) continue;
        yield data.join('\n');
        data = [];
      }
      if (done) return;
    }
  } finally {
    // Cancelling a stream that has ended or failed rejects, which is harmless.
    void reader.cancel().catch(() => undefined);
  }
}
