import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@classroom/testing';
import { findSandbox } from '../src/captures/chromium.js';
import { RecordingPage } from '../src/captures/recording-page.js';

jest.setTimeout(90_000);

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const portOf = (server: Server) => (server.address() as AddressInfo).port;
const LISTENER = { onStart: () => undefined, onEnd: () => undefined, onBroken: () => undefined, onMessage: async () => undefined };

/** Serves a page with these images, which report to it whether they loaded. Everything else is an image. */
async function show(images: (port: number) => Record<string, string>) {
  const requested: string[] = [];
  const shown: Record<string, boolean> = {};
  const server = createServer(({ url = '', headers }, answer) => {
    const { pathname, searchParams } = new URL(url, 'http://page');
    if (pathname === '/report') shown[searchParams.get('name') ?? ''] = searchParams.get('ok') === '1';
    if (pathname === '/recording' || pathname === '/report') {
      const report = (name: string, ok: number) => `fetch('/report?name=${name}&amp;ok=${ok}')`;
      const html = Object.entries(images(portOf(server))).map(
        ([name, src]) => `<img src="${src}" onload="${report(name, 1)}" onerror="${report(name, 0)}">`,
      );
      answer.writeHead(200, { 'content-type': 'text/html' }).end(html.join('\n'));
    } else {
      requested.push(`${headers.host}${url}`);
      answer.writeHead(200, { 'content-type': 'image/png', 'access-control-allow-origin': '*' }).end(PIXEL);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const profile = await mkdtemp(join(tmpdir(), 'recorder-images-'));
  const address = `http://127.0.0.1:${portOf(server)}/recording`;
  const page = await RecordingPage.launch(findSandbox(CHROMIUM, 'auto'), { address, profile, preset: 'H264_720P_30' }, LISTENER);
  try {
    await page.open();
    await eventually(() => expect(Object.keys(shown).sort()).toEqual(Object.keys(images(1)).sort()));
    return { shown, requested: requested.filter((path) => !path.endsWith('/favicon.ico')), host: new URL(address).host };
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

test("a recorder's browser loads no image from another origin, even if the page lets it", async () => {
  const { shown, requested, host } = await show((port) => ({
    own: '/pictures/own',
    other: `http://localhost:${port}/elsewhere`,
  }));
  expect(shown).toEqual({ own: true, other: false });
  expect(requested).toEqual([`${host}/pictures/own`]);
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
