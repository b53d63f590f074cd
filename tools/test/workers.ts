import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Test files that run in parallel on an idle machine with two cores. Three keep both busy: with four, twenty processes wait for a core, and calls
 * between services time out.
 */
const MOST = 3;
const LEAST = 2;
const SAMPLE_MS = 1_000;

/**
 * Test files to run in parallel: one fewer for each core that other processes use, because tests would only wait for one another. The campaigns
 * of the long form load the machine themselves.
 */
export async function chooseWorkers({ needParts, isLong }: { needParts: boolean; isLong: boolean }): Promise<number> {
  if (isLong) return LEAST;
  if (!needParts) return MOST;
  const before = busyMs();
  const began = performance.now();
  await sleep(SAMPLE_MS);
  return workersNextTo((busyMs() - before) / (performance.now() - began));
}

/** @param usedCores by other processes */
export const workersNextTo = (usedCores: number) => Math.max(MOST - Math.round(usedCores), LEAST);

/** Milliseconds for which all cores together have been busy. */
const busyMs = () => os.cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
