import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as released from '../contracts/released.ts';
import { lastRelease, obtainRelease } from './obtain-release.ts';

test('release.json names the release that contracts and migrations are compared with', () => {
  const { version, commit } = lastRelease();
  expect(version).toBe(released.lastRelease().version);
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
});

test('a commit that this clone does not have is reported with what to do', async () => {
  const cache = fs.mkdtempSync(path.join(os.tmpdir(), 'release-'));
  const release = { version: '9.9.9', commit: 'f'.repeat(40) };
  await expect(obtainRelease({ cache, release })).rejects.toThrow(/9\.9\.9 at commit f{40}, which this clone does not have: fetch it/);
  fs.rmSync(cache, { recursive: true });
});
