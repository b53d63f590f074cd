import { ApiError } from '../session/api-error.js';

/** Milliseconds between two requests, plus a random spread: a whole class may be waiting. */
const POLL_MS = 5_000;
const SPREAD_MS = 2_000;
const MAX_POLL_MS = 60_000;

interface Options {
  /** Requests the class state after a version. The request locks and changes nothing. @throws ApiError */
  fetchState(after: number): Promise<{ version: number }>;
  visibility: { isVisible(): boolean; onVisibility(listener: () => void): () => void };
  onRejected(error: ApiError): void;
}

/** Polls, while a participant waits in the lobby, whether the class has ended or the participant may no longer join. A hidden page does not poll. */
export class LobbyPoller {
  private currentRun: object | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private version = 0;
  private failures = 0;

  constructor(private readonly options: Options) {
    options.visibility.onVisibility(() => this.schedule());
  }

  start(): void {
    this.currentRun = {};
    this.failures = 0;
    this.schedule();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.currentRun = undefined;
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const { currentRun } = this;
    if (!currentRun || !this.options.visibility.isVisible()) return;
    const ms = Math.min(POLL_MS * 2 ** this.failures, MAX_POLL_MS) + Math.random() * SPREAD_MS;
    this.timer = setTimeout(() => void this.poll(currentRun), ms);
  }

  private async poll(run: object): Promise<void> {
    const answer = await this.options.fetchState(this.version).catch((error: unknown) => error);
    if (run !== this.currentRun) return;
    if (answer instanceof ApiError && !answer.isRetryable) {
      this.stop();
      this.options.onRejected(answer);
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
