'use strict';

/**
 * A fault the reader can mend: `message` is one line that says what is wrong and what to do about it.
 * The command line prints the message alone; any other error is ours and keeps its stack.
 */
class StackError extends Error {
  /** @param {string} message @param {{ code?: string, details?: string[] }} [more] `details` are log lines, shown indented below */
  constructor(message, more = {}) {
    super(message);
    this.name = 'StackError';
    this.code = more.code;
    this.details = more.details ?? [];
  }
}

/** Raised in whatever was under way when the stack was told to stop; never shown. */
class Interrupted extends StackError {
  constructor() {
    super('Stopped before it was up.', { code: 'interrupted' });
  }
}

module.exports = { StackError, Interrupted };
