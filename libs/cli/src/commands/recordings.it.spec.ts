import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../program.js';
import { MemoryIo } from '../testing/memory-io.js';

const FILM = 'x'.repeat(100_000);

describe('the download of recordings', () => {
  let server: Server;
  let url: string;
  let out: string;
  let filename: string;
  let send: (response: ServerResponse) => void;

  /** The answer of the API that matters here, and the storage behind its link. */
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/film') return send(response);
      response.setHeader('content-type', 'application/json');
      const files = [{ recordingId: 'rec_1', filename, downloadUrl: `${url}/film` }];
      response.end(JSON.stringify({ success: true, data: { roomId: 'algebra-1', files } }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    out = mkdtempSync(join(tmpdir(), 'vc-films-'));
    filename = 'Algebra.mp4';
    send = (response) => response.end(FILM);
  });
  afterEach(() => rmSync(out, { recursive: true }));

  async function download(...more: string[]) {
    const io = new MemoryIo({ XDG_CONFIG_HOME: out, VC_URL: url, VC_CREDENTIAL: 'vfo_1' });
    const code = await run(['recordings', 'download', 'algebra-1', '--out', out, ...more], io);
    return { code, out: io.written, err: io.remarks };
  }

  it('saves each file under its name, and replaces none unless asked to', async () => {
    expect(await download()).toMatchObject({ code: 0, out: expect.stringContaining(`${join(out, 'Algebra.mp4')}  100000`) });
    expect(readFileSync(join(out, 'Algebra.mp4'), 'utf8')).toBe(FILM);
    expect(await download()).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--force') });
    expect(await download('--force')).toMatchObject({ code: 0 });
    expect(await download('--recording', 'rec_2')).toMatchObject({ code: 1, err: expect.stringContaining('vc recordings list algebra-1') });
  });

  it('leaves no part of a file that did not arrive completely', async () => {
    send = (response) => {
      response.writeHead(200, { 'content-length': FILM.length });
      response.write(FILM.slice(1), () => response.destroy());
    };
    expect(await download()).toMatchObject({ code: 1, err: expect.stringMatching(/^Error: /) });
    expect(readdirSync(out)).toEqual([]);
  });

  it('reports what the storage refused', async () => {
    send = (response) => response.writeHead(403).end();
    expect(await download()).toMatchObject({ code: 1, err: expect.stringContaining('HTTP 403 for Algebra.mp4') });
    expect(readdirSync(out)).toEqual([]);
  });

  it('writes into the folder alone, whatever a file is called', async () => {
    filename = '../../escaped.mp4';
    expect(await download()).toMatchObject({ code: 0 });
    expect(readdirSync(out)).toEqual(['escaped.mp4']);
  });
});
