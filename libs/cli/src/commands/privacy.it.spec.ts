import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../program.js';
import { MemoryIo } from '../testing/memory-io.js';

const ZIP = Buffer.from('a ZIP file');
const EXPORT_ID = 'exp_9Rs2Lm4Np6Qt8Vw1Xy3Z';

/** What the system tests cannot cause: a damaged file, and answers of a person at a terminal. */
describe('personal data', () => {
  let server: Server;
  let url: string;
  let out: string;
  let sha256: string;
  let states: object[];
  let erasing: object;
  const posted: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/file') return response.end(ZIP);
      if (request.method === 'POST') posted.push(request.url ?? '');
      const erasure = {
        erasureId: 'era_1',
        status: 'COMPLETED',
        waitingFor: [],
        requestedAt: '2026-01-15T10:00:00Z',
        receipt: null,
        ...erasing,
      };
      if (request.method === 'DELETE')
        return response.end(JSON.stringify({ success: true, data: { erasureId: 'era_1', cancelledAt: '2026-01-15T10:05:00Z' } }));
      const state = states.length > 1 && request.method === 'GET' ? states.shift() : states[0];
      const one = { exportId: EXPORT_ID, ...state, downloadUrl: `${url}/file`, sha256 };
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify({ success: true, data: request.url?.includes('erasures') ? erasure : one }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    out = mkdtempSync(join(tmpdir(), 'vc-exports-'));
    sha256 = createHash('sha256').update(ZIP).digest('hex');
    states = [{ status: 'COMPLETED', waitingFor: [] }];
    erasing = {};
    posted.length = 0;
  });
  afterEach(() => rmSync(out, { recursive: true }));

  async function vc(args: string[], answer?: string) {
    const io = new MemoryIo({ XDG_CONFIG_HOME: out, VC_URL: url, VC_CREDENTIAL: 'vfo_1' });
    io.isInteractive = answer !== undefined;
    io.input = answer ?? '';
    return { code: await run(['privacy', ...args], io), out: io.written, err: io.remarks };
  }

  it('is exported: what is waited for is shown when it changes, and the file is saved', async () => {
    const waiting = { status: 'RUNNING', waitingFor: ['billing', 'room'] };
    states = [waiting, waiting, { status: 'RUNNING', waitingFor: [] }, { status: 'COMPLETED', waitingFor: [] }];
    const { code, err } = await vc(['export', '--uid', 'ada', '--out', out]);
    expect([code, err.split('\n').slice(1)]).toEqual([0, ['Waiting for billing, room …', 'Waiting for the result …', '']]);
    expect(readFileSync(join(out, `${EXPORT_ID}.zip`))).toEqual(ZIP);
  });

  it('is not saved if the file is damaged', async () => {
    sha256 = 'f'.repeat(64);
    expect(await vc(['download', EXPORT_ID, '--out', out])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('is damaged') });
    expect(readdirSync(out)).toEqual([]);
  });

  it.each([
    ['ada', 0],
    ['yes', 1],
    ['', 1],
  ])('is erased only after its name was typed: %j', async (answer, code) => {
    expect(await vc(['erase', '--uid', 'ada'], answer)).toMatchObject({ code });
    expect(posted).toEqual(code === 0 ? ['/v1/privacy/erasures'] : []);
  });

  it('of an organization is erased later: the command ends, says when, and another one cancels it', async () => {
    erasing = { status: 'PENDING', waitingFor: ['room'], beginsAt: '2026-01-18T10:00:00Z' };
    const { code, out: shown } = await vc(['erase', '--organization', '--yes']);
    expect([code, shown]).toEqual([0, expect.stringMatching(/Begins +2026-01-18T10:00:00Z/)]);
    expect(await vc(['cancel', 'era_1'])).toMatchObject({ code: 0, out: expect.stringMatching(/Cancelled +2026-01-15T10:05:00Z/) });
  });

  it.each([
    [['erase', '--yes']],
    [['export', '--uid', 'ada', '--room', 'algebra-1']],
    [['erase', '--uid', 'ada', '--organization', '--yes']],
  ])('is of one person, one class or the organization: %p', async (args) => {
    expect(await vc(args)).toMatchObject({ code: 1, err: expect.stringContaining('one of --uid, --room and --organization') });
    expect(posted).toEqual([]);
  });
});
