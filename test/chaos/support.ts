import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { newOrganization, SimulatedLiveKit, TestStack, type ApiClient, type StackOptions } from '@classroom/testing';

/** Reconciler period in these tests, in seconds: shorter than in production, with the same rules. */
export const PERIOD_S = 2;
/** A pass starts up to half a second after it is due. */
export const PASS_MS = PERIOD_S * 1000 + 600;

export interface ChaosStack {
  stack: TestStack;
  livekit: SimulatedLiveKit;
  ingress: Ingress;
  api: ApiClient;
  stop(): Promise<void>;
}

/** The services that a class without recordings, videos and AI needs. */
export const CLASS_APPS = ['organization', 'room', 'gateway', 'billing'];

export interface ChaosStackOptions extends Pick<StackOptions, 'apps' | 'env' | 'expectViolations' | 'home' | 'parts' | 'supervise'> {
  timeScale?: number;
  /** Repository whose build runs; default: this one. */
  repo?: string;
  /** Port to which webhooks go; default: the stack's own gateway. */
  webhookPort?: number;
}

/** A stack on the simulated LiveKit; all apps unless named. Webhooks go through an ingress in which a test can inject faults. */
export async function startChaosStack(options: ChaosStackOptions = {}): Promise<ChaosStack> {
  const { gatewayPort, portBase } = await pickPorts();
  const ingress = await Ingress.open(options.webhookPort ?? gatewayPort);
  const livekit = new SimulatedLiveKit({ webhookUrls: [ingress.url], timeScale: options.timeScale ?? 1 });
  let stack: TestStack | undefined;
  const stop = async () => {
    await livekit.stop();
    await stack?.stop();
    await ingress.close();
  };
  try {
    await livekit.start();
    const { url: livekitUrl, apiKey: livekitApiKey, apiSecret: livekitApiSecret } = livekit;
    const env = { ...options.env, room: { RECONCILE_SECONDS: String(PERIOD_S), ...options.env?.['room'] } };
    const { repo, home, apps, parts, supervise = false, expectViolations = false } = options;
    const livekitOf = { livekit: false as const, livekitUrl, livekitApiKey, livekitApiSecret };
    const overrides = {
      ...(apps === undefined ? {} : { apps }),
      ...(parts === undefined ? {} : { parts }),
      ...(home === undefined ? {} : { home }),
      ...(repo === undefined ? {} : { repo }),
    };
    stack = await TestStack.start({ gatewayPort, portBase, ...livekitOf, env, supervise, expectViolations, ...overrides });
    const { api } = await newOrganization(stack);
    return { stack, livekit, ingress, api, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export function pickPorts(): Promise<{ gatewayPort: number; portBase: number }> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const launcher = require(join(__dirname, '..', '..', 'tools', 'stack')) as {
    pickPorts(): Promise<{ gatewayPort: number; portBase: number }>;
  };
  return launcher.pickPorts();
}

/** A proxy between LiveKit and the gateway, which answers in place of the gateway while that is down. */
export class Ingress {
  /** If set, every request gets this status and is not forwarded. */
  answerInstead: number | undefined;
  refused = 0;
  passed = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async open(gatewayPort: number): Promise<Ingress> {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const ingress = new Ingress(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/livekit/webhook`);
    server.on('request', (incoming, outgoing) => {
      if (ingress.answerInstead !== undefined) {
        ingress.refused += 1;
        incoming.resume();
        outgoing.writeHead(ingress.answerInstead).end();
        return;
      }
      ingress.passed += 1;
      const { method, url, headers } = incoming;
      const onward = request({ host: '127.0.0.1', port: gatewayPort, method, path: url, headers }, (answer: IncomingMessage) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.writeHead(502).end());
      incoming.pipe(onward);
    });
    return ingress;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Calls `look` every `everyMs` while `work` runs; a slow call does not delay the next one. @returns the results of all calls */
export async function pollDuring<T>(everyMs: number, poll: () => Promise<T>, work: () => Promise<unknown>): Promise<T[]> {
  const results: Promise<T>[] = [];
  const tick = () => {
    const one = poll();
    // Awaited at the end. If `work` fails first, its error is the one to report.
    one.catch(() => undefined);
    results.push(one);
  };
  tick();
  const timer = setInterval(tick, everyMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await Promise.allSettled(results);
  }
  return Promise.all(results);
}
