import { Refusal, type RefusalCode } from '../../session/refusal.js';
import { fromBase64 } from '../sound/base64.js';
import { readEvents } from './event-reader.js';

export type AnswerPart =
  | { kind: 'begun'; questionId: string }
  | { kind: 'text'; text: string }
  | { kind: 'sound'; wav: Uint8Array<ArrayBuffer> };

interface Chunk {
  questionId?: string;
  text?: string;
  audio?: string;
  error?: RefusalCode;
}

const END = '[DONE]';

/** Reads the tutor's answer while it arrives. @throws Refusal with the error in the stream; with NO_ANSWER if the stream breaks off */
export async function* readAnswer(stream: ReadableStream<Uint8Array>): AsyncGenerator<AnswerPart> {
  for await (const data of readEvents(stream)) {
    if (data === END) return;
    const { questionId, text, audio, error } = parsed(data);
    if (error) throw new Refusal(error);
    if (questionId) yield { kind: 'begun', questionId };
    if (text) yield { kind: 'text', text };
    if (audio) yield { kind: 'sound', wav: fromBase64(audio) };
  }
  throw new Refusal('NO_ANSWER');
}

function parsed(data: string): Chunk {
  try {
    return JSON.parse(data) as Chunk;
  } catch (cause) {
    throw new Refusal('NO_ANSWER', null, [], { cause });
  }
}
