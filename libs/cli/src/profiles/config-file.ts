import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from '../io.js';

/** One installation, and the credentials for it. An organization has a credential or an API key. */
export interface Profile {
  url: string;
  credential?: string;
  apiKey?: string;
  /** The operators' secret. */
  dispatchSecret?: string;
}

export interface Config {
  /** The profile that is used if none is named. */
  current: string;
  profiles: Record<string, Profile>;
}

/** @returns the file in the configuration directory of the XDG Base Directory Specification */
export const configPath = (env: Record<string, string | undefined>): string =>
  join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'virtual-classroom', 'config.json');

/** @throws CommandError if the file is invalid, or other users can read it */
export function readConfig(path: string): Config {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: 'default', profiles: {} };
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}`, 'Check its owner and permissions.');
  }
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new CommandError(`${path} contains secrets, and other users can read it`, `Run: chmod 600 ${path}`);
  return parseConfig(text, path);
}

function parseConfig(text: string, path: string): Config {
  try {
    const { current, profiles } = JSON.parse(text) as Partial<Config>;
    if (typeof current === 'string' && typeof profiles === 'object' && profiles !== null && !Array.isArray(profiles))
      return { current, profiles };
  } catch {
    // The same as a file with other contents.
  }
  throw new CommandError(`${path} is no configuration of vc`, 'Delete it, then run: vc login');
}

/** Replaces the file in one step. Only its owner can read it, mode 0600. */
export function writeConfig(path: string, config: Config): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  // The mode above does not apply to a file that exists.
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}
