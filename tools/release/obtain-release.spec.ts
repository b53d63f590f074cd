import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { lastRelease, obtainRelease } from './obtain-release.ts';

const released = createRequire(import.meta.url)('../contracts/released') as { lastRelease(): { version: string } };

test('release.json names the release that contracts and migrations are compared with', () => {
  const { version, commit } = lastRelease();
  expect(version).toBe(released.lastRelease().version);
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
});

test('a commit that this clone does not have is told with what to do', async () => {
  const cache = fs.mkdtempSync(path.join(os.tmpdir(), 'release-'));
  const release = { version: '9.9.9', commit: 'f'.repeat(40) };
  await expect(obtainRelease({ cache, release })).rejects.toThrow(/9\.9\.9 at commit f{40}, which this clone does not have: fetch it/);
  fs.rmSync(cache, { recursive: true });
});
