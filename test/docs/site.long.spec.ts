import type { Server } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, inLongForm } from '@classroom/testing';
import { violationsOf } from '../system/accessibility.js';
import { launchBrowser } from '../system/browser.js';

jest.setTimeout(120_000);

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

const { buildSite, SITE } = require('../../tools/docs/site') as { buildSite(home: string): Promise<void>; SITE: string };
const { serve } = require('../../tools/docs/serve') as {
  serve(folder: string, port: number): Promise<{ server: Server; address: string }>;
};
const { addressOf, markdownFiles, readMarkdown } = require('../../tools/docs/pages') as {
  addressOf(file: string): string;
  markdownFiles(): string[];
  readMarkdown(file: string): string;
};

describe('the documentation site', () => {
  const home = mkdtempSync(join(tmpdir(), 'classroom-site-'));
  let server: Server;
  let address: string;
  let browser: Browser;
  let page: Page;
  /** Requests to other origins, failed requests, and errors of the page's scripts. */
  const faults: string[] = [];

  beforeAll(async () => {
    await buildSite(home);
    ({ server, address } = await serve(SITE, 0));
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.on('request', (request) => {
      if (/^(?:https?|wss?):/.test(request.url()) && !request.url().startsWith(address)) faults.push(`asks ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) faults.push(message.text());
    });
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    rmSync(home, { recursive: true, force: true });
  });

  const open = (path: string) => page.goto(new URL(path, address).href);
  const shows = (selector: string) => page.waitForSelector(selector, { timeout: 60_000 });

  it('has a page for every Markdown file of the repository', async () => {
    const statuses = await Promise.all(
      markdownFiles().map(async (file) => [file, (await fetch(new URL(addressOf(file), address))).status] as const),
    );
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
    const statusOf = async (path: string) => (await fetch(new URL(path, address))).status;
    expect([await statusOf('/guides/console'), await statusOf('/missing.html'), await statusOf('/missing')]).toEqual([200, 404, 404]);
  });

  it('loads nothing from other sites, and every link of its navigation', async () => {
    await open('/');
    await shows('h1');
    const links = await page
      .locator('.VPSidebar a, .vp-doc a, .VPNav a')
      .evaluateAll((all) => all.map((a) => (a as unknown as { href: string }).href));
    const ours = [...new Set(links.map((link) => link.replace(/#.*/, '')))].filter((link) => link.startsWith(address));
    expect(ours.length).toBeGreaterThan(80);
    const statuses = await Promise.all(ours.map(async (link) => [link, (await fetch(link)).status] as const));
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
    expect(faults).toEqual([]);
  });

  inLongForm(it)('draws the diagrams', async () => {
    await open('/architecture.html');
    const written = readMarkdown('docs/architecture.md').match(/^```mermaid$/gm)?.length ?? 0;
    expect(written).toBeGreaterThan(1);
    await eventually(async () => expect(await page.locator('figure.diagram > svg').count()).toBe(written));
    expect(faults).toEqual([]);
  });

  inLongForm(it)('finds an operation and opens the reference at it', async () => {
    await open('/');
    await page.click('.DocSearch-Button');
    await page.fill('.search-input', 'Create room');
    await shows('.result[href*="api-reference"]');
    await page.click('.result[href*="api-reference"][href*="/POST/v1/room/create"]');
    await page.waitForURL(/api-reference\.html#/);
    const operation = page.locator('.api-reference h3', { hasText: 'Create room' });
    await operation.waitFor({ timeout: 60_000 });
    await eventually(async () => expect(await operation.evaluate((it) => it.getBoundingClientRect().top)).toBeLessThan(900));
    expect(faults).toEqual([]);
  });

  it('has no violation of accessibility in either theme, also where a page does not exist', async () => {
    const found: string[] = [];
    for (const [path, ready] of [
      ['/', 'h1'],
      ['/architecture', 'figure.diagram > svg'],
      ['/guides/quickstarts/node', 'h1'],
      ['/missing', 'main h1'],
      ['/api-reference', '.api-reference h1'],
    ] as const) {
      await open(path);
      await shows(ready);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        // The reference is another project's: its colors are ours.
        const isOurs = (violation: string) => !path.includes('reference') || violation.includes('color-contrast');
        found.push(...(await violationsOf(page, `${path} in ${colorScheme}`)).filter(isOurs));
      }
    }
    expect([found, faults.filter((fault) => !fault.endsWith('/missing'))]).toEqual([[], []]);
  });

  it('offers the search where a page does not exist', async () => {
    await open('/missing');
    await page.click('.not-found button');
    await page.fill('.search-input', 'Console');
    await shows('.result[href*="console"]');
  });

  it('opens the copy of a source that a page links to', async () => {
    expect(await (await fetch(new URL('/files/LICENSE.txt', address))).text()).toContain('Apache License');
    expect(await (await fetch(new URL('/files/deploy/helm/virtual-classroom/files/alerts/index.html', address))).text()).toMatch(
      /<a href="\/files\/deploy\/helm\/virtual-classroom\/files\/alerts\/[^"]+\.txt">/,
    );
  });
});
