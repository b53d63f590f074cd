'use strict';

const path = require('node:path');
const { fork } = require('node:child_process');
const { once } = require('node:events');
const http = require('node:http');
const { SimulatedLiveKit, TestStack } = require('@classroom/testing');
const { listen } = require('./client');

const ORGANIZATION = 'org_ai_bench';
const TRACING = { CLOCK: 'system', OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
const MODEL = 'bench';

/** A stack whose agent asks a provider beside it; `stop` ends both, and is safe to call at any time. */
class BenchStack {
  constructor() {
    this.agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });
    this.chats = 0;
  }

  async start() {
    this.upstream = fork(path.join(__dirname, 'upstream.js'));
    const [{ port }] = await once(this.upstream, 'message');
    this.provider = `http://127.0.0.1:${port}/v1`;
    this.livekit = new SimulatedLiveKit({ webhookUrls: [] });
    const { url: livekitUrl, apiKey: livekitApiKey, apiSecret: livekitApiSecret } = await this.livekit.start();
    const ai = { AI_CHAT_PROVIDER: 'openai-compatible', AI_CHAT_MODEL: MODEL, AI_CHAT_BASE_URL: this.provider, AI_CHAT_API_KEY: 'none' };
    const apps = ['organization', 'room', 'gateway', 'billing', 'ai'];
    this.stack = await TestStack.start({ apps, env: { all: TRACING, ai }, livekit: false, livekitUrl, livekitApiKey, livekitApiSecret });
    const billing = { type: 'POSTPAID', billingFrequency: 'MONTHLY', creditRate: 0.01, currency: 'USD' };
    const created = await fetch(`${this.stack.urls.gateway}/v1/admin/organizations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Dispatch-Secret': this.stack.secrets.dispatchSecret },
      body: JSON.stringify({ organizationId: ORGANIZATION, name: 'A school', billing }),
    });
    if (!created.ok) throw new Error(`no organization: ${created.status} ${await created.text()}`);
  }

  /** @param {{ tokens: number, firstMs: number, everyMs: number }} plan */
  async says(plan) {
    this.upstream?.send(plan);
    await once(/** @type {import('node:events').EventEmitter} */ (this.upstream), 'message');
  }

  /** One answer through the whole service, in a chat of its own. */
  ours() {
    const body = { chatId: `chat-${process.pid}-${this.chats++}`, message: 'Say something', responseType: 'text' };
    const url = `${this.stack.urls.gateway}/v1/ai-agent/chat/stream`;
    return listen({ url, headers: { 'VF-ORG-ID': ORGANIZATION }, body, agent: this.agent, word: '"type":"text"', last: '{"type":"done"}' });
  }

  /** The same from the provider itself. */
  direct() {
    const body = { model: MODEL, stream: true, stream_options: { include_usage: true }, messages: [{ role: 'user', content: 'Say something' }] };
    return listen({ url: `${this.provider}/chat/completions`, body, agent: this.agent, word: '"content":"word', last: 'data: [DONE]' });
  }

  /** @returns {Record<string, number>} */
  pids() {
    const { app, part } = { app: (/** @type {string} */ name) => this.stack.app(name).pid, part: (/** @type {string} */ name) => this.stack.part(name).pid };
    return { gateway: app('gateway'), ai: app('ai'), nats: part('nats'), redis: part('redis'), postgres: part('postgres'), provider: this.upstream?.pid ?? 0 };
  }

  async stop() {
    const { stack, livekit, upstream } = this;
    this.stack = undefined;
    this.agent.destroy();
    if (upstream?.connected) upstream.disconnect();
    await stack?.stop();
    await livekit?.stop();
  }
}

module.exports = { BenchStack };
