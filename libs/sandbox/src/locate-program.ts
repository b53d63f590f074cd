import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';

/**
 * The absolute path of a program: it runs without an environment, so without a PATH.
 * @param program a name, or a path @param searchPath folders as PATH lists them @throws Error where it is not installed
 */
export async function locateProgram(program: string, searchPath: string): Promise<string> {
  const places = program.includes('/') ? [''] : searchPath.split(delimiter);
  for (const place of places) {
    const file = resolve(place, program);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  throw new Error(`${program} is not installed`);
}
