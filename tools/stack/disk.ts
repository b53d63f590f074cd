import fs from 'node:fs';
import path from 'node:path';
import { codeOf } from './errors.ts';

/** With less free space a part can't create its next file: a segment of Postgres's log has 16 MiB. */
const FULL_BYTES = 16 * 1024 ** 2;

/** @param folder need not exist: then its nearest existing parent counts */
export function freeBytes(folder: string) {
  let at = folder;
  while (!fs.existsSync(at)) at = path.dirname(at);
  const { bavail, bsize } = fs.statfsSync(at);
  return bavail * bsize;
}

export const isDiskFullError = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(String(codeOf(error)));

/** @param error that an operation in the folder failed with */
export function isDiskFull(folder: string, error?: unknown) {
  return isDiskFullError(error) || freeBytes(folder) < FULL_BYTES;
}
