/**
 * An error that the caller can fix: `message` is one line that says what is wrong and what to do about it. The command line prints only the
 * message. Any other error is ours, and is printed with its stack trace.
 */
export class StackError extends Error {
  override readonly name = 'StackError';
  readonly code: string | undefined;
  /** Log lines, shown indented below the message. */
  readonly details: string[];

  constructor(message: string, { code, details = [] }: { code?: string; details?: string[] } = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/**
 * The code of an error of the system, a program or a `StackError`, such as `ENOENT`. Under jest, `instanceof Error` fails for errors of the
 * system, because they belong to another realm.
 */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** The reasons of an error, for use in a longer sentence: its message and, if a program failed, the last line that it printed. */
export function reasonsOf(error: unknown): string[] {
  const { message, details = [] } = error as Error & { details?: string[] };
  return [message.replace(/\.$/, ''), ...details.slice(-1)];
}

/** Thrown by everything that is in progress when the stack is stopped. Never printed. */
export class Interrupted extends StackError {
  constructor() {
    super('Stopped before it was up.', { code: 'interrupted' });
  }
}
