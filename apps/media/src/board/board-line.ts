import { AppError } from '@classroom/contracts';

interface Waiting {
  organizationId: string;
  begin: () => void;
}

/** Bounds what is done at the same time, with one turn of each organization at most. After its turn an organization is last in line. */
export class BoardLine {
  private readonly running = new Set<string>();
  private waiting: Waiting[] = [];

  constructor(private readonly limits: { parallel: number; waitingPerOrganization: number }) {}

  /** Does `work` in its turn. @throws AppError RATE_LIMITED if too many of the organization wait, or the signal's reason */
  async inTurn<T>(organizationId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.turn(organizationId, signal);
    try {
      return await work();
    } finally {
      this.running.delete(organizationId);
      const isOwn = (it: Waiting) => it.organizationId === organizationId;
      this.waiting = [...this.waiting.filter((it) => !isOwn(it)), ...this.waiting.filter(isOwn)];
      this.next();
    }
  }

  private async turn(organizationId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.waiting.filter((it) => it.organizationId === organizationId).length >= this.limits.waitingPerOrganization)
      throw new AppError('RATE_LIMITED', { message: 'Too many boards of the organization are being made files' });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own = { organizationId, begin: resolve };
    this.waiting.push(own);
    const leave = () => {
      const at = this.waiting.indexOf(own);
      if (at >= 0) this.waiting.splice(at, 1);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.next();
    await promise.finally(() => signal.removeEventListener('abort', leave));
  }

  private next(): void {
    while (this.running.size < this.limits.parallel) {
      const at = this.waiting.findIndex(({ organizationId }) => !this.running.has(organizationId));
      const [first] = at < 0 ? [] : this.waiting.splice(at, 1);
      if (!first) return;
      this.running.add(first.organizationId);
      first.begin();
    }
  }
}
