import { createReadStream, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** @returns the file of an address, or undefined if there is none */
function fileOf(folder: string, address: string): string | undefined {
  try {
    const path = normalize(decodeURIComponent(new URL(address, 'http://127.0.0.1').pathname));
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    // An address without `.html` is that of a page, too.
    return [file, `${file}.html`].find((one) => statSync(one, { throwIfNoEntry: false })?.isFile());
  } catch {
    return undefined;
  }
}

/**
 * Serves the files of a folder on loopback.
 * @param port 0: any free one
 * @returns the server and its address
 */
export async function serve(folder: string, port: number): Promise<{ server: Server; address: string }> {
  const server = createServer(({ url = '/' }, response) => {
    const found = fileOf(folder, url);
    const file = found ?? join(folder, '404.html');
    response.writeHead(found ? 200 : 404, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
