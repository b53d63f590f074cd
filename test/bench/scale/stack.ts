import path from 'node:path';
import { newOrganization, SimulatedLiveKit, TestStack, type ApiClient } from '@classroom/testing';
import { pickPorts } from '../../../tools/stack/index.ts';
import type { Pids } from '../load/processes.ts';

export const APPS = ['organization', 'room', 'gateway', 'billing'];
const PARTS = ['postgres', 'nats', 'redis'];
const ORGANIZATIONS = 20;
const TRACING = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01' };

/** The services of a class with real parts and the simulated LiveKit, with a disk that is synced, and some organizations. */
export class ScaleStack {
  readonly apis: ApiClient[] = [];
  livekit!: SimulatedLiveKit;
  stack!: TestStack;

  /** @param home folder of the stack; `stop` deletes it */
  async start(home: string): Promise<void> {
    const { portBase, gatewayPort, release } = await pickPorts();
    this.livekit = new SimulatedLiveKit({ webhookUrls: [`http://127.0.0.1:${gatewayPort}/livekit/webhook`] });
    const { url: livekitUrl, apiKey: livekitApiKey, apiSecret: livekitApiSecret } = await this.livekit.start();
    const livekitOf = { livekit: false as const, livekitUrl, livekitApiKey, livekitApiSecret };
    const env = { all: TRACING };
    const postgres = { fsync: true };
    try {
      this.stack = await TestStack.start({ home: path.resolve(home), apps: APPS, portBase, gatewayPort, env, postgres, ...livekitOf });
    } finally {
      release();
    }
    const billing = {
      type: 'POSTPAID',
      billingFrequency: 'MONTHLY',
      cycleStartDate: new Date().toISOString(),
      creditRate: 0.01,
      currency: 'USD',
    };
    for (let n = 0; n < ORGANIZATIONS; n++) this.apis.push((await newOrganization(this.stack, { billing })).api);
  }

  pids(): Pids {
    const apps = APPS.map((name) => [name, this.stack.app(name).pid ?? 0] as const);
    const parts = PARTS.map((name) => [name, this.stack.part(name).pid ?? 0] as const);
    return Object.fromEntries([...apps, ...parts]);
  }

  async stop(): Promise<void> {
    await this.stack?.stop();
    await this.livekit?.stop();
  }
}
