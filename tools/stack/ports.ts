import dgram from 'node:dgram';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { StackError } from './context.ts';

/** Ports of one stack: a block of 50 that starts at STACK_PORT_BASE. */
export const BLOCK = 50;
const FIRST = 10_000;
/** The 450 blocks end at port 32,499, below Linux's ephemeral range (from 32,768), where an outgoing connection could occupy our port. */
const BLOCKS = 450;

export const OFFSETS = {
  postgres: 0,
  nats: 1,
  natsMonitor: 2,
  redis: 3,
  livekit: 4,
  livekitUdp: 5,
  livekitTcp: 6,
  s3: 7,
  media: 8,
  pgbouncer: 9,
  sandbox: 46,
  clickhouse: 47,
};
const FIRST_PROBE = 10;
const TEST_GATEWAY = 48;
const TEST_CLAIM = 49;

export function derivePortBase(gatewayPort: number) {
  return FIRST + (gatewayPort % BLOCKS) * BLOCK;
}

export function portFrom(text: string | undefined, name: string, fallback: number) {
  if (text === undefined || text === '') return fallback;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StackError(`${name}=${text} is not a port: set it to a number from 1 to 65535.`);
  }
  return port;
}

export type PortName = keyof typeof OFFSETS;

export interface Ports {
  base: number;
  parts: Record<PortName, number>;
  /** By app name. */
  probes: Record<string, number>;
}

/** @param appNames in the order of apps.ts, so that a port does not depend on which apps are started */
export function layOut(portBase: number, appNames: readonly string[]): Ports {
  const parts = Object.fromEntries(Object.entries(OFFSETS).map(([name, offset]) => [name, portBase + offset])) as Record<PortName, number>;
  const probes = Object.fromEntries(appNames.map((name, index) => [name, portBase + FIRST_PROBE + index]));
  return { base: portBase, parts, probes };
}

/** The ports that the options or the environment give a stack. @throws {StackError} names the variable */
export function portsFrom(appNames: readonly string[], { gatewayPort, portBase }: { gatewayPort?: number; portBase?: number } = {}) {
  const gateway = gatewayPort ?? portFrom(process.env.GATEWAY_PORT, 'GATEWAY_PORT', 8080);
  const base = portBase ?? portFrom(process.env.STACK_PORT_BASE, 'STACK_PORT_BASE', derivePortBase(gateway));
  if (base + BLOCK > 65_536)
    throw new StackError(`STACK_PORT_BASE=${base} leaves no room for ${BLOCK} ports: choose ${65_536 - BLOCK} or less.`);
  return { gateway, ...layOut(base, appNames) };
}

export type Protocol = 'tcp' | 'udp';

export function isFree(port: number, protocol: Protocol = 'tcp'): Promise<boolean> {
  return new Promise((resolve) => {
    if (protocol === 'udp') {
      const socket = dgram.createSocket('udp4');
      socket.once('error', () => {
        socket.close();
        resolve(false);
      });
      socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)));
      return;
    }
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/**
 * The process that listens on the port, for an error message. Best effort from /proc: only on Linux, and only own processes unless root.
 * @returns for example `node (pid 4711)`
 */
export function holderOf(port: number): string | undefined {
  try {
    const hex = port.toString(16).toUpperCase().padStart(4, '0');
    const inodes = new Set();
    for (const table of ['tcp', 'tcp6', 'udp', 'udp6']) {
      for (const line of fs.readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1)) {
        const cells = line.trim().split(/\s+/);
        const isBound = cells[3] === (table.startsWith('tcp') ? '0A' : '07');
        if (isBound && cells[1]?.endsWith(`:${hex}`)) inodes.add(`socket:[${cells[9]}]`);
      }
    }
    for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      let links;
      try {
        links = fs.readdirSync(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`);
      } catch {
        continue;
      }
      for (const link of links) {
        try {
          if (inodes.has(fs.readlinkSync(link)))
            return `${path.basename(fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0 ]/)[0] ?? '')} (pid ${pid})`;
        } catch {
          /* closed in the meantime */
        }
      }
    }
  } catch {
    /* no /proc: the message is printed without it */
  }
  return undefined;
}

export interface WantedPort {
  what: string;
  port: number;
  protocol?: Protocol;
  setting?: string;
}

/** @throws {StackError} names the first taken port, its process if known, and the variable that moves it */
export async function refuseTakenPorts(wanted: WantedPort[]): Promise<void> {
  for (const { what, port, protocol, setting = 'STACK_PORT_BASE' } of wanted) {
    if (await isFree(port, protocol)) continue;
    const holder = holderOf(port);
    const other = setting === 'GATEWAY_PORT' ? `GATEWAY_PORT=${port + 1}` : `STACK_PORT_BASE=<first of ${BLOCK} free ports>`;
    throw new StackError(
      `Port ${port} (${what}) is taken${holder ? ` by ${holder}` : ''}: stop that program, or choose another port with ${other} npm start.`,
    );
  }
}

/**
 * Picks a block of unused ports for a test's own stack. The last port of the block stays bound as a claim, so that concurrent test
 * processes never get the same block. `release` frees it.
 */
export async function pickPorts(): Promise<{ portBase: number; gatewayPort: number; release: () => void }> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const portBase = FIRST + Math.floor(Math.random() * BLOCKS) * BLOCK;
    const claim = net.createServer();
    const isOurs = await new Promise((resolve) => {
      claim.once('error', () => resolve(false));
      claim.listen(portBase + TEST_CLAIM, '127.0.0.1', () => resolve(true));
    });
    if (!isOurs) continue;
    const rest = Array.from({ length: TEST_CLAIM }, (_, offset) => portBase + offset);
    const free = await Promise.all(rest.map((port) => isFree(port)));
    if (free.every(Boolean) && (await isFree(portBase + OFFSETS.livekitUdp, 'udp'))) {
      claim.unref();
      return { portBase, gatewayPort: portBase + TEST_GATEWAY, release: () => claim.close() };
    }
    claim.close();
  }
  throw new StackError('No block of 50 free ports between 10000 and 32500: stop what uses them.');
}
