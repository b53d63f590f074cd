import net from 'node:net';
import { StackError } from './errors.ts';

/** Variables of single apps that a school may want to set. Every app gets all of them and ignores those that it does not read. */
const APP_VARIABLES = [
  'RATE_LIMIT_PER_MINUTE',
  'RECORDING_RETENTION_HOURS',
  'RECORDER_SLOTS',
  'TRANSCODING_SLOTS',
  'CREDITS_LOW_THRESHOLD',
  'ROOM_UNUSED_DAYS',
  'DATABASE_POOL',
];

/** Addresses at which other machines reach this one. */
export interface Outside {
  /** origin of the page, the API, uploads and playback */
  page: string;
  /** address of LiveKit's signalling */
  livekit: string;
  /** address at which our LiveKit receives audio and video */
  nodeIp?: string;
  /** address of the storage */
  files?: string;
  /** addresses whose X-Forwarded-For is trusted */
  proxies?: string;
}

/** @returns the origin, without a path */
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

/** @returns undefined if only this machine is to reach the stack @throws {StackError} */
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
    throw new StackError("PUBLIC_URL is set without LIVEKIT_NODE_IP: no participant's media would reach LiveKit.");
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
 * The variables of the caller's environment that `npm start` uses, as stack options. Tests never use them.
 * @throws {StackError} names the invalid variable
 */
export function readSettings(env: NodeJS.ProcessEnv) {
  return {
    ai: pick(env, (name) => name.startsWith('AI_')),
    outside: outsideFrom(env),
    env: { all: pick(env, (name) => APP_VARIABLES.includes(name)) },
  };
}
