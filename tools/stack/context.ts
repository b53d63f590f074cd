/** What every tool needs: errors, folders, disk space, versions, logs, and the settings of the caller. Imports no other tool. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/**
 * An error that the caller can fix: `message` is one line that says what is wrong and what to do about it. The command line prints only the
 * message. Any other error is ours, and is printed with its stack trace.
 */
export class StackError extends Error {
  override readonly name = 'StackError';
  readonly code: string | undefined;
  /** Log lines, shown indented below the message. */
  readonly details: string[];

  constructor(message: string, { code, details = [] }: { code?: string; details?: string[] } = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/**
 * The code of an error of the system, a program or a `StackError`, such as `ENOENT`. Under jest, `instanceof Error` fails for errors of the
 * system, because they belong to another realm.
 */
export function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** The reasons of an error, for use in a longer sentence: its message and, if a program failed, the last line that it printed. */
export function reasonsOf(error: unknown): string[] {
  const { message, details = [] } = error as Error & { details?: string[] };
  return [message.replace(/\.$/, ''), ...details.slice(-1)];
}

/** Thrown by everything that is in progress when the stack is stopped. Never printed. */
export class Interrupted extends StackError {
  constructor() {
    super('Stopped before it was up.', { code: 'interrupted' });
  }
}

/** Prints an error that the caller can fix as one line, with log lines indented below it. Only our own faults are printed with a stack trace. */
export function printError(error: unknown): void {
  if (error instanceof Interrupted) return;
  if (isDiskFullError(error)) {
    process.stderr.write('The disk is full: make room, or put STACK_HOME and STACK_CACHE on another disk.\n');
  } else if (['EACCES', 'EPERM', 'EROFS'].includes(String(codeOf(error)))) {
    const { path: file = 'A file' } = error as NodeJS.ErrnoException;
    process.stderr.write(`${file} can't be written: check its owner, or set STACK_HOME and STACK_CACHE to folders of yours.\n`);
  } else if (error instanceof StackError) {
    process.stderr.write(`${error.message}\n${error.details.map((line) => `    ${line}\n`).join('')}`);
  } else {
    process.stderr.write(`${(error instanceof Error && error.stack) || String(error)}\n`);
  }
}

/** Waits for the work of a command. An error is printed, and the exit code is 1. */
export const command = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => {
    printError(error);
    process.exitCode = 1;
  });

/** Variables of a process. */
export type Variables = Record<string, string>;

export const REPO = path.resolve(import.meta.dirname, '..', '..');

/** The folder in which a stack keeps its data, logs and secrets. @param env may set STACK_HOME */
export function stackHome(env: NodeJS.ProcessEnv = process.env) {
  return path.resolve(env.STACK_HOME || path.join(REPO, '.stack'));
}

/** The folder of obtained parts, by part and version, shared by all clones of this user. @param env may set STACK_CACHE */
export function stackCache(env: NodeJS.ProcessEnv = process.env) {
  return path.resolve(env.STACK_CACHE || path.join(env.HOME || os.homedir(), '.cache', 'virtual-classroom'));
}

/** A folder outside of all homes: Postgres refuses to run as root, and an unprivileged user can't enter /root. */
export const SHARED_ROOT = process.platform === 'darwin' ? '/usr/local/var/virtual-classroom' : '/var/lib/virtual-classroom';

export function homeHash(home: string) {
  return createHash('sha256').update(path.resolve(home)).digest('hex').slice(0, 12);
}

/** The folder for Postgres's files of this home, if Postgres's user can't enter the home itself. */
export function outsideHome(home: string) {
  return path.join(SHARED_ROOT, homeHash(home));
}

/** Whether a user without any ownership can enter `dir`. Missing folders count as enterable, because we create them that way. */
export function anyoneCanEnter(dir: string) {
  for (let at = path.resolve(dir); ; at = path.dirname(at)) {
    try {
      if ((fs.statSync(at).mode & 0o001) === 0) return false;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') return false;
    }
    if (at === path.dirname(at)) return true;
  }
}

export function isRoot() {
  return typeof process.getuid === 'function' && process.getuid() === 0;
}

export interface User {
  uid: number;
  gid: number;
}

/**
 * The user that runs Postgres if this process is root: `postgres` if Debian created it, otherwise the standard unprivileged user.
 * @returns undefined if this process is not root
 */
export function unprivilegedUser(): User | undefined {
  if (!isRoot()) return undefined;
  const rows = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const row = rows.find((r) => r[0] === 'postgres') ?? rows.find((r) => r[0] === 'nobody');
  return row ? { uid: Number(row[2]), gid: Number(row[3]) } : { uid: 65534, gid: 65534 };
}

/** Creates a folder in one step, so that no other process sees part of it. If another process finished first, its folder is kept. */
export async function placeAtomically(target: string, fill: (temporary: string) => void | Promise<void>) {
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const temporary = `${target}.tmp-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  try {
    fs.mkdirSync(temporary);
    await fill(temporary);
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(temporary, target);
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

/** Writes a file that only this user can read, even if an earlier version left it readable for others. */
export function writePrivate(file: string, text: string) {
  fs.writeFileSync(file, '', { mode: 0o600 });
  fs.chmodSync(file, 0o600);
  fs.writeFileSync(file, text);
}

/** With less free space a part can't create its next file: a segment of Postgres's log has 16 MiB. */
const FULL_BYTES = 16 * 1024 ** 2;

/** @param folder need not exist: then its nearest existing parent counts */
export function freeBytes(folder: string) {
  let at = folder;
  while (!fs.existsSync(at)) at = path.dirname(at);
  const { bavail, bsize } = fs.statfsSync(at);
  return bavail * bsize;
}

export const isDiskFullError = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(String(codeOf(error)));

/** @param error that an operation in the folder failed with */
export function isDiskFull(folder: string, error?: unknown) {
  return isDiskFullError(error) || freeBytes(folder) < FULL_BYTES;
}

/** @returns the first dotted number in it, such as [18, 4] */
export function parseVersion(text: string): number[] | undefined {
  const found = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return found
    ? found
        .slice(1)
        .filter((part) => part !== undefined)
        .map(Number)
    : undefined;
}

/** @returns a negative number if a is older than b, 0 if they are equal @param b the version to compare with */
export function compareVersions(a: string, b: string) {
  const [x, y] = [parseVersion(a) ?? [], parseVersion(b) ?? []];
  for (let i = 0; i < 3; i += 1) {
    if ((x[i] ?? 0) !== (y[i] ?? 0)) return (x[i] ?? 0) - (y[i] ?? 0);
  }
  return 0;
}

export function isWithin(version: string, { min, below }: { min: string; below: string }) {
  return parseVersion(version) !== undefined && compareVersions(version, min) >= 0 && compareVersions(version, below) < 0;
}

const ROTATE_BYTES = 20 * 1024 * 1024;

/** Called once at the start of a process. Keeps one older file, so that logs of a long-lived home do not fill the disk. */
export function rotate(file: string) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  try {
    if (fs.statSync(file).size > ROTATE_BYTES) fs.renameSync(file, `${file}.1`);
  } catch {
    /* there is no log yet */
  }
}

/** A log line in readable form: of a JSON line, its message and error. */
function readable(line: string) {
  try {
    const entry = JSON.parse(line);
    const error = entry.err?.message ?? entry.error?.message ?? entry.error;
    return [entry.msg ?? entry.message, typeof error === 'string' ? error : undefined].filter(Boolean).join(': ') || line;
  } catch {
    return line;
  }
}

/** @param from byte offset; earlier content belongs to an earlier run @returns the end of a file, of at most so many bytes */
export function readEnd(file: string, bytes: number, from = 0): string {
  const descriptor = fs.openSync(file, 'r');
  try {
    const { size } = fs.fstatSync(descriptor);
    const start = Math.max(from, size - bytes);
    const end = Buffer.alloc(Math.max(0, size - start));
    fs.readSync(descriptor, end, 0, end.length, start);
    return end.toString('utf8');
  } finally {
    fs.closeSync(descriptor);
  }
}

/** @param from as of `readEnd` @returns the last lines of a log, without stack frames; none if there is no log */
export function tail(file: string, from = 0, lines = 5): string[] {
  if (!fs.existsSync(file)) return [];
  return readEnd(file, 16_384, from)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !/^\s+at /.test(line) && !/^Node\.js v\d/.test(line))
    .map(readable)
    .slice(-lines)
    .map((line) => (line.length > 300 ? `${line.slice(0, 299)}…` : line));
}

/** @returns the first text of each kind, with the number of its kind: an outage repeats a few of them many times */
export function firstOfEach(texts: { kind: string; text: string }[]): string[] {
  return [...Map.groupBy(texts, ({ kind }) => kind).values()].map(
    (all) => `${all[0]?.text}${all.length > 1 ? ` (${all.length} times)` : ''}`,
  );
}

/** The lines of all logs of a stack, by the name of the process. */
function linesOf(home: string): [name: string, line: string][] {
  const folder = path.join(home, 'logs');
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((file) => file.endsWith('.log')) : [];
  return files.flatMap((file) => {
    const lines = fs.readFileSync(path.join(folder, file), 'utf8').split('\n');
    return lines.map((line): [string, string] => [path.basename(file, '.log'), line]);
  });
}

/** @returns the log lines of processes that answered with an error that its contract does not declare */
export function undeclaredErrors(home: string): string[] {
  return linesOf(home).flatMap(([, line]) => (line.includes('undeclared error') ? [line] : []));
}

/** NATS logs each refusal, with the user and the subject, whatever the client does with it. Redis and the storage log none: the client does. */
const REFUSAL_OF_NATS = /(?:"[^"]*" - )?(?:Publish|Subscription) Violation.*/;
const REFUSAL_IN_CLIENT = /\bNOPERM\b|\bAccessDenied\b/;

/** @returns what processes tried although their users of NATS, Redis or the storage may not: the first log line of each kind */
export function permissionViolations(home: string): string[] {
  const refusals = linesOf(home).flatMap(([name, line]) => {
    const refusal = (name === 'nats' ? REFUSAL_OF_NATS : REFUSAL_IN_CLIENT).exec(line)?.[0];
    return refusal === undefined ? [] : [{ kind: `${name} ${refusal}`, text: `${name}: ${line.trim()}` }];
  });
  return firstOfEach(refusals);
}

/** Variables of single apps that a school may want to set. Every app gets all of them and ignores those that it does not read. */
const APP_VARIABLES = [
  'RATE_LIMIT_PER_MINUTE',
  'RECORDING_RETENTION_HOURS',
  'RECORDER_SLOTS',
  'TRANSCODING_SLOTS',
  'CREDITS_LOW_THRESHOLD',
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
