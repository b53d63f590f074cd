import { ApiError, type ApiErrorCode } from '@classroom/page/api-error';
import { fromBase64 } from '../audio/base64.js';
import { readEvents } from './event-reader.js';

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
