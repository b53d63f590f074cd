import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request as requestTo, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '..', '..');
const TYPES: Record<string, string> = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript' };

/** A school's own page (`embed-host/`) that embeds the classroom with our package. Built once, served at any number of addresses. */
export class HostPage {
  private readonly servers: Server[] = [];

  private constructor(private readonly folder: string) {}

  /** Builds with React's development build, because only there StrictMode mounts everything twice. */
  static async build(): Promise<HostPage> {
    const folder = await mkdtemp(join(tmpdir(), 'embed-host-'));
    const vite = join(root, 'apps', 'classroom', 'node_modules', 'vite', 'bin', 'vite.js');
    const config = join(__dirname, 'embed-host', 'vite.config.mjs');
    await promisify(execFile)(process.execPath, [vite, 'build', '--mode', 'development', '--config', config, '--outDir', folder], {
      env: { ...process.env, NODE_ENV: 'development' },
    });
    return new HostPage(folder);
  }

  /** Serves the page at a new port. @returns its host, in the format of verified domains */
  serve(headers: Record<string, string> = {}): Promise<string> {
    return this.listen((request, response) => {
      const path = new URL(request.url ?? '/', 'http://host').pathname;
      const file = path === '/' ? 'index.html' : path.slice(1);
      readFile(join(this.folder, file)).then(
        (body) => response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain', ...headers }).end(body),
        () => response.writeHead(404).end(),
      );
    });
  }

  /** Serves the gateway as seen by a browser that does not support `frame-ancestors`. */
  serveWithoutPolicy(gateway: string): Promise<string> {
    return this.listen((request, response) => {
      const { host: _, ...headers } = request.headers;
      const passed = requestTo(new URL(request.url ?? '/', gateway), { method: request.method, headers }, (answer) => {
        const { 'content-security-policy': _, ...answered } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, answered);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      request.pipe(passed);
    });
  }

  private async listen(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    this.servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      server.close();
    }
    await rm(this.folder, { recursive: true });
  }
}
