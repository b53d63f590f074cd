import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';

/**
 * The absolute path of a program. It is needed because the program runs without an environment, and therefore without a PATH.
 * @param program a name, or a path
 * @param searchPath folders in the format of PATH
 * @throws Error if the program is not installed
 */
export async function locateProgram(program: string, searchPath: string): Promise<string> {
  const folders = program.includes('/') ? [''] : searchPath.split(delimiter);
  for (const folder of folders) {
    const file = resolve(folder, program);
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
