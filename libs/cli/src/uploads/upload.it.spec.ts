import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { upload } from './upload.js';

const BYTES = randomBytes(10_000);
/** Of a request. */
const CHUNK = 3_000;

describe('an upload', () => {
  let server: Server;
  let url: string;
  let folder: string;
  let file: string;
  let stored: Buffer;
  /** Answers a PATCH in place of the server; returns false to let it answer. */
  let disturb: (body: Buffer, response: ServerResponse, request: IncomingMessage) => boolean;

  /** The service as tus 1.0 describes it. */
  beforeAll(async () => {
    server = createServer((request, response) => {
      void buffer(request).then((body) => {
        const isAt = Number(request.headers['upload-offset']) === stored.length;
        if (request.headers['tus-resumable'] !== '1.0.0') return response.writeHead(412).end();
        if (request.method === 'PATCH') {
          if (disturb(body, response, request)) return undefined;
          if (!isAt) return response.writeHead(409).end();
          stored = Buffer.concat([stored, body]);
        }
        return response.writeHead(request.method === 'HEAD' ? 200 : 204, { 'upload-offset': stored.length }).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/uploads/1`;
    folder = mkdtempSync(join(tmpdir(), 'vc-upload-'));
    file = join(folder, 'film.mp4');
    writeFileSync(file, BYTES);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    stored = Buffer.alloc(0);
    disturb = () => false;
  });

  const shares: number[] = [];
  const run = () => {
    shares.length = 0;
    return upload(file, url, { size: BYTES.length, sent: (share) => shares.push(share), chunkBytes: CHUNK, retryMs: 1 });
  };

  it('sends every byte, and says how much has arrived', async () => {
    await run();
    expect([stored.equals(BYTES), shares]).toEqual([true, [0.3, 0.6, 0.9, 1]]);
  });

  it('continues where the bytes end that arrived, whatever became of the answer', async () => {
    let calls = 0;
    disturb = (body, response) => {
      calls += 1;
      if (calls === 2) stored = Buffer.concat([stored, body.subarray(0, 1_000)]);
      if (calls === 4) stored = Buffer.concat([stored, body]);
      if (calls % 2 === 0) response.destroy();
      return calls % 2 === 0;
    };
    await run();
    expect([stored.equals(BYTES), shares.at(-1)]).toEqual([true, 1]);
  });

  it('is repeated after a temporary refusal', async () => {
    const refusals = [503, 423, 429];
    disturb = (_, response) => {
      const status = refusals.shift();
      if (status) response.writeHead(status).end();
      return status !== undefined;
    };
    await run();
    expect([stored.equals(BYTES), refusals]).toEqual([true, []]);
  });

  it('ends at once if it is refused for good, and after some attempts otherwise', async () => {
    let calls = 0;
    let status = 410;
    disturb = (_, response) => {
      calls += 1;
      response.writeHead(status).end();
      return true;
    };
    await expect(run()).rejects.toThrow('refused with HTTP 410');
    expect(calls).toBe(1);
    status = 503;
    await expect(run()).rejects.toThrow(`${file} could not be sent: HTTP 503`);
    expect(calls).toBe(8);
  });

  it('ends if the file becomes shorter', async () => {
    disturb = () => {
      writeFileSync(file, BYTES.subarray(0, CHUNK));
      return false;
    };
    try {
      await expect(run()).rejects.toThrow('became shorter');
    } finally {
      writeFileSync(file, BYTES);
    }
  });
});
