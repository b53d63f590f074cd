/** What the program needs of the process, so that tests can run it in theirs. */
export interface Io {
  env: Record<string, string | undefined>;
  /** Fires when the user ends a command that has no end, with Ctrl-C. */
  signal: AbortSignal;
  out(text: string): void;
  err(text: string): void;
  /** Whether questions can be asked. */
  isInteractive: boolean;
  /** Asks for one line. @param isSecret whether the terminal must not show it */
  ask(question: string, isSecret?: boolean): Promise<string>;
  /** Everything on standard input. */
  readAll(): Promise<string>;
}

/** A failure that the user can correct. */
export class CommandError extends Error {
  /** @param next what the user can do about it */
  constructor(
    message: string,
    readonly next: string,
  ) {
    super(message);
    this.name = 'CommandError';
  }
}
