import { createHash } from 'node:crypto';
import path from 'node:path';

/**
 * The file in which the environment of a test file collects logs and traces of failed tests, for the reporter.
 * @returns undefined outside a run of tools/test.ts
 */
export function failureFile(testFile: string): string | undefined {
  const folder = process.env.TEST_RUN_FOLDER;
  return folder ? path.join(folder, `${createHash('sha256').update(testFile).digest('hex').slice(0, 16)}.failures`) : undefined;
}
