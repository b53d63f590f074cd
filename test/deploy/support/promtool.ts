import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, type Ended } from './programs.js';

const { obtainPromtool } = require('../../../tools/obtain') as { obtainPromtool(): Promise<string> };

export const promtool = async (args: string[]): Promise<Ended> => run(await obtainPromtool(), args);

/** Writes each text as a file to a temporary folder and deletes the folder after `work`. The files are JSON, which is valid YAML. */
export async function withFiles<T>(files: Record<string, unknown>, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'classroom-promtool-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
