import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/context.ts';
import { builtLibrary, listContracts, type Contracts } from './list-contracts.ts';
import { migrationHashes, type Release } from './migrations.ts';
import manifest from '../../package.json' with { type: 'json' };

const FOLDER = path.join(REPO, 'libs', 'contracts', 'released');
const KINDS = ['rpc', 'events', 'jobs', 'http', 'messages', 'streams', 'consumers', 'errors'] as const;

const read = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(FOLDER, `${name}.json`), 'utf8'));

/** @returns the contracts of the last release */
export const releasedContracts = () => Object.fromEntries(KINDS.map((kind) => [kind, read(kind)])) as Contracts;

export const lastRelease = () => ({ ...(read('release') as object), retired: read('retired') }) as Release;

function write(name: string, content: unknown): void {
  fs.mkdirSync(FOLDER, { recursive: true });
  fs.writeFileSync(path.join(FOLDER, `${name}.json`), `${JSON.stringify(sorted(content), undefined, 1)}\n`);
}

/** Sorts keys, so that a diff shows only changes of content. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, it]) => [key, sorted(it)]),
  );
}

/** Stores the contracts and migrations of a release, with which the next release is compared. To be run only after a release was published. */
export function storeRelease(): void {
  const contracts = listContracts(builtLibrary());
  const { version } = manifest;
  for (const kind of KINDS) write(kind, contracts[kind]);
  write('release', { version, migrations: migrationHashes() });
  // A contract that no longer exists needs no entry: it will not be compared again.
  const names = new Set(KINDS.flatMap((kind) => Object.keys(contracts[kind])));
  write('retired', Object.fromEntries(Object.entries(lastRelease().retired).filter(([name]) => names.has(name))));
  const counts = KINDS.map((kind) => `${Object.keys(contracts[kind]).length} ${kind}`).join(', ');
  process.stdout.write(`libs/contracts/released is ${version}: ${counts}\n`);
}
