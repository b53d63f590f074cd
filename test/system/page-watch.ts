import { gzipSync } from 'node:zlib';
import type { Page, Response } from 'playwright-core';

/** Records a page's network requests and errors. */
export class PageWatch {
  /** All hosts that the page contacted, in any protocol. */
  readonly hosts = new Set<string>();
  /** Console errors, exceptions, and violations of the page's security policy. */
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

  /** Gzipped size in bytes of each file fetched so far, by path. */
  async downloads(): Promise<Record<string, number>> {
    const sizes = this.responses.map(async (response): Promise<[string, number]> => {
      const body = await response.body().catch(() => Buffer.alloc(0));
      return [new URL(response.url()).pathname, gzipSync(body).length];
    });
    return Object.fromEntries(await Promise.all(sizes));
  }

  /** Removes expected problems. */
  expect(pattern: RegExp): void {
    this.problems.splice(0, Infinity, ...this.problems.filter((problem) => !pattern.test(problem)));
  }

  private note(url: string): void {
    const { host, protocol } = new URL(url);
    if (/^(http|ws)s?:$/.test(protocol)) this.hosts.add(host);
  }
}
