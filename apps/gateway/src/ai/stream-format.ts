import type { AppError } from '@classroom/contracts';
import type { AnswerEvent, Begun } from './answer-stream.js';

/** What a client learns before the first event: why the answer is less than was asked for, and that audio will come. */
export function announcementOf({ message, responseModality }: Begun): object | undefined {
  if (message === undefined && responseModality === 'text') return undefined;
  return { ...(message === undefined ? {} : { message }), ...(responseModality === 'text' ? {} : { responseModality }) };
}

/** How the events of an answer are encoded. */
export interface StreamFormat {
  headers: Record<string, string>;
  /** The text before the first event; empty if there is none. */
  beginning(begun: Begun): string;
  event(event: AnswerEvent): string;
  /** Ends a complete answer. */
  end: string;
  /** Ends an answer that failed. */
  failure(error: AppError): string;
}
