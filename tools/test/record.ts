import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/context.ts';

/** The form of a run: `npm test` or `npm run test:all`. */
export type Form = 'short' | 'all';

/** Number of executed tests by ring. */
export type RingCounts = Record<string, number>;

const FILE = path.join(REPO, 'test', 'counts.json');
const RINGS_OF_FOLDERS = ['system', 'chaos', 'reference', 'deploy', 'docs', 'upgrade'];

/** @param file path in the repository @returns the ring that it counts for */
export function ringOf(file: string): string {
  const folder = /^test\/([a-z]+)\//.exec(file)?.[1] ?? '';
  if (RINGS_OF_FOLDERS.includes(folder)) return folder;
  return /\.it(?:\.long)?\.spec\.ts$/.test(file) ? 'integration' : 'unit';
}

/**
 * Compares what a whole run executed with the recorded number of tests, so that none vanishes unnoticed.
 * @returns what to print for each ring with fewer tests, and the counts of the rings with more
 */
export function compareWithRecord(recorded: RingCounts, executed: RingCounts): { fewer: string[]; more: RingCounts } {
  const rings = Object.entries(executed);
  const fewer = rings
    .filter(([ring, count]) => count < (recorded[ring] ?? 0))
    .map(
      ([ring, count]) =>
        `${ring}: ${count} tests ran, test/counts.json records ${recorded[ring]}. Restore what is missing; if tests were removed on purpose, lower the record in the same commit and say why.`,
    );
  return { fewer, more: Object.fromEntries(rings.filter(([ring, count]) => count > (recorded[ring] ?? 0))) };
}

export const readRecord = (): Record<Form, RingCounts> => JSON.parse(fs.readFileSync(FILE, 'utf8')) as Record<Form, RingCounts>;

/**
 * @param more counts of the rings that executed more tests than recorded
 * @returns the record with these counts; `all` runs what `short` runs, so it never records fewer
 */
export function raised(record: Record<Form, RingCounts>, form: Form, more: RingCounts): Record<Form, RingCounts> {
  const next = { ...record, [form]: { ...record[form], ...more } };
  for (const [ring, count] of Object.entries(next.short)) next.all = { ...next.all, [ring]: Math.max(count, next.all[ring] ?? 0) };
  return next;
}

/** Raises the record of a form; the file is then committed with the new tests. */
export function raiseRecord(form: Form, more: RingCounts): void {
  fs.writeFileSync(FILE, `${JSON.stringify(raised(readRecord(), form, more), null, 2)}\n`);
}
