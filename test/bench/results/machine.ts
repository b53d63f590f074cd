import fs from 'node:fs';
import os from 'node:os';
import { spawnSync } from 'node:child_process';
import { PART_NAMES, find } from '../../../tools/stack/parts/obtain.ts';
import { REPO, stackCache } from '../../../tools/stack/context.ts';

/** What results depend on, apart from the code. */
export interface Machine {
  cores: number;
  cpu: string;
  memoryBytes: number;
  os: string;
  node: string;
  /** Version by part, such as `postgres`. */
  parts: Record<string, string>;
}

function nameOfSystem() {
  const file = '/etc/os-release';
  const name = fs.existsSync(file) && /^PRETTY_NAME="?(.*?)"?$/m.exec(fs.readFileSync(file, 'utf8'))?.[1];
  return `${name || os.type()}, kernel ${os.release()}`;
}

export async function describeMachine(): Promise<Machine> {
  const cores = os.cpus();
  const found = await Promise.all(
    PART_NAMES.map(async (part) => [part, (await find(part, { cache: stackCache() }))?.version ?? 'unknown']),
  );
  return {
    cores: cores.length,
    cpu: cores[0]?.model ?? 'unknown',
    memoryBytes: os.totalmem(),
    os: nameOfSystem(),
    node: process.version,
    parts: Object.fromEntries(found) as Record<string, string>,
  };
}

/** @returns the hash of the commit, followed by `-dirty` if code that is measured differs from it; `unknown` without git */
export function measuredCommit(): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: REPO, encoding: 'utf8' }).stdout?.trim();
  const commit = git('rev-parse', 'HEAD');
  if (!commit) return 'unknown';
  const changed = git('status', '--porcelain', '--', '*.ts', '*.tsx', '*.sql', 'pnpm-lock.yaml', 'tools/stack/versions.json');
  return changed ? `${commit}-dirty` : commit;
}
