import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { applyFaults, type Faults, type FaultsPatch, noFaults } from './faults.js';
import type { DisconnectReason, TrackMessage } from './messages.js';
import type { SimulatedNode } from './node.js';
import { fromProtobuf, toProtobuf } from './protobuf.js';
import type { RoomService } from './room-service.js';
import { holdStamps } from './stamps.js';
import { type Claims, verifyToken } from './tokens.js';
import type { Truth } from './truth.js';
import { PlainError, TwirpError } from './twirp-error.js';
import type { WebhookNotifier } from './webhooks/notifier.js';

/** A client's token, or its claims when signing thousands of tokens would only cost time. */
export interface ConnectRequest {
  token?: string;
  claims?: Claims;
  activeAfterMs?: number | null;
}

export interface ConnectAnswer {
  sid: string;
  room: string;
  identity: string;
  joinedAtMs: number;
}

export interface CrashRequest {
  sid: string;
  /** In LiveKit's time; null: never noticed, a ghost. */
  noticedAfterMs?: number | null;
}

/** The `/sim/*` routes. Each accepts and returns JSON. */
export class Control {
  readonly #routes: Record<string, (body: never) => unknown> = {
    'POST /sim/connect': (body: ConnectRequest) => this.#connect(body),
    'POST /sim/connect-many': (body: ConnectRequest[]) => Promise.all(body.map((one) => this.#connect(one))),
    'POST /sim/activate': ({ sid }: { sid: string }) => this.node.connections.activate(sid),
    'POST /sim/leave': (body: { sid: string; reason?: DisconnectReason }) => this.node.connections.leave(body.sid, body.reason),
    'POST /sim/leave-many': (sids: string[]) => sids.forEach((sid) => this.node.connections.leave(sid)),
    'POST /sim/leave-during-activation': ({ sid }: { sid: string }) => this.node.connections.leaveDuringActivation(sid),
    'POST /sim/crash': (body: CrashRequest) => this.node.connections.crash(body.sid, body.noticedAfterMs),
    'POST /sim/resume': ({ sid }: { sid: string }) => this.node.connections.resume(sid),
    'POST /sim/publish': (body: { sid: string } & Pick<TrackMessage, 'name' | 'type' | 'source'>) => {
      const { sid, ...track } = body;
      return this.node.connections.publish(sid, track);
    },
    'POST /sim/lose-node': ({ downMs = 0 }: { downMs?: number }) => this.node.lose(downMs),
    'POST /sim/stop-node': ({ downMs = 0 }: { downMs?: number }) => this.node.stop(downMs),
    'POST /sim/faults': (patch: FaultsPatch) => this.#setFaults(patch),
    'DELETE /sim/faults': () => applyFaults(this.faults, noFaults()),
    'GET /sim/stats': () => ({
      rooms: this.node.rooms.size,
      connections: this.node.connections.count,
      webhooks: this.notifiers.map((notifier) => notifier.counts),
    }),
    'POST /sim/clock': ({ now }: { now: string }) => holdStamps(Date.parse(now)),
    'DELETE /sim/truth': () => this.truth.clear(),
  };

  constructor(
    private readonly keys: ReadonlyMap<string, string>,
    private readonly node: SimulatedNode,
    private readonly service: RoomService,
    private readonly truth: Truth,
    private readonly notifiers: readonly WebhookNotifier[],
    private readonly faults: Faults,
  ) {}

  async handle(method: string, url: URL, body: string): Promise<unknown> {
    const name = `${method} ${url.pathname}`;
    if (name === 'GET /sim/packets') return this.node.connections.packets(url.searchParams.get('sid') ?? '');
    if (name === 'GET /sim/truth') return this.truth.list(url.searchParams.get('room') ?? undefined);
    const route = this.#routes[name];
    if (!route) throw new PlainError(404, `no route ${name}`);
    return route(JSON.parse(body || '{}') as never);
  }

  async #connect({ token, claims, activeAfterMs }: ConnectRequest): Promise<ConnectAnswer> {
    if (!this.node.isUp) throw new PlainError(502, 'connection refused: the node is down');
    const checked = token === undefined ? claims : verifyToken(token, this.keys);
    if (!checked) throw new PlainError(400, 'connect needs a token or claims');
    const { sid, identity, joinedAtMs } = await this.node.join(checked, { activeAfterMs });
    return { sid, room: checked.video?.room ?? '', identity, joinedAtMs };
  }

  #setFaults(patch: FaultsPatch): Faults {
    if (patch.lists?.mode === 'stale') this.service.freezeLists();
    applyFaults(this.faults, patch);
    return this.faults;
  }
}

const twirpPrefix = '/twirp/livekit.RoomService/';
const bearer = 'Bearer ';
const JSON_TYPE = 'application/json';
const PROTOBUF_TYPE = 'application/protobuf';

interface Parts {
  keys: ReadonlyMap<string, string>;
  node: SimulatedNode;
  service: RoomService;
  control: Control;
  faults: Faults;
}

/** The HTTP server with LiveKit's API and the `/sim/*` routes, to which no fault applies. */
export function createSimulatorServer(parts: Parts): Server {
  return createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    answer(parts, incoming, outgoing).catch((error: unknown) => refuse(outgoing, error));
  });
}

async function answer(parts: Parts, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1');
  if (url.pathname.startsWith('/sim/')) {
    const body = (await readBody(incoming)).toString();
    const result = await parts.control.handle(incoming.method ?? 'GET', url, body);
    return send(outgoing, 200, JSON_TYPE, JSON.stringify(result ?? {}));
  }
  const method = url.pathname.startsWith(twirpPrefix) ? url.pathname.slice(twirpPrefix.length) : undefined;
  if (!(await isLetThrough(parts, method, incoming, outgoing))) return;
  if (url.pathname === '/') return send(outgoing, 200, 'text/plain; charset=utf-8', 'OK');
  const claims = authenticate(parts.keys, incoming, url);
  if (method === undefined) throw new PlainError(404, '404 page not found\n');
  const type = twirpType(incoming, url);
  const body = await readBody(incoming);
  if (type === JSON_TYPE) {
    const result = await parts.service.call(method, claims, body.toString());
    return send(outgoing, 200, type, JSON.stringify(result));
  }
  send(outgoing, 200, type, toProtobuf(method, await parts.service.call(method, claims, fromProtobuf(method, body))));
}

/** Applies the current faults of the API. A node that is down looks like a refused connection: the socket is cut. */
async function isLetThrough(
  { node, faults }: Parts,
  method: string | undefined,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<boolean> {
  const { mode, methods, latencyMs } = faults.api;
  if (!node.isUp) {
    incoming.socket.destroy();
    return false;
  }
  if (methods.length > 0 && !methods.includes(method ?? '')) return true;
  if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
  if (mode === 'refuse') incoming.socket.destroy();
  if (mode === 'unavailable') send(outgoing, 503, 'text/plain; charset=utf-8', 'Service Unavailable');
  return mode === 'up';
}

/** pkg/service/auth.go: a token that is present must be valid on every path; each method decides whether it needs one. */
function authenticate(keys: ReadonlyMap<string, string>, incoming: IncomingMessage, url: URL): Claims | undefined {
  const header = incoming.headers.authorization ?? '';
  if (header && !header.startsWith(bearer)) {
    throw new PlainError(401, `invalid authorization header. Must start with ${bearer}`);
  }
  const token = header ? header.slice(bearer.length) : url.searchParams.get('access_token');
  return token ? verifyToken(token, keys) : undefined;
}

/** @returns the content type of the request, which the answer has too */
function twirpType(incoming: IncomingMessage, url: URL): string {
  const route = `${incoming.method} ${url.pathname}`;
  const bad = (message: string) => new TwirpError('bad_route', message, { twirp_invalid_route: route });
  if (incoming.method !== 'POST') throw bad(`unsupported method "${incoming.method}" (only POST is allowed)`);
  const type = incoming.headers['content-type'] ?? '';
  const known = [JSON_TYPE, PROTOBUF_TYPE].find((one) => one === type.split(';')[0]?.trim());
  if (!known) throw bad(`unexpected Content-Type: "${type}"`);
  return known;
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function refuse(outgoing: ServerResponse, error: unknown): void {
  if (error instanceof TwirpError) {
    const { code, message: msg, meta } = error;
    // The SDK reads the error only if the content type is exactly this (dist/TwirpRPC.js toTwirpError).
    send(outgoing, error.status, JSON_TYPE, JSON.stringify({ code, msg, meta }));
  } else if (error instanceof PlainError) {
    send(outgoing, error.status, 'text/plain; charset=utf-8', error.message);
  } else {
    send(outgoing, 500, 'text/plain; charset=utf-8', error instanceof Error ? (error.stack ?? error.message) : 'failed');
  }
}

function send(outgoing: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  if (outgoing.destroyed || outgoing.headersSent) return;
  // Node's own Date header does not use Date.now.
  const date = new Date(Date.now()).toUTCString();
  outgoing.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), vary: 'Origin', date });
  outgoing.end(body);
}
