import type { AppError } from '@classroom/contracts';
import type { AnswerEvent, Begun } from './answer-stream.js';

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
