import type { Io } from '../io.js';

/** The process as a test sees it: what was written, and what is answered. */
export class MemoryIo implements Io {
  written = '';
  remarks = '';
  isInteractive = false;
  input = '';
  signal: AbortSignal = new AbortController().signal;

  constructor(readonly env: Record<string, string | undefined> = {}) {}

  out(text: string): void {
    this.written += text;
  }

  err(text: string): void {
    this.remarks += text;
  }

  async ask(): Promise<string> {
    return this.input;
  }

  async readAll(): Promise<string> {
    return this.input;
  }
}
