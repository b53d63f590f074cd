'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { fork } = require('node:child_process');
const { once } = require('node:events');
const { startStack, startParts, pickPorts } = require('../../../tools/stack/index.ts');
const { nodeBinary } = require('../../../tools/stack/toolchain.ts');

const ROOMS = 100;
const PARTICIPANTS = 20;
const SIDE_BY_SIDE = 10;
const WEBHOOKS_OFF = { webhookUrls: [] };
const TRACING = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
const UNLIMITED = { RATE_LIMIT_PER_MINUTE: '10000000' };

/** Everything that runs; `stop` ends it, and is safe to call at any time. */
class Sides {
  /** @param {{ signal: AbortSignal, profile?: string }} options */
  constructor(options) {
    this.options = options;
    this.homes = fs.mkdtempSync(path.join(os.tmpdir(), 'classroom-bench-'));
    /** @type {Array<import('../../../tools/stack/stack').Stack>} */
    this.stacks = [];
    /** @type {import('node:child_process').ChildProcess[]} */
    this.children = [];
    this.organizationId = 'bench';
    this.prefix = 'bench';
  }

  async start() {
    const profiled = this.options.profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${path.resolve(this.options.profile)}` } : {};
    // Settled, both of them: a stop in between would miss what is just being born.
    const [ours, bareParts] = await Promise.allSettled([
      this.launch(startStack, 'ours', { env: { all: TRACING, gateway: { ...profiled, ...UNLIMITED }, room: profiled } }),
      // A LiveKit of its own, without webhooks: none of ours has to take what the bare one says.
      this.launch(startParts, 'bare', { parts: ['redis', 'livekit'], livekit: WEBHOOKS_OFF }),
    ]);
    if (ours.status === 'rejected') throw ours.reason;
    if (bareParts.status === 'rejected') throw bareParts.reason;
    this.ours = ours.value;
    this.bareParts = bareParts.value;
    const { urls, secrets, gatewayPort } = this.ours;
    const database = new URL(urls.postgresAdmin);
    database.username = 'classroom_room';
    database.password = secrets.databasePasswords.room;
    const barePort = gatewayPort - 1;
    const common = { NATS_URL: urls.nats, PORT: String(barePort), DATABASE_URL: database.href };
    this.bareUrl = `http://127.0.0.1:${barePort}`;
    this.bareRoom = await this.spawn('bare-room.js', { ...common, ...credentials(this.ours) });
    this.bareGateway = await this.spawn('bare-gateway.js', common);
    this.bareCreate = await this.spawn('bare-create.js', { LIVEKIT_URL: this.bareParts.urls.livekit, ...credentials(this.bareParts) });
    await this.provision();
  }

  /** @param {typeof startStack} start @param {string} name @param {object} options */
  async launch(start, name, options) {
    const { portBase, gatewayPort, release } = await pickPorts();
    const { signal } = this.options;
    try {
      const stack = await start({ home: path.join(this.homes, name), portBase, gatewayPort, external: false, signal, ...options });
      this.stacks.push(stack);
      return stack;
    } finally {
      release();
    }
  }

  /** A bare process; it ends when this one does. @param {string} file @param {Record<string, string>} env */
  async spawn(file, env) {
    const child = fork(path.join(__dirname, file), { execPath: nodeBinary(), env: { PATH: process.env.PATH, ...env } });
    this.children.push(child);
    const ended = once(child, 'exit').then(([code]) => { throw new Error(`${file} ended with ${code}`); });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return child;
  }

  /** The organization and the rooms that both sides read. */
  async provision() {
    const { secrets } = this.ours;
    const billing = { type: 'POSTPAID', billingFrequency: 'MONTHLY', creditRate: 0.01, currency: 'USD' };
    const organization = { organizationId: this.organizationId, name: 'Bench School', billing };
    await this.post('/v1/admin/organizations', { 'X-Dispatch-Secret': secrets.dispatchSecret }, organization);
    const participant = { uid: 'teacher-1', name: 'Ada Teacher', role: 'TEACHER' };
    const numbers = [...Array(ROOMS).keys()];
    while (numbers.length > 0) {
      await Promise.all(numbers.splice(0, SIDE_BY_SIDE).map((number) => {
        const room = { roomId: `${this.prefix}-${number}`, title: 'Bench class', participant };
        return this.post('/v1/room/create', { 'VF-ORG-ID': this.organizationId }, room);
      }));
    }
  }

  /** @param {string} address @param {Record<string, string>} headers @param {object} body */
  async post(address, headers, body) {
    const response = await fetch(`${this.ours.urls.gateway}${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: this.options.signal,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${address} was answered ${response.status}: ${text}`);
  }

  /** Arguments of wrk.lua. @param {string} kind @param {string} [prefix] */
  loadArgs(kind, prefix = this.prefix) {
    return [kind, this.organizationId, prefix, ROOMS, PARTICIPANTS];
  }

  /** What serves a request, by side. @returns {Record<'ours' | 'bare', import('../load/processes').Pids>} */
  pids() {
    const { apps, parts } = this.ours;
    const shared = { nats: parts.nats.pid, postgres: parts.postgres.pid };
    return {
      ours: { gateway: apps.gateway.pid, room: apps.room.pid, ...shared, livekit: parts.livekit.pid },
      bare: { gateway: this.bareGateway.pid, room: this.bareRoom.pid, ...shared, caller: this.bareCreate.pid, livekit: this.bareParts.parts.livekit.pid },
    };
  }

  async stop() {
    for (const child of this.children) if (child.connected) child.disconnect();
    await Promise.all(this.stacks.map((stack) => stack.stop({ wipe: true })));
    fs.rmSync(this.homes, { recursive: true, force: true });
  }
}

/** @param {any} stack */
const credentials = ({ secrets }) => ({ LIVEKIT_API_KEY: secrets.livekitApiKey, LIVEKIT_API_SECRET: secrets.livekitApiSecret });

module.exports = { Sides };
