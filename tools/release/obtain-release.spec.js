'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { lastRelease, obtainRelease } = require('./obtain-release');
const released = require('../contracts/released');

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
