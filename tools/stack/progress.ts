import { Interrupted } from './context.ts';

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** A longer step prints a line so often, in milliseconds: a terminal without output looks as if the start hangs. */
const REMIND_MS = 20_000;

/** Prints one line per finished step. */
export class Progress {
  private readonly quiet: boolean;

  constructor({ quiet = false }: { quiet?: boolean } = {}) {
    this.quiet = quiet;
  }

  line(text: string): void {
    if (!this.quiet) process.stdout.write(`${text}\n`);
  }

  /** @param work may call `note` to add text to the step's line */
  async step<T>(name: string, work: (note: (text: string) => void) => Promise<T>): Promise<T> {
    const began = Date.now();
    let note = '';
    const timer = setInterval(() => this.line(`  … ${name} (${Math.round((Date.now() - began) / 1000)} s)`), REMIND_MS).unref();
    const end = (mark: string) =>
      this.line(`  ${mark} ${name.padEnd(22)} ${seconds(Date.now() - began).padStart(8)}${note ? `  ${note}` : ''}`);
    try {
      const result = await work((text) => {
        note = text;
      });
      end('✓');
      return result;
    } catch (error) {
      if (!(error instanceof Interrupted)) end('✗');
      throw error;
    } finally {
      clearInterval(timer);
    }
  }
}
