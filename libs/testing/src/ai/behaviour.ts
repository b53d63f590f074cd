/** What came in. Times are milliseconds since 1970 with their fractions. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** The JSON; of a form its fields, files as {name, type, bytes}. */
  body: Record<string, unknown>;
  at: number;
  /** When the first byte of the answer's content was written. */
  firstTokenAt?: number;
  /** When it was seen that the client hung up before the answer was over. */
  abortedAt?: number;
  /** When the whole answer had been written. */
  finishedAt?: number;
  /** How many words of the answer were written. */
  tokensSent: number;
}

/** A file of a form. */
export interface RecordedFile {
  name: string;
  type: string;
  bytes: Buffer;
}

/** How one request is answered; what is left out is what a provider in good health does. */
export interface ModelBehaviour {
  /** The answer's text (of a chat, a transcription); by default a sentence that repeats the end of the question. */
  answer?: string | ((request: RecordedRequest) => string);
  /** Before the first word, milliseconds. */
  firstTokenDelayMs?: number;
  /** Between two words, milliseconds; 0 writes each in a tick of its own. */
  tokenDelayMs?: number;
  /** After so many words the socket is destroyed. */
  breakOffAfter?: number;
  /** After so many words the response ends, politely and too early: no finish_reason, no usage, no [DONE]. */
  endAfter?: number;
  /** After so many words nothing more comes, and the socket stays open. */
  stallAfter?: number;
  /** After so many words the answer waits for `resumes`. */
  holdAfter?: number;
  resumes?: Promise<void>;
  /** The socket stays open and nothing is ever answered, not even headers. */
  isSilent?: boolean;
  /** An error in the provider's own form, e.g. 429 or 500. */
  status?: number;
  /** With `status`, its header. */
  retryAfterSeconds?: number;
  /** 200, and a body (or a chunk, after the first words) that is not JSON. */
  isMalformed?: boolean;
  /** No usage is told, even where it was asked for. */
  hasNoUsage?: boolean;
  /** Words of reasoning before the answer's. */
  reasoning?: string;
}

/** What happens next: a behaviour, several for one request after the other (the last one stays), or one by request. */
export type ModelScript = ModelBehaviour | ModelBehaviour[] | ((request: RecordedRequest) => ModelBehaviour);

export const now = () => performance.timeOrigin + performance.now();

/** Words with the space before them: joined they are the text. */
export const tokensOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];
