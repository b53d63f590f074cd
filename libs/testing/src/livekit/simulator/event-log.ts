import { createWriteStream, type WriteStream } from 'node:fs';

/** Writes everything that happened, one JSON object per line, for analysis after a failed run. */
export class EventLog {
  readonly #stream?: WriteStream;

  constructor(path?: string) {
    if (path) this.#stream = createWriteStream(path, { flags: 'a' });
  }

  write(what: string, fields: object): void {
    this.#stream?.write(`${JSON.stringify({ at: Date.now(), what, ...fields })}\n`);
  }
}
