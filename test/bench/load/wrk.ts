import path from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { obtainProgram } from '../../../tools/stack/programs.ts';

const SCRIPT = path.join(import.meta.dirname, 'wrk.lua');

/** result of one load */
export interface Outcome {
  requests: number;
  seconds: number;
  /** milliseconds */
  p50: number;
  /** milliseconds */
  p99: number;
  /** responses with a status of 400 and above */
  refused: number;
  /** socket errors and timeouts */
  broken: number;
}

/** @returns wrk's file @throws {StackError} if it is not installed */
export const findWrk = async () => (await obtainProgram('wrk')).WRK_PATH;

/**
 * Loads `url` with one thread. autocannon would take 4.5 times the CPU from what is measured.
 * @param load `seconds`: a whole number; `args`: arguments for wrk.lua
 */
export async function wrk({
  url,
  seconds,
  connections,
  args,
  signal,
}: {
  url: string;
  seconds: number;
  connections: number;
  args: (string | number)[];
  signal?: AbortSignal;
}): Promise<Outcome> {
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', SCRIPT, url, '--'];
  const { stdout } = await promisify(execFile)(await findWrk(), [...options, ...args.map(String)], { signal });
  const line = stdout.split('\n').find((it) => it.startsWith('{'));
  if (!line) throw new Error(`wrk reported no result: ${stdout}`);
  return JSON.parse(line);
}
