import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { REPO } from '../stack/context.ts';
import { builtLibrary, type Contracts, listContracts } from './list-contracts.ts';
import { migrationProblems } from './migration-rules.ts';

const FOLDER = path.join(REPO, 'libs', 'contracts', 'released');
const KINDS = ['rpc', 'events', 'jobs', 'http', 'messages', 'streams', 'consumers', 'errors'] as const;

const readStored = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(FOLDER, `${name}.json`), 'utf8'));

/** @returns the contracts of the last release */
export const releasedContracts = () => Object.fromEntries(KINDS.map((kind) => [kind, readStored(kind)])) as Contracts;

export const lastRelease = () => ({ ...(readStored('release') as object), retired: readStored('retired') }) as Release;

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

export interface Release {
  version: string;
  /** Hash by file. */
  migrations: Record<string, string>;
  /** By name of the contract, the first release that no longer used it. */
  retired: Record<string, string>;
}

/** @returns every `<folder>/migrations/*.sql` as a path in the repository, in the order in which they run */
export function migrationFiles(): string[] {
  const folders = ['libs', 'apps'].flatMap((group) =>
    fs.readdirSync(path.join(REPO, group)).map((name) => path.posix.join(group, name, 'migrations')),
  );
  const existing = folders.filter((folder) => fs.existsSync(path.join(REPO, folder)));
  return existing.flatMap((folder) =>
    fs
      .readdirSync(path.join(REPO, folder))
      .filter((file) => file.endsWith('.sql'))
      .sort()
      .map((file) => path.posix.join(folder, file)),
  );
}

const read = (file: string) => fs.readFileSync(path.join(REPO, file), 'utf8');
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

export const migrationHashes = (): Record<string, string> => Object.fromEntries(migrationFiles().map((file) => [file, hashOf(read(file))]));

/** Released files that were changed or removed. Databases that already ran them would not run them again. */
export const editedMigrations = (released: Record<string, string>, present: Record<string, string>): string[] =>
  Object.entries(released)
    .filter(([file, hash]) => present[file] !== hash)
    .map(
      ([file]) =>
        `${file}: ${file in present ? 'was released and is another now' : 'was released and is gone'}. Put it back and write a new one.`,
    );

/** @returns the problems of files that are not released yet */
export function newMigrationProblems({ version, migrations }: Pick<Release, 'version' | 'migrations'>): string[] {
  const files = migrationFiles();
  return files
    .filter((file) => !(file in migrations))
    .flatMap((file) => {
      const earlier = files.filter((other) => path.dirname(other) === path.dirname(file) && other < file).map(read);
      return migrationProblems(read(file), { file, earlier, version });
    });
}
