import { Refusal } from '../session/refusal.js';

/** Milliseconds between two requests, plus a random spread: a whole class may be waiting. */
const ASK_MS = 5_000;
const SPREAD_MS = 2_000;
const MOST_MS = 60_000;

interface Parts {
  /** Requests the class state after a version. The request locks and changes nothing. @throws Refusal */
  ask(after: number): Promise<{ version: number }>;
  visibility: { isVisible(): boolean; onVisibility(listener: () => void): () => void };
  refused(refusal: Refusal): void;
}

/** Polls, while a participant waits in the lobby, whether the class has ended or the participant may no longer join. A hidden page does not poll. */
export class LobbyWatch {
  private running: object | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private version = 0;
  private failures = 0;

  constructor(private readonly parts: Parts) {
    parts.visibility.onVisibility(() => this.schedule());
  }

  start(): void {
    this.running = {};
    this.failures = 0;
    this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.running = undefined;
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const { running } = this;
    if (!running || !this.parts.visibility.isVisible()) return;
    const ms = Math.min(ASK_MS * 2 ** this.failures, MOST_MS) + Math.random() * SPREAD_MS;
    this.timer = setTimeout(() => void this.look(running), ms);
  }

  private async look(run: object): Promise<void> {
    const answer = await this.parts.ask(this.version).catch((error: unknown) => error);
    if (run !== this.running) return;
    if (answer instanceof Refusal && !answer.isPassing) {
      this.stop();
      this.parts.refused(answer);
      return;
    }
    if (answer instanceof Error) this.failures += 1;
    else {
      this.failures = 0;
      this.version = (answer as { version: number }).version;
    }
    this.schedule();
  }
}
