import { readFileSync } from 'node:fs';
import { eventually, TestStack } from '@classroom/testing';

const APPS = ['organization', 'room', 'gateway', 'billing', 'recording', 'recorder', 'media', 'ai'];
/** MB of 1,048,576 bytes, for each process. The table in docs/guides/capacity.md has what they use. */
const LIMIT = 130;

/** Resident memory of a process in MB: its own, and what it has mapped from files. */
function residentMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = [...status.matchAll(/^Rss(?:Anon|File):\s+(\d+) kB$/gm)].map(([, value]) => Number(value));
  return Math.round(kilobytes.reduce((sum, value) => sum + value, 0) / 1024);
}

describe('the memory of an idle process', () => {
  let stack: TestStack;

  beforeAll(async () => {
    stack = await TestStack.start();
  });

  afterAll(() => stack?.stop());

  it.each(APPS)('%s stays below 130 MB', async (app) => {
    // The first start after a build compiles what later starts read from a cache.
    await stack.app(app).restart();
    // Until the process has been idle for some seconds, it has what its start left.
    await eventually(() => expect(residentMb(stack.app(app).pid)).toBeLessThan(LIMIT));
  });
});
