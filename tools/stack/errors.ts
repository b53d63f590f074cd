/**
 * A fault the reader can fix: `message` is one line that says what is wrong and what to do about it.
 * The command line prints the message alone; any other error is ours and keeps its stack.
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

/** What the system, a program or a `StackError` says went wrong, such as `ENOENT`. Under jest the system's errors are of another realm. */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** In a sentence about something larger: its message, and of a program the last line that it wrote. */
export function reasonsOf(error: unknown): string[] {
  const { message, details = [] } = error as Error & { details?: string[] };
  return [message.replace(/\.$/, ''), ...details.slice(-1)];
}

/** Raised in whatever was under way when the stack was told to stop; never shown. */
export class Interrupted extends StackError {
  constructor() {
    super('Stopped before it was up.', { code: 'interrupted' });
  }
}
