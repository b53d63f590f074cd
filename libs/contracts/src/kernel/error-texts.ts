import type { ErrorKind } from './error-kinds.js';

export interface ErrorTexts {
  kind: ErrorKind;
  message: string;
  /** For the API reference: when the error occurs, and what the caller can do. */
  when: string;
  advice: string;
}
