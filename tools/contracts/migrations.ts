import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/context.ts';
import { migrationProblems } from './migration-rules.ts';

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
