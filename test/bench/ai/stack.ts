import path from 'node:path';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { SimulatedLiveKit, TestStack } from '@classroom/testing';
import { listen } from './client.ts';

const ORGANIZATION = 'org_ai_bench';
const TRACING = { CLOCK: 'system', OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
const MODEL = 'bench';

/** A stack whose agent calls a provider on the same machine. `stop` ends both and may be called at any time. */
export class BenchStack {
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });
  private chats = 0;
  private upstream!: ChildProcess;
  private provider!: string;
  private livekit!: SimulatedLiveKit;
  private stack!: TestStack;
  private stopping: Promise<void> | undefined;

  async start() {
    this.upstream = fork(path.join(import.meta.dirname, 'upstream.ts'));
    const [{ port }] = (await once(this.upstream, 'message')) as [AddressInfo];
    this.provider = `http://127.0.0.1:${port}/v1`;
    this.livekit = new SimulatedLiveKit({ webhookUrls: [] });
    const { url: livekitUrl, apiKey: livekitApiKey, apiSecret: livekitApiSecret } = await this.livekit.start();
    const chat = { provider: 'openai-compatible', model: MODEL, baseUrl: this.provider, apiKey: 'none' };
    const ai = { AI_MODELS: JSON.stringify({ chat }) };
    const apps = ['organization', 'room', 'gateway', 'billing', 'ai'];
    this.stack = await TestStack.start({ apps, env: { all: TRACING, ai }, livekit: false, livekitUrl, livekitApiKey, livekitApiSecret });
    const billing = { type: 'POSTPAID', billingFrequency: 'MONTHLY', creditRate: 0.01, currency: 'USD' };
    const created = await fetch(`${this.stack.urls.gateway}/v1/admin/organizations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Dispatch-Secret': this.stack.secrets.dispatchSecret ?? '' },
      body: JSON.stringify({ organizationId: ORGANIZATION, name: 'A school', billing }),
    });
    if (!created.ok) throw new Error(`no organization: ${created.status} ${await created.text()}`);
  }

  async setPlan(plan: { tokens: number; firstMs: number; everyMs: number }) {
    this.upstream.send(plan);
    await once(this.upstream, 'message');
  }

  /** One answer through the whole service, in a new chat. */
  ours() {
    const body = { chatId: `chat-${process.pid}-${this.chats++}`, message: 'Say something', responseType: 'text' };
    const url = `${this.stack.urls.gateway}/v1/ai-agent/chat/stream`;
    return listen({ url, headers: { 'VF-ORG-ID': ORGANIZATION }, body, agent: this.agent, word: '"type":"text"', last: '{"type":"done"}' });
  }

  /** The same answer directly from the provider. */
  direct() {
    const body = {
      model: MODEL,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'Say something' }],
    };
    return listen({ url: `${this.provider}/chat/completions`, body, agent: this.agent, word: '"content":"word', last: 'data: [DONE]' });
  }

  pids(): Record<string, number> {
    const { app, part } = { app: (name: string) => this.stack.app(name).pid ?? 0, part: (name: string) => this.stack.part(name).pid ?? 0 };
    return {
      gateway: app('gateway'),
      ai: app('ai'),
      billing: app('billing'),
      nats: part('nats'),
      redis: part('redis'),
      postgres: part('postgres'),
      ...this.providerPids(),
    };
  }

  providerPids(): Record<string, number> {
    return { provider: this.upstream.pid ?? 0 };
  }

  stop(): Promise<void> {
    return (this.stopping ??= this.end());
  }

  private async end(): Promise<void> {
    this.agent.destroy();
    if (this.upstream?.connected) this.upstream.disconnect();
    await this.stack?.stop();
    await this.livekit?.stop();
  }
}
