import { readFileSync } from 'node:fs';
import { TestStack } from '@classroom/testing';

/** MB of 1,048,576 bytes, some 15 above the table in docs/guides/capacity.md. While other tests load the machine, organization had 112. */
const LIMITS: Record<string, number> = {
  organization: 118,
  room: 120,
  gateway: 120,
  billing: 107,
  recording: 110,
  recorder: 95,
  media: 115,
  ai: 107,
};

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

  it.each(Object.entries(LIMITS))('%s stays below %d MB', async (app, limit) => {
    // The first start after a build compiles what later starts read from a cache.
    await stack.app(app).restart();
    expect(residentMb(stack.app(app).pid)).toBeLessThan(limit);
  });
});
