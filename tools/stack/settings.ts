import net from 'node:net';
import { StackError } from './errors.ts';

/** Of single apps, that a school may want otherwise; every app gets them, and those that don't know one don't look at it. */
const OF_APPS = [
  'RATE_LIMIT_PER_MINUTE',
  'RECORDING_RETENTION_HOURS',
  'RECORDER_SLOTS',
  'TRANSCODING_SLOTS',
  'CREDITS_LOW_THRESHOLD',
  'ROOM_UNUSED_DAYS',
  'DATABASE_POOL',
];

/** How other machines reach this one. */
export interface Outside {
  /** origin of the page, the API, uploads and playback */
  page: string;
  /** address of LiveKit's signalling */
  livekit: string;
  /** where LiveKit of ours takes sound and picture */
  nodeIp?: string;
  /** address of the storage */
  files?: string;
  /** addresses whose X-Forwarded-For is believed */
  proxies?: string;
}

/** @returns without a path */
function originFrom(env: NodeJS.ProcessEnv, name: string, schemes: string[]): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url && schemes.includes(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username;
  if (!isOrigin)
    throw new StackError(
      `${name}=${text} is not an address as it has to be: ${schemes.map((it) => `${it}//host`).join(' or ')}, with a port where it needs one, and no path.`,
    );
  return `${url.protocol}//${url.host}`;
}

/** @returns nothing where this machine alone is to reach it @throws {StackError} */
function outsideFrom(env: NodeJS.ProcessEnv): Outside | undefined {
  const page = originFrom(env, 'PUBLIC_URL', ['https:', 'http:']);
  const nodeIp = env.LIVEKIT_NODE_IP || undefined;
  if (nodeIp && !net.isIP(nodeIp))
    throw new StackError(
      `LIVEKIT_NODE_IP=${nodeIp} is not an address: set it to the numbers by which people's browsers reach this machine.`,
    );
  if (!page) {
    if (nodeIp) throw new StackError('LIVEKIT_NODE_IP is set without PUBLIC_URL: set both, or none.');
    return undefined;
  }
  const livekit = originFrom(env, 'LIVEKIT_PUBLIC_URL', ['wss:', 'ws:']);
  if (!livekit) throw new StackError('PUBLIC_URL is set without LIVEKIT_PUBLIC_URL: the page would look for LiveKit on 127.0.0.1.');
  if (!nodeIp && !env.LIVEKIT_URL)
    throw new StackError("PUBLIC_URL is set without LIVEKIT_NODE_IP: nobody's sound and picture would find LiveKit.");
  const files = originFrom(env, 'S3_PUBLIC_URL', ['https:', 'http:']);
  return {
    page,
    livekit,
    ...(nodeIp ? { nodeIp } : {}),
    ...(files ? { files } : {}),
    ...(env.TRUSTED_PROXIES ? { proxies: env.TRUSTED_PROXIES } : {}),
  };
}

const pick = (env: NodeJS.ProcessEnv, wanted: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value !== undefined && wanted(name) ? [[name, value]] : [])));

/**
 * What `npm start` takes from the caller's environment and a test never does, as options of a stack.
 * @throws {StackError} names the variable that can't be
 */
export function readSettings(env: NodeJS.ProcessEnv) {
  return {
    ai: pick(env, (name) => name.startsWith('AI_')),
    outside: outsideFrom(env),
    env: { all: pick(env, (name) => OF_APPS.includes(name)) },
  };
}
