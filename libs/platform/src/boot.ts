import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { INestApplication, INestApplicationContext } from '@nestjs/common';
import { Background, ShutdownDeadline } from './background.js';
import { ConfigError, type BaseConfig } from './config.js';
import { Dependencies } from './dependencies.js';
import { logger } from './logger.js';
import { observeLoops } from './loop.js';
import { ProbeServer } from './probes.js';
import { observeProcess } from './telemetry/process-metrics.js';

/** Milliseconds from the last answer and the stop of all tasks that connections may take to close. BullMQ waits here for running jobs, too: a job that is cut runs again. */
const CLOSE_MS = 10_000;

/**
 * Runs one process: probes first (alive, not ready), then the app, then ready. SIGTERM and SIGINT drain it: it is not ready,
 * accepts no new work, finishes work in progress, flushes telemetry and exits with 0. An app that has not finished after
 * DRAIN_SECONDS is ended.
 */
export async function boot<C extends BaseConfig, A extends INestApplicationContext>(
  readConfig: () => C,
  start: (config: C) => Promise<A>,
): Promise<void> {
  // Libraries write to the console. Without a listener, the second line that cannot be written to a full disk would end the
  // process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    const config = readConfig();
    observeProcess();
    observeLoops();
    const probes = new ProbeServer();
    await probes.listen(config.PROBE_PORT, config.PROBE_HOST);
    let app: A | undefined;
    let stopping = false;
    const stop = (signal: string) => {
      if (stopping) return;
      stopping = true;
      void drain(signal, config.DRAIN_SECONDS * 1000, probes, () => app);
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    app = await start(config);
    const dependencies = app.get(Dependencies);
    collectGarbage();
    probes.markStarted(() => dependencies.missing());
    logger.info({ roles: config.ROLES }, 'started');
  } catch (error) {
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`);
    else logger.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}

/**
 * Frees what only the start needed, some 30 MB, with the compiled code that has run by now: V8 would keep it for six collections. An idle
 * process allocates too little for V8 to collect anything soon. Takes some 100 ms of CPU, before the first request.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  setFlagsFromString('--bytecode-old-age=1');
  (runInNewContext('gc') as (options: object) => void)({ type: 'major', flavor: 'last-resort' });
  setFlagsFromString('--bytecode-old-age=6');
  setFlagsFromString('--no-expose-gc');
}

/** Resolves when the last request has been answered; at once for a process without an HTTP server. */
async function requestsAnswered(app: INestApplicationContext): Promise<void> {
  const server = 'getHttpServer' in app ? (app as INestApplication<Server>).getHttpServer() : undefined;
  if (server?.listening) await once(server, 'close');
}

/**
 * Resolves some time after the tasks have stopped and the requests in progress have been answered: libraries wait without a limit for a part that is
 * unreachable, to close the connection in order.
 */
async function giveUpConnections(app: INestApplicationContext): Promise<void> {
  await Promise.all([app.get(Background).stopped, requestsAnswered(app)]);
  await sleep(CLOSE_MS);
  logger.warn('connections not closed in time; exiting without');
}

async function drain(signal: string, limitMs: number, probes: ProbeServer, app: () => INestApplicationContext | undefined): Promise<void> {
  logger.info({ signal }, 'draining');
  setTimeout(() => {
    logger.error('drain timed out; exiting with work in flight');
    process.exit(1);
  }, limitMs).unref();
  probes.markDraining();
  let code = 0;
  try {
    const running = app();
    running?.get(ShutdownDeadline).begin();
    if (running) await Promise.race([giveUpConnections(running), running.close()]);
  } catch (error) {
    logger.error({ err: error }, 'error while draining');
    code = 1;
  }
  await probes.close();
  const { classroomTelemetryShutdown } = globalThis as { classroomTelemetryShutdown?: () => Promise<unknown> };
  await classroomTelemetryShutdown?.();
  process.exit(code);
}
