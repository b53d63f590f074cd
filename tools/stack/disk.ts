import fs from 'node:fs';
import path from 'node:path';
import { codeOf } from './errors.ts';

/** With less than this a part that wants its next file (a segment of Postgres's log is 16 MiB) does not get it. */
const FULL_BYTES = 16 * 1024 ** 2;

/** @param folder it or its nearest parent that exists */
export function freeBytes(folder: string) {
  let at = folder;
  while (!fs.existsSync(at)) at = path.dirname(at);
  const { bavail, bsize } = fs.statfsSync(at);
  return bavail * bsize;
}

export const saysDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(String(codeOf(error)));

/** @param error what failed there */
export function isDiskFull(folder: string, error?: unknown) {
  return saysDiskFull(error) || freeBytes(folder) < FULL_BYTES;
}
