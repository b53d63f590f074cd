/** A request that the server received. Times are milliseconds since 1970, with fractions. */
export interface RecordedRequest {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** The parsed JSON, or the fields of a form, with files as {name, type, bytes}. */
  body: Record<string, unknown>;
  at: number;
  /** When the first byte of the answer's content was written. */
  firstTokenAt?: number;
  /** When the server saw that the client hung up before the end of the answer. */
  abortedAt?: number;
  /** When the whole answer had been written. */
  finishedAt?: number;
  /** How many words of the answer were written. */
  tokensSent: number;
}

/** A file in a form. */
export interface RecordedFile {
  name: string;
  type: string;
  bytes: Buffer;
}

/** How one request is answered. An omitted field means what a healthy provider does. */
export interface ModelBehaviour {
  /** The answer's text (of a chat or a transcription). Default: a sentence that repeats the end of the question. */
  answer?: string | ((request: RecordedRequest) => string);
  /** Delay before the first word, in milliseconds. */
  firstTokenDelayMs?: number;
  /** Delay between two words, in milliseconds; 0 writes each word in a separate tick. */
  tokenDelayMs?: number;
  /** Number of words after which the socket is destroyed. */
  breakOffAfter?: number;
  /** Number of words after which the response ends cleanly but too early: no finish_reason, no usage, no [DONE]. */
  endAfter?: number;
  /** Number of words after which nothing more is sent while the socket stays open. */
  stallAfter?: number;
  /** Number of words after which the answer waits for `resumes`. */
  holdAfter?: number;
  resumes?: Promise<void>;
  /** The socket stays open and nothing is ever sent, not even headers. */
  isSilent?: boolean;
  /** Status of an error in the provider's own format, e.g. 429 or 500. */
  status?: number;
  /** With `status`: the value of its Retry-After header. */
  retryAfterSeconds?: number;
  /** 200 with a body (or a chunk, after the first words) that is not JSON. */
  isMalformed?: boolean;
  /** The answer contains no usage, even if the request asked for it. */
  hasNoUsage?: boolean;
  /** Reasoning text before the answer's text. */
  reasoning?: string;
}

/** Behaviour of the next requests: one for all, a list for one request after another (the last one stays), or a function of the request. */
export type ModelScript = ModelBehaviour | ModelBehaviour[] | ((request: RecordedRequest) => ModelBehaviour);

export const now = () => performance.timeOrigin + performance.now();

/** Words with the space before them; joined, they are the text. */
export const tokensOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];
