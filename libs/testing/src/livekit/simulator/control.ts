import { applyFaults, type Faults, type FaultsPatch, noFaults } from './faults.js';
import type { DisconnectReason, TrackMessage } from './messages.js';
import type { SimulatedNode } from './node.js';
import type { RoomService } from './room-service.js';
import { holdStamps } from './stamps.js';
import { type Claims, verifyToken } from './tokens.js';
import type { Truth } from './truth.js';
import { PlainError } from './twirp-error.js';
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
