import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { REPO, run } from './support/programs.js';

jest.setTimeout(60_000);

const { nodeBinary } = require('../../tools/stack/toolchain') as { nodeBinary(): string };

interface Advisory {
  id: number;
  url: string;
  title: string;
  severity: string;
  vulnerable_versions: string;
}
const advisory = (id: string, severity: string, versions: string): Advisory => ({
  id: 1,
  url: `https://github.com/advisories/${id}`,
  title: 'Endless loop',
  severity,
  vulnerable_versions: versions,
});
const FAILED = { status: 405, body: 'not allowed' };
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'classroom-audit-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Asked {
  answer?: Record<string, Advisory[]> | typeof FAILED;
  exceptions?: object[];
  args?: string[];
}

/** Runs the command with pnpm itself, against a registry that knows these advisories. */
async function audit({ answer = {}, exceptions = [], args = [] }: Asked) {
  const asked: Record<string, string[]>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      if (body.length > 0) {
        const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
        asked.push(JSON.parse(text.toString()) as Record<string, string[]>);
      }
      const { status, body: text } = 'status' in answer ? (answer as typeof FAILED) : { status: 200, body: JSON.stringify(answer) };
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const file = join(folder, 'exceptions.json');
  writeFileSync(file, JSON.stringify(exceptions));
  try {
    const env = { ...process.env, pnpm_config_registry: registry };
    const ended = await run(nodeBinary(), [join('tools', 'supply', 'audit.ts'), '--exceptions', file, ...args], { env });
    return { ...ended, asked };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const ZOD = { zod: [advisory('GHSA-aaaa-bbbb-cccc', 'high', '<99.0.0')] };
const exception = { advisory: 'GHSA-aaaa-bbbb-cccc', package: 'zod', reason: 'Only our own schemas are parsed.', expires: day(1) };

it('asks about production dependencies and passes without a vulnerability', async () => {
  const { code, stdout, stderr, asked } = await audit({});
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^\d{3} packages: 0 vulnerabilities of severity moderate or higher/m);
  const names = Object.keys(asked[0] ?? {});
  // `livekit-client` is part of the page.
  expect(names).toEqual(expect.arrayContaining(['fastify', 'typeorm', 'livekit-client']));
  expect(names).not.toContain('jest');
});

it('fails for a vulnerability, and names package, severity, path and fixed version', async () => {
  const { code, stdout } = await audit({ answer: ZOD });
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^high: zod 4\.\d+\.\d+: Endless loop\n {4}path: \S+ > zod \(and \d+ more\)\n {4}fixed in: >=99\.0\.0\n {4}https:/m,
  );
});

it('passes for less severe ones', async () => {
  const answer = { zod: [advisory('GHSA-aaaa-bbbb-cccc', 'moderate', '<99.0.0')] };
  expect((await audit({ answer, args: ['--level', 'high'] })).code).toBe(0);
  expect((await audit({ answer, args: ['--level', 'moderate'] })).code).toBe(1);
});

it('passes with an exception until its date, then fails', async () => {
  expect((await audit({ answer: ZOD, exceptions: [exception] })).code).toBe(0);
  const { code, stdout } = await audit({ answer: ZOD, exceptions: [{ ...exception, expires: day(-2) }] });
  expect(code).toBe(1);
  expect(stdout).toContain('expired exception: GHSA-aaaa-bbbb-cccc (zod)');
});

it('fails for an expired exception without a vulnerability', async () => {
  expect((await audit({ exceptions: [{ ...exception, expires: day(-2) }] })).code).toBe(1);
});

it.each([
  ['another advisory', { advisory: 'GHSA-xxxx-bbbb-cccc' }],
  ['another package', { package: 'fastify' }],
])('an exception for %s does not count', async (_what, other) => {
  expect((await audit({ answer: ZOD, exceptions: [{ ...exception, ...other }] })).code).toBe(1);
});

it.each([['reason'], ['expires']])('refuses an exception without %s', async (field) => {
  const { code, stderr } = await audit({ exceptions: [{ ...exception, [field]: '' }] });
  expect([code, stderr.split(':')[0]]).toEqual([2, 'An exception needs advisory, package, reason and expires (YYYY-MM-DD)']);
});

it('does not pass if the registry has no answer', async () => {
  const { code, stdout, stderr } = await audit({ answer: FAILED });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('The vulnerabilities are unknown: the package registry did not answer.');
  expect(stderr).toContain('405');
});

it('does not pass if the answer is not one about vulnerabilities', async () => {
  expect((await audit({ answer: { status: 200, body: '<html>' } })).code).toBe(2);
});

it('has valid exceptions, and none in pnpm’s own list, which has no dates', async () => {
  const { readExceptions } = require('../../tools/supply/audit') as { readExceptions(text: string): object[] };
  const text = readFileSync(join(REPO, 'tools', 'supply', 'audit-exceptions.json'), 'utf8');
  expect(readExceptions(text)).toBeInstanceOf(Array);
  expect(readFileSync(join(REPO, 'pnpm-workspace.yaml'), 'utf8')).not.toContain('auditConfig');
});
