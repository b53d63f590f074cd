import { AppError } from '@classroom/contracts';
import { Held } from '../limits/in-progress-limit.js';

interface Waiting {
  owner: string;
  start: () => void;
}

export interface SlotLimits {
  /** Downloads at once, of all owners. */
  total: number;
  /** Downloads at once of one owner. */
  perOwner: number;
  /** Downloads of one owner that wait for a slot. */
  waitingPerOwner: number;
  /** Milliseconds that a download waits at most. */
  waitMs: number;
}

/** Limits how many downloads run at once. An owner whose downloads are slow holds up only its own, until the slots of all are taken. */
export class DownloadSlots {
  private readonly running = new Held();
  private readonly waiting: Waiting[] = [];

  constructor(private readonly limits: SlotLimits) {}

  /** Runs `download` in a slot. @throws AppError RATE_LIMITED if too many wait, or if it waited too long */
  async run<T>(owner: string, download: () => Promise<T>): Promise<T> {
    const release = this.isFree(owner) ? this.running.take(owner) : await this.wait(owner);
    try {
      return await download();
    } finally {
      release();
      this.startNext();
    }
  }

  private isFree(owner: string): boolean {
    return this.running.total < this.limits.total && this.running.of(owner) < this.limits.perOwner;
  }

  /** @returns releases the slot */
  private wait(owner: string): Promise<() => void> {
    const waitingOfOwner = this.waiting.filter((other) => other.owner === owner).length;
    if (waitingOfOwner >= this.limits.waitingPerOwner) throw tooMany();
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        owner,
        start: () => {
          clearTimeout(timer);
          resolve(this.running.take(owner));
        },
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        reject(tooMany());
      }, this.limits.waitMs);
      this.waiting.push(entry);
    });
  }

  /** Starts the first that may run. One slot became free, so it is one at most. */
  private startNext(): void {
    const index = this.waiting.findIndex(({ owner }) => this.isFree(owner));
    const [next] = index < 0 ? [] : this.waiting.splice(index, 1);
    next?.start();
  }
}

const tooMany = () => new AppError('RATE_LIMITED', { message: 'Too many pictures are being loaded' });
