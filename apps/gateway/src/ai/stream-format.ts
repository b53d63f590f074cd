import type { AppError } from '@classroom/contracts';
import type { AnswerEvent, Begun } from './answer-stream.js';

/** How an answer is written down as it comes. */
export interface StreamFormat {
  headers: Record<string, string>;
  /** What stands before the first word; empty where nothing does. */
  beginning(begun: Begun): string;
  event(event: AnswerEvent): string;
  /** Closes an answer that came to its end. */
  end: string;
  /** Closes one that broke off. */
  failure(error: AppError): string;
}
