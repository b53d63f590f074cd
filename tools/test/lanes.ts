import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/context.ts';

/**
 * A test file with browsers, calls or films says so in a docblock at its top. A page encodes and draws as long as it is open, so two of them at once need
 * twice the processor time for the same work, and films lose frames. They run one after another, next to all other files.
 */
const IN_REAL_TIME = /^\s*\/\*\*(?:(?!\*\/)[\s\S])*@lane real-time\b/;

/** Where the other files are. The groups become shorter, so that the lanes end at about the same time. */
const FOLDERS = [
  'test/system/',
  'apps/recording/',
  'apps/room/',
  'apps/(billing|media)/',
  'apps/(ai|organization)/',
  'test/(chaos|reference)/',
  'apps/(gateway|recorder)/',
  'libs/messaging/',
  'libs/',
  '',
].map((folder) => new RegExp(`^${folder}`));

/** @returns the test files of each run of jest, as paths in the repository: those in real time, then the others folder by folder */
export function groupsOf(files: readonly string[], read = (file: string) => fs.readFileSync(path.join(REPO, file), 'utf8')): string[][] {
  const groups = [[], ...FOLDERS.map(() => [])] as string[][];
  for (const file of files) groups[IN_REAL_TIME.test(read(file)) ? 0 : 1 + FOLDERS.findIndex((folder) => folder.test(file))]?.push(file);
  return groups.filter((group) => group.length > 0);
}

/** @returns all test files in the folders in which rings have theirs, as paths in the repository */
export const testFiles = (): string[] =>
  fs.globSync('{apps,libs,test,tools}/**/*.spec.ts', { cwd: REPO, exclude: (name) => name === 'node_modules' || name === 'dist' });
