import fs from 'node:fs';
import path from 'node:path';
import { StackError, placeAtomically, stackCache, isWithin, parseVersion } from '../stack/context.ts';
import { withLock } from '../stack/pidfile.ts';
import { ask, run } from '../stack/run.ts';
import PINS from './pins.json' with { type: 'json' };

const PIN = PINS.promtool;

/** @param env in which to run it @returns whether this promtool runs and has a supported version */
async function isUsable(file: string, env: NodeJS.ProcessEnv) {
  const version = parseVersion((await ask(file, ['--version'], { env })) ?? '');
  return version !== undefined && isWithin(version.join('.'), PIN);
}

/** Unpacks only promtool from Debian's Prometheus package. Nothing is installed, so no server is started. */
async function unpack(folder: string, { env, logFile }: { env: NodeJS.ProcessEnv; logFile: string }) {
  const state = path.join(folder, 'apt');
  for (const name of ['lists/partial', 'cache']) fs.mkdirSync(path.join(state, name), { recursive: true });
  const options = ['-qq', '-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=', '-o', `Dir::Cache=${path.join(state, 'cache')}`];
  const privately = [...options, '-o', `Dir::State=${state}`, '-o', 'Dir::State::status=/var/lib/dpkg/status'];
  const apt = (...args: string[]) => run('apt-get', args, { env, cwd: folder, logFile, what: `apt-get ${args.at(-1)}` });
  try {
    await apt(...options, 'download', PIN.apt);
  } catch {
    // A bare container has no package lists yet, or outdated ones.
    await apt(...privately, 'update');
    await apt(...privately, 'download', PIN.apt);
  }
  const deb = fs.readdirSync(folder).find((name) => name.endsWith('.deb'));
  if (!deb) throw new StackError(`apt-get brought no package ${PIN.apt}.`);
  await run('dpkg-deb', ['-x', deb, 'package'], { env, cwd: folder, logFile, what: 'dpkg-deb' });
  fs.renameSync(path.join(folder, 'package', 'usr', 'bin', 'promtool'), path.join(folder, 'promtool'));
  for (const name of ['apt', 'package', deb]) fs.rmSync(path.join(folder, name), { recursive: true });
}

/**
 * promtool from the PATH or the cache, otherwise extracted from Debian's package into the cache.
 * @returns its path
 * @throws {StackError} says what to install
 */
export async function obtainPromtool({
  cache = stackCache(),
  env = process.env,
}: { cache?: string; env?: NodeJS.ProcessEnv } = {}): Promise<string> {
  if (await isUsable('promtool', env)) return 'promtool';
  const folder = path.join(cache, 'promtool');
  const file = path.join(folder, 'promtool');
  return withLock(path.join(cache, 'promtool.lock'), async () => {
    if (await isUsable(file, env)) return file;
    if (!(await ask('apt-get', ['--version'], { env })))
      throw new StackError('promtool is not installed and there is no apt-get to get it: install promtool 2.42 or newer.');
    await placeAtomically(folder, (staging) => unpack(staging, { env, logFile: path.join(cache, 'logs', 'promtool-apt.log') }));
    if (!(await isUsable(file, env))) throw new StackError(`promtool was unpacked into ${folder} and does not run.`);
    return file;
  });
}
