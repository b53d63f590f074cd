import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const { obtainOldestNode } = require('../../../../tools/stack/toolchain') as { obtainOldestNode(): Promise<string> };

const LIBS = join(__dirname, '..', '..', '..');
const SDK = pathToFileURL(join(LIBS, 'sdk', 'dist', 'index.js')).href;
const VC = join(LIBS, 'cli', 'dist', 'main.js');

/** Prints how each call ends. After each part that arrives, memory is collected. */
const PROGRAM = `
import { setImmediate as turn } from 'node:timers/promises';
import { VirtualClassroom } from '${SDK}';
const client = (timeoutMs) =>
  new VirtualClassroom({ baseUrl: process.env.VC_URL, credential: 'vfo_1', timeoutMs, maxRetries: 0 });
const collect = async () => { for (let round = 0; round < 3; round++) { await turn(); gc(); } };
const named = (work) => work.then(() => 'answered', ({ name, message }) => name === 'Error' ? message : name);
const printed = {};

const controller = new AbortController();
const stream = client(60_000).events.stream({}, { signal: controller.signal });
await stream.next();
const next = named(stream.next());
await collect();
controller.abort(new Error('closed by the caller'));
printed.aborted = await next;

const silent = client(300).events.stream();
await silent.next();
const again = silent.next();
await collect();
printed.reconnected = (await again).value.sequence;
await silent.return();

const half = named(client(300).rooms.get('half'));
await collect();
printed.half = await half;
const none = named(client(300).rooms.get('none'));
await collect();
printed.none = await none;
const refusal = named(client(300).rooms.get('half-refusal'));
await collect();
printed.refusal = await refusal;
console.log(JSON.stringify(printed));
`;

/** Collects memory when the test asks for it. */
const ON_SIGNAL = `process.on('SIGUSR2', () => { gc(); gc(); process.stderr.write('collected'); })`;

/** The built client and program, on the oldest Node that they support and on that of the project. */
describe.each([
  ['the oldest Node', obtainOldestNode],
  ['the project’s Node', async () => process.execPath],
])('on %s, after garbage collection,', (_, obtain) => {
  let server: Server;
  let env: Record<string, string>;
  let node: string;
  let connections = 0;

  /** Each stream sends one event and is silent from then on. */
  function streamTo(response: ServerResponse): void {
    const sequence = ++connections;
    const event = { id: `evt_${sequence}`, type: 'room.created', timestamp: '2026-01-15T10:00:00.000Z', sequence, data: { roomId: 'a' } };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`id: ${sequence}\nevent: room.created\ndata: ${JSON.stringify(event)}\n\n`);
  }

  beforeAll(async () => {
    node = await obtain();
    server = createServer(({ url = '' }, response) => {
      if (url.startsWith('/v1/events/stream')) return streamTo(response);
      if (url.startsWith('/v1/events')) return response.end('{"success":true,"data":{"events":[],"lastSequence":0,"hasMore":false}}');
      if (url.endsWith('none')) return undefined;
      return response.writeHead(url.endsWith('refusal') ? 409 : 200, { 'content-length': 1_000 }).write('{"success":');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    env = { VC_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, VC_CREDENTIAL: 'vfo_1', HOME: '/nonexistent' };
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('the signal and the timeout end calls and streams', async () => {
    const { stdout } = await promisify(execFile)(node, ['--expose-gc', '--input-type=module', '--eval', PROGRAM], { env, timeout: 60_000 });
    expect(JSON.parse(stdout)).toEqual({
      aborted: 'closed by the caller',
      reconnected: connections,
      half: 'TimeoutError',
      none: 'TimeoutError',
      refusal: 'TimeoutError',
    });
  });

  it('Ctrl-C ends vc events tail, which says where to continue', async () => {
    const preload = `data:text/javascript,${encodeURIComponent(ON_SIGNAL)}`;
    const child = spawn(node, ['--expose-gc', '--import', preload, VC, 'events', 'tail'], { env, timeout: 60_000 });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
      if (text.includes('collected')) child.kill('SIGINT');
    });
    child.stdout.once('data', () => child.kill('SIGUSR2'));
    const [code] = (await once(child, 'close')) as [number | null];
    expect([code, err]).toEqual([0, expect.stringContaining(`Continue after the last event with: vc events tail --after ${connections}`)]);
  });
});
