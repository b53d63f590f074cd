import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';

/** What a page asks of the network, and what it complains of. */
export class PageWatch {
  /** Everyone who was asked for anything, in whatever protocol. */
  readonly hosts = new Set<string>();
  /** Errors on the console, exceptions, violations of the page's policy. */
  readonly problems: string[] = [];
  private readonly responses: Response[] = [];

  constructor(page: Page) {
    page.on('request', (request) => this.note(request.url()));
    page.on('websocket', (socket) => this.note(socket.url()));
    page.on('response', (response) => this.responses.push(response));
    page.on('pageerror', ({ message }) => this.problems.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
  }

  /** Bytes of each file that was fetched so far, gzipped, by its path. */
  async downloads(): Promise<Record<string, number>> {
    const sizes = this.responses.map(async (response): Promise<[string, number]> => {
      const body = await response.body().catch(() => Buffer.alloc(0));
      return [new URL(response.url()).pathname, gzipSync(body).length];
    });
    return Object.fromEntries(await Promise.all(sizes));
  }

  /** Takes these complaints for what they should be. */
  expect(pattern: RegExp): void {
    this.problems.splice(0, Infinity, ...this.problems.filter((problem) => !pattern.test(problem)));
  }

  private note(url: string): void {
    const { host, protocol } = new URL(url);
    if (/^(http|ws)s?:$/.test(protocol)) this.hosts.add(host);
  }
}
