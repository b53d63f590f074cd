import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, sep } from 'node:path';
import { createInterface } from 'node:readline';
import type { ConnectAnswer, ConnectRequest } from './simulator/http.js';
import type { Faults, FaultsPatch } from './simulator/faults.js';
import type { PacketMessage, ParticipantKind, TrackMessage } from './simulator/messages.js';
import type { Claims, VideoGrant } from './simulator/tokens.js';
import type { TrueConnection } from './simulator/truth.js';
import type { WebhookCounts } from './simulator/webhooks/notifier.js';

export interface SimulatedLiveKitOptions {
  webhookUrls?: string[];
  /** 0 or absent: any free port. */
  port?: number;
  apiKey?: string;
  apiSecret?: string;
  /** Speed factor. 10: LiveKit's own timeouts and webhook retries take a tenth of the time. */
  timeScale?: number;
  seed?: number;
  eventLog?: string;
  /** How many milliseconds its clock is ahead of this machine's. If it is more than 60 s behind, it refuses tokens as not valid yet. */
  clockAheadMs?: number;
}

/** The process runs the compiled file, also if a test runs this file from source. */
const entry = join(__dirname.replace(`${sep}src${sep}`, `${sep}dist${sep}`), 'simulator', 'main.js');

/** A participant that joins without a token. */
export interface Joiner {
  room: string;
  identity: string;
  name?: string;
  kind?: ParticipantKind;
  hidden?: boolean;
  metadata?: string;
  attributes?: Record<string, string>;
  grant?: VideoGrant;
  /** 0 or absent: ACTIVE immediately; null: never, which ends in `participant_connection_aborted`. */
  activeAfterMs?: number | null;
}

export interface SimulatorStats {
  rooms: number;
  connections: number;
  webhooks: WebhookCounts[];
}

/** A refusal of the simulator, with the status that a client of the real LiveKit would get. */
export class SimulatedLiveKitError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'SimulatedLiveKitError';
  }
}

/** The simulated LiveKit in a separate process, with methods to control it. */
export class SimulatedLiveKit {
  readonly apiKey: string;
  readonly apiSecret: string;
  #process?: ChildProcess;
  #url?: string;
  #port: number;

  constructor(private readonly options: SimulatedLiveKitOptions = {}) {
    this.apiKey = options.apiKey ?? 'devkey';
    this.apiSecret = options.apiSecret ?? 'simulated-secret-of-32-characters-or-more';
    this.#port = options.port ?? 0;
  }

  get url(): string {
    if (!this.#url) throw new Error('the simulated LiveKit is not started');
    return this.#url;
  }

  async start(): Promise<this> {
    const { options } = this;
    const child = spawn(process.execPath, [entry], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: {
        ...process.env,
        PORT: String(this.#port),
        API_KEY: this.apiKey,
        API_SECRET: this.apiSecret,
        WEBHOOK_URLS: (options.webhookUrls ?? []).join(','),
        TIME_SCALE: String(options.timeScale ?? 1),
        SEED: String(options.seed ?? 1),
        CLOCK_AHEAD_MS: String(options.clockAheadMs ?? 0),
        ...(options.eventLog ? { EVENT_LOG: options.eventLog } : {}),
      },
    });
    this.#process = child;
    if (!child.stdout) throw new Error('the simulated LiveKit has no stdout');
    const lines = createInterface({ input: child.stdout });
    const died = once(child, 'exit').then(([code]) => {
      throw new Error(`the simulated LiveKit ended at once with code ${String(code)}`);
    });
    const [line] = (await Promise.race([once(lines, 'line'), died])) as [string];
    died.catch(() => undefined);
    this.#port = (JSON.parse(line) as { listening: number }).listening;
    this.#url = `http://127.0.0.1:${this.#port}`;
    return this;
  }

  /** Ends the process; its rooms are lost. For a node's death or an orderly stop use loseNode and stopNode. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** kill -9, as of a LiveKit without Redis; `start()` uses the same port again. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Connects a participant given as a join token, as a `Joiner`, or as a request that also delays its activation. */
  connect(who: string | Joiner | ConnectRequest): Promise<ConnectAnswer> {
    return this.#call('POST', 'connect', toRequest(who));
  }

  connectMany(who: (string | Joiner | ConnectRequest)[]): Promise<ConnectAnswer[]> {
    return this.#call('POST', 'connect-many', who.map(toRequest));
  }

  activate = (sid: string): Promise<void> => this.#call('POST', 'activate', { sid });
  leave = (sid: string): Promise<void> => this.#call('POST', 'leave', { sid });
  leaveMany = (sids: string[]): Promise<void> => this.#call('POST', 'leave-many', sids);
  resume = (sid: string): Promise<void> => this.#call('POST', 'resume', { sid });

  /** The participant disappears without a disconnect; LiveKit notices after `noticedAfterMs` of its time, by default 20 s. */
  crash = (sid: string, noticedAfterMs?: number): Promise<void> => this.#call('POST', 'crash', { sid, noticedAfterMs });

  /** The participant disappears and stays listed as ACTIVE until it is removed. */
  ghost = (sid: string): Promise<void> => this.#call('POST', 'crash', { sid, noticedAfterMs: null });

  /** For a participant that joined with `activeAfterMs: null`: the events are aborted and then a late joined, never a left. */
  leaveDuringActivation = (sid: string): Promise<void> => this.#call('POST', 'leave-during-activation', { sid });

  publish(sid: string, track: Partial<Pick<TrackMessage, 'name' | 'type' | 'source'>> = {}): Promise<TrackMessage> {
    return this.#call('POST', 'publish', { sid, name: 'camera', type: 'VIDEO', source: 'CAMERA', ...track });
  }

  /** The data packets that a connected participant has received from the server, in order. */
  packets = (sid: string): Promise<PacketMessage[]> => this.#call('GET', `packets?sid=${encodeURIComponent(sid)}`);

  /** kill -9: no events, records stay. The API is down for `downMs` (real time), then it answers 503 as the real one does. */
  loseNode = (downMs = 0): Promise<void> => this.#call('POST', 'lose-node', { downMs });

  /** An orderly stop and a start: rooms are closed and deleted, with webhooks. */
  stopNode = (downMs = 0): Promise<void> => this.#call('POST', 'stop-node', { downMs });

  faults = (patch: FaultsPatch): Promise<Faults> => this.#call('POST', 'faults', patch);
  clearFaults = (): Promise<void> => this.#call('DELETE', 'faults');
  stats = (): Promise<SimulatorStats> => this.#call('GET', 'stats');

  /** What really happened, in one room (by LiveKit's name) or in all. */
  truth(room?: string): Promise<TrueConnection[]> {
    return this.#call('GET', room === undefined ? 'truth' : `truth?room=${encodeURIComponent(room)}`);
  }

  async #call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const init = { method, body: body === undefined ? undefined : JSON.stringify(body) };
    const answer = await fetch(`${this.url}/sim/${path}`, init);
    const text = await answer.text();
    if (!answer.ok) throw new SimulatedLiveKitError(answer.status, text);
    return JSON.parse(text) as Answer;
  }
}

function toRequest(who: string | Joiner | ConnectRequest): ConnectRequest {
  if (typeof who === 'string') return { token: who };
  if (!('room' in who)) return who;
  const { room, identity, hidden, kind, grant, activeAfterMs, ...rest } = who;
  const video = { roomJoin: true, room, hidden, ...grant };
  const claims: Claims = { ...rest, sub: identity, kind: kind?.toLowerCase(), video };
  return { claims, activeAfterMs };
}
