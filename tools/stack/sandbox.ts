import fs from 'node:fs';
import path from 'node:path';
import { APP_NAMES } from './apps.ts';
import { statusOf } from './checks.ts';
import { StackError, type Variables } from './context.ts';
import type { PartContext, Urls } from './options.ts';
import { natsOptions } from './parts/nats.ts';
import { type ManagedProcess, ORDER, partProcess } from './process.ts';
import { builtFile, nodeBinary } from './toolchain.ts';

/** The apps that a sandbox does not run: a recorder captures what the real LiveKit sends. */
const WITHOUT = ['recorder'];

export const appsOf = (sandbox: boolean): string[] => APP_NAMES.filter((name) => !(sandbox && WITHOUT.includes(name)));

/** A sandbox has a home of its own: its clock has moved into the future, from which nothing returns. */
export const sandboxHome = (home: string): string => `${home}-sandbox`;

const clockFile = (home: string): string => path.join(home, 'clock.json');

/** The clock begins at the present second, and after a restart where it was. */
export function keepClock(home: string): void {
  const file = clockFile(home);
  if (fs.existsSync(file)) return;
  const now = new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();
  fs.writeFileSync(file, JSON.stringify({ now }));
}

/** Variables of every app of a sandbox. Its scripts call as fast as they can: a tenth of the traces shows enough. */
export const sandboxEnvironment = (home: string): Variables => ({
  CLOCK: 'sandbox',
  CLOCK_FILE: clockFile(home),
  RATE_LIMIT_PER_MINUTE: '10000000',
  CLASSROOM_REQUESTS_PER_MINUTE: '10000000',
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: '0.1',
});

/** @throws {StackError} if others are to reach the stack: then it is in production mode, whose clock no caller may move */
export function refuseOutside(isSandbox: boolean, outside: unknown): void {
  if (isSandbox && outside) throw new StackError('--sandbox and PUBLIC_URL exclude each other: a sandbox is for this machine alone.');
}

/** A program of libs/testing. @param file in its build */
const simulator = (name: string, order: number, file: string, check: () => Promise<boolean>, env: Variables, stack: PartContext) =>
  partProcess(
    name,
    {
      order,
      check,
      command: () => ({
        file: nodeBinary(),
        args: [builtFile(`libs/testing/dist/${file}`)],
        env: { ...env, CLOCK_FILE: clockFile(stack.home) },
      }),
    },
    stack,
  );

/** LiveKit for a sandbox: its connections begin and end by the clock of the sandbox. It carries neither sound nor picture. */
export function createSimulatedLivekit(stack: PartContext) {
  const port = stack.ports.parts.livekit;
  const env = {
    PORT: String(port),
    API_KEY: stack.secrets.livekitApiKey,
    API_SECRET: stack.secrets.livekitApiSecret,
    WEBHOOK_URLS: `http://127.0.0.1:${stack.gatewayPort}/livekit/webhook`,
  };
  const check = async () => (await statusOf(`http://127.0.0.1:${port}/`)) !== 0;
  const handle = simulator('livekit', ORDER.media, 'livekit/simulator/main.js', check, env, stack);
  return { handle, urls: { livekit: `http://127.0.0.1:${port}`, livekitPublic: `ws://127.0.0.1:${port}` } };
}

/** The process that moves the clock and drives the robots, for `vc sandbox`. */
export function createSandbox(stack: PartContext & { urls: Urls; apps: object }): ManagedProcess {
  const { ports, urls, secrets } = stack;
  const { servers, user = '', pass = '' } = natsOptions(urls.nats);
  const env = {
    PORT: String(ports.parts.sandbox),
    APPS: Object.keys(stack.apps).join(','),
    NATS_SERVERS: servers,
    NATS_USER: user,
    NATS_PASSWORD: pass,
    DATABASE_ADMIN_URL: urls.postgresAdmin,
    LIVEKIT_URL: urls.livekit,
    GATEWAY_URL: urls.gateway,
    DISPATCH_SECRET: secrets.dispatchSecret,
  };
  return simulator('sandbox', ORDER.app, 'sandbox/main.js', async () => (await statusOf(`${sandboxUrl(stack)}/clock`)) === 200, env, stack);
}

export const sandboxUrl = ({ ports }: Pick<PartContext, 'ports'>): string => `http://127.0.0.1:${ports.parts.sandbox}`;
