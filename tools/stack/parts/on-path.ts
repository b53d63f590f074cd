import fs from 'node:fs';
import path from 'node:path';

/** The file that the variable names, or the first of the names on the PATH. */
export function findOnPath(variable: string, names: string[], env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env[variable]) return env[variable];
  const folders = (env.PATH ?? '').split(path.delimiter);
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find((file) => fs.existsSync(file));
}
