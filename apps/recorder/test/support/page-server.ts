import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const ASSETS = join(__dirname, '..', '..', '..', 'classroom', 'dist');
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' };

/** The built recording page, as the gateway serves it. */
export class PageServer {
  private constructor(
    readonly url: string,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  static async listen(): Promise<PageServer> {
    await readFile(join(ASSETS, 'recording.html')).catch(() => {
      throw new Error('the recording page is not built: nx run classroom:build');
    });
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://page');
      const file = pathname === '/recording' ? '/recording.html' : pathname;
      const send = async () => {
        const content = await readFile(join(ASSETS, file));
        response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(content);
      };
      send().catch(() => response.writeHead(404).end());
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    return new PageServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}/recording`, server);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
