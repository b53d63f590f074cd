import { Interrupted } from './context.ts';

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/**
 * Prints one line per finished step. On a terminal, a last line shows the steps in progress. Elsewhere a long step prints a line every 20
 * s, because a CI job without output looks as if it hangs.
 */
export class Progress {
  private readonly quiet: boolean;
  private readonly out: NodeJS.WriteStream;
  private readonly isLive: boolean;
  private readonly running = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private frame = 0;

  constructor({ quiet = false, out = process.stdout }: { quiet?: boolean; out?: NodeJS.WriteStream } = {}) {
    this.quiet = quiet;
    this.out = out;
    this.isLive = !quiet && Boolean(out.isTTY) && !process.env.CI;
  }

  line(text: string): void {
    if (this.quiet) return;
    this.clear();
    this.out.write(`${text}\n`);
    this.draw();
  }

  /** @param work may call `note` to add text to the step's line */
  async step<T>(name: string, work: (note: (text: string) => void) => Promise<T>): Promise<T> {
    const began = Date.now();
    let note = '';
    this.running.set(name, began);
    this.tick();
    try {
      const result = await work((text) => {
        note = text;
      });
      this.running.delete(name);
      this.line(`  ✓ ${name.padEnd(22)} ${seconds(Date.now() - began).padStart(8)}${note ? `  ${note}` : ''}`);
      return result;
    } catch (error) {
      this.running.delete(name);
      if (!(error instanceof Interrupted)) this.line(`  ✗ ${name.padEnd(22)} ${seconds(Date.now() - began).padStart(8)}`);
      throw error;
    } finally {
      if (this.running.size === 0) this.rest();
    }
  }

  private tick(): void {
    if (this.quiet || this.timer) return;
    this.timer = setInterval(
      () => {
        if (this.isLive) {
          this.frame += 1;
          this.draw();
          return;
        }
        const now = Date.now();
        for (const [name, began] of this.running) this.out.write(`  … ${name} (${Math.round((now - began) / 1000)} s)\n`);
      },
      this.isLive ? 100 : 20_000,
    );
    this.timer.unref();
  }

  rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.clear();
  }

  private clear(): void {
    if (this.isLive) this.out.write('\r\u001b[2K');
  }

  private draw(): void {
    if (!this.isLive || this.running.size === 0) return;
    const mark = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'[this.frame % 10];
    const text = [...this.running].map(([name, began]) => `${name} ${Math.round((Date.now() - began) / 1000)} s`).join(' · ');
    this.out.write(`\r\u001b[2K  ${mark} ${text}`.slice(0, (this.out.columns ?? 80) + 4));
  }
}
