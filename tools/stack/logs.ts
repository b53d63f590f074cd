import fs from 'node:fs';
import path from 'node:path';

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

/**
 * @param from byte offset; earlier content belongs to an earlier run
 * @returns the last lines, without stack frames
 */
export function tail(file: string, from = 0, lines = 5): string[] {
  try {
    const size = fs.statSync(file).size;
    const start = Math.max(from, size - 16_384);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    const handle = fs.openSync(file, 'r');
    fs.readSync(handle, buffer, 0, buffer.length, start);
    fs.closeSync(handle);
    return buffer
      .toString('utf8')
      .split('\n')
      .map((line) => line.trimEnd())
      .filter((line) => line !== '' && !/^\s+at /.test(line) && !/^Node\.js v\d/.test(line))
      .map(readable)
      .slice(-lines)
      .map((line) => (line.length > 300 ? `${line.slice(0, 299)}…` : line));
  } catch {
    return [];
  }
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
  const found = new Map<string, { first: string; count: number }>();
  for (const [name, line] of linesOf(home)) {
    const kind = name === 'nats' ? REFUSAL_OF_NATS.exec(line)?.[0] : REFUSAL_IN_CLIENT.exec(line)?.[0];
    if (kind === undefined) continue;
    const key = `${name} ${kind}`;
    const known = found.get(key);
    if (known) known.count += 1;
    else found.set(key, { first: `${name}: ${line.trim()}`, count: 1 });
  }
  return [...found.values()].map(({ first, count }) => (count === 1 ? first : `${first} (${count} times)`));
}
