import { randomBytes } from 'node:crypto';

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** The prefix, such as `PA_`, and twelve characters, in the format of protocol/utils/guid. */
export function newSid(prefix: string): string {
  let sid = prefix;
  for (const byte of randomBytes(12)) sid += alphabet[byte % alphabet.length];
  return sid;
}

/** A seeded generator (mulberry32), so that a failed chaos run can be repeated with the same faults. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  happens(rate: number): boolean {
    return rate > 0 && this.next() < rate;
  }

  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }
}
