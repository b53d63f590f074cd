'use strict';

const path = require('node:path');
const { fork } = require('node:child_process');
const { once } = require('node:events');
const { SimulatedLiveKit, TestStack, newOrganization, person } = require('@classroom/testing');

const TRACING = { CLOCK: 'system', OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
const BARE = path.join(__dirname, '..', 'gateway');
/** Each asks 5 times a second: half of its quota. */
const NEIGHBOURS = 20;

/** Two gateways, a bare one on the same NATS and Postgres, and beside them those who ask and those who disturb. */
class LimitsStack {
  /** @param {number} quota requests of one organization a minute */
  constructor(quota) {
    this.quota = String(quota);
    /** @type {import('node:child_process').ChildProcess[]} */
    this.children = [];
  }

  async start() {
    this.livekit = new SimulatedLiveKit({ webhookUrls: [] });
    const { url: livekitUrl, apiKey: livekitApiKey, apiSecret: livekitApiSecret } = await this.livekit.start();
    const gateway = { RATE_LIMIT_PER_MINUTE: this.quota };
    const apps = ['organization', 'room', 'gateway', 'billing'];
    this.stack = await TestStack.start({ apps, env: { all: TRACING, gateway }, livekit: false, livekitUrl, livekitApiKey, livekitApiSecret });
    const { stack } = this;
    const [second, bare] = [stack.port(), stack.port()];
    await stack.beside('gateway', { name: 'gateway-2', env: { GATEWAY_PORT: String(second), ...gateway } }).start();
    const database = new URL(stack.urls.postgresAdmin);
    database.username = 'classroom_room';
    database.password = stack.secrets.databasePasswords.room;
    const common = { NATS_URL: stack.urls.nats, DATABASE_URL: database.href, PORT: String(bare), LIVEKIT_API_KEY: livekitApiKey, LIVEKIT_API_SECRET: livekitApiSecret };
    await this.spawn(path.join(BARE, 'bare-room.js'), { ...common });
    await this.spawn(path.join(BARE, 'bare-gateway.js'), common);
    this.neighbour = await this.spawn(path.join(__dirname, 'neighbour.js'));
    this.offender = await this.spawn(path.join(__dirname, 'offender.js'));
    this.neighbours = await Promise.all(Array.from({ length: NEIGHBOURS }, () => this.school()));
    const ours = [stack.urls.gateway, `http://127.0.0.1:${second}`];
    this.urls = { ours, bare: [`http://127.0.0.1:${bare}`] };
  }

  /** A school with a class, which has asked for nothing else yet. @returns {Promise<string>} its id */
  async school() {
    const { organizationId, api } = await newOrganization(this.stack);
    const { status, text } = await api.post('/v1/room/create', { roomId: 'class', title: 'Geometry', participant: person('teacher-1', 'TEACHER') });
    if (status !== 200) throw new Error(`no class: ${status} ${text}`);
    return organizationId;
  }

  /** @param {string} file @param {Record<string, string>} [env] */
  async spawn(file, env = {}) {
    const child = fork(file, { env: { PATH: process.env.PATH, ...env } });
    this.children.push(child);
    await once(child, 'message');
    return child;
  }

  async stop() {
    for (const child of this.children) if (child.connected) child.disconnect();
    const { stack, livekit } = this;
    this.stack = undefined;
    await stack?.stop();
    await livekit?.stop();
  }
}

module.exports = { LimitsStack };
