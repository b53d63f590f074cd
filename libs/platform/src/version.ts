import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version in the package.json of the program that runs, which is next to the folder of its first file; `unknown` if there is none. */
export const version: string = (() => {
  try {
    const manifest = readFileSync(join(dirname(process.argv[1] ?? ''), '..', 'package.json'), 'utf8');
    return (JSON.parse(manifest) as { version?: string }).version ?? 'unknown';
  } catch {
    return 'unknown';
  }
})();
