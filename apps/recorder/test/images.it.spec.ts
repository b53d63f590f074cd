import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Outbound } from '@classroom/platform';
import { eventually } from '@classroom/testing';
import { findSandbox } from '../src/browser/find-sandbox.js';
import { RecordingPage } from '../src/browser/recording-page.js';

jest.setTimeout(90_000);

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const LISTENER = { onStart: () => undefined, onEnd: () => undefined, onBroken: () => undefined, onMessage: async () => undefined };

/** A school's host, and a page that shows the images it names. Each image reports to the page's host whether it loaded. */
class Hosts {
  readonly asked: string[] = [];
  readonly shown: Record<string, boolean> = {};
  private readonly servers: Server[] = [];

  private constructor() {}

  static async listen(images: (port: number) => Record<string, string>): Promise<{ hosts: Hosts; address: string }> {
    const hosts = new Hosts();
    const school = await hosts.serve((path, answer) => {
      hosts.asked.push(path);
      if (path.startsWith('/to?')) answer.writeHead(302, { location: path.slice('/to?'.length) }).end();
      else if (path === '/large')
        answer.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.concat([PIXEL, Buffer.alloc(11 * 1024 ** 2)]));
      else answer.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
    });
    const named = images(school);
    const page = await hosts.serve((path, answer) => {
      const { pathname, searchParams } = new URL(path, 'http://page');
      if (pathname === '/report') hosts.shown[searchParams.get('name') ?? ''] = searchParams.get('ok') === '1';
      const report = (name: string, ok: number) => `fetch('/report?name=${encodeURIComponent(name)}&amp;ok=${ok}')`;
      const html = Object.entries(named).map(
        ([name, src]) => `<img crossorigin src="${src}" onload="${report(name, 1)}" onerror="${report(name, 0)}">`,
      );
      answer.writeHead(200, { 'content-type': 'text/html' }).end(pathname === '/report' ? '' : html.join('\n'));
    });
    return { hosts, address: `http://127.0.0.1:${page}/recording` };
  }

  async close(): Promise<void> {
    for (const server of this.servers) server.closeAllConnections();
    await Promise.all(this.servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  private async serve(handle: (path: string, answer: ServerResponse) => void): Promise<number> {
    const server = createServer((request, answer) => handle(request.url ?? '', answer)).listen(0, '127.0.0.1');
    this.servers.push(server);
    await new Promise((resolve) => server.once('listening', resolve));
    return (server.address() as AddressInfo).port;
  }
}

/** Shows them in the recorder's browser, for which only `localhost`, by that name, is allowed. @returns what was shown and requested */
async function show(images: (port: number) => Record<string, string>): Promise<Pick<Hosts, 'asked' | 'shown'>> {
  const profile = await mkdtemp(join(tmpdir(), 'recorder-images-'));
  const { hosts, address } = await Hosts.listen(images);
  const outbound = new Outbound({ DEPLOYMENT: 'production', OUTBOUND_ALLOWED_HOSTS: ['localhost'] });
  const chromium = findSandbox(CHROMIUM, 'auto');
  const page = await RecordingPage.launch({ chromium, outbound }, { address, profile, preset: 'H264_720P_30' }, LISTENER);
  try {
    await page.open();
    await eventually(() => expect(Object.keys(hosts.shown).sort()).toEqual(Object.keys(images(1)).sort()));
    return hosts;
  } finally {
    await page.close();
    await hosts.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

test('images that schools configure are shown, and none at a private address is opened', async () => {
  const { shown, asked } = await show((port) => ({
    logo: `http://localhost:${port}/logo`,
    moved: `http://localhost:${port}/to?/new-logo`,
    loopback: `http://127.0.0.1:${port}/secret`,
    hexadecimal: `http://0x7f000001:${port}/secret`,
    mapped: `http://[::ffff:127.0.0.1]:${port}/secret`,
    redirected: `http://localhost:${port}/to?http://127.0.0.1:${port}/secret`,
    large: `http://localhost:${port}/large`,
  }));
  expect(shown).toEqual({ logo: true, moved: true, loopback: false, hexadecimal: false, mapped: false, redirected: false, large: false });
  expect(asked.filter((path) => path === '/secret')).toEqual([]);
});

test("Chromium's sandbox is used if it starts; otherwise the recorder captures without it, unless that is forbidden", async () => {
  const starts = await findSandbox(CHROMIUM, 'on').then(
    () => true,
    () => false,
  );
  // As a user other than root: Chromium refuses its sandbox to root as a container's profile refuses it to others.
  expect(await findSandbox(CHROMIUM, 'auto', false)).toEqual({ path: CHROMIUM, isSandboxed: starts });
  expect(await findSandbox(CHROMIUM, 'auto', true)).toEqual({ path: CHROMIUM, isSandboxed: false });
  expect(await findSandbox(CHROMIUM, 'off')).toEqual({ path: CHROMIUM, isSandboxed: false });
});
