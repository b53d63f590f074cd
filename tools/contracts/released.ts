import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/context.ts';
import type { Contracts } from './list-contracts.ts';

const FOLDER = path.join(REPO, 'libs', 'contracts', 'released');
export const KINDS = ['rpc', 'events', 'jobs', 'http', 'messages', 'streams', 'consumers', 'errors'] as const;

export interface Release {
  version: string;
  /** Hash by file. */
  migrations: Record<string, string>;
  /** By name of the contract, the first release that no longer used it. */
  retired: Record<string, string>;
}

const read = (name: string): unknown => JSON.parse(fs.readFileSync(path.join(FOLDER, `${name}.json`), 'utf8'));

/** @returns the contracts of the last release */
export const releasedContracts = () => Object.fromEntries(KINDS.map((kind) => [kind, read(kind)])) as Contracts;

export const lastRelease = () => ({ ...(read('release') as object), retired: read('retired') }) as Release;

export function write(name: string, content: unknown): void {
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
