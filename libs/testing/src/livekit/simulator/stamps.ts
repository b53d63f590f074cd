import { readFileSync } from 'node:fs';

let heldAtMs: number | undefined;

/** The time of stamps: of joins, leaves, events and rooms. Timeouts and tokens use the machine's clock in any case. */
export const stampMs = (): number => heldAtMs ?? Date.now();

/** Stamps show this time, in milliseconds since 1970, until it is set again: the simulated LiveKit of a sandbox. */
export function holdStamps(atMs: number): void {
  heldAtMs = atMs;
}

/** @param file the CLOCK_FILE of a sandbox */
export function holdStampsFrom(file: string): void {
  holdStamps(Date.parse((JSON.parse(readFileSync(file, 'utf8')) as { now: string }).now));
}
