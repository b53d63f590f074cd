import { AppError, type AiEvent } from '@classroom/contracts';
import type { Answer, Begun } from './answer-stream.js';

export interface CompleteAnswer {
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
