import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

export const REPO = resolve(__dirname, '..', '..', '..');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Run {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  input?: string;
}

/** Runs a program until it ends, with any exit code. */
export function run(file: string, args: string[], { cwd = REPO, env = process.env, input }: Run = {}): Promise<Ended> {
  return new Promise((done, reject) => {
    const child = spawn(file, args, { cwd, env });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (code) => done({ code, stdout, stderr }));
    // A program that exits immediately does not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

interface Obtain {
  obtainHelm(): Promise<string>;
  obtainValidator(): Promise<{ python: string; folder: string }>;
}
const { obtainHelm, obtainValidator } = require('../../../tools/obtain') as Obtain;

let helmFile: Promise<string> | undefined;

/** Runs helm without the user's own configuration. */
export async function helm(args: string[]): Promise<Ended> {
  helmFile ??= obtainHelm();
  const none = join(REPO, '.stack', 'helm');
  const env = { PATH: process.env['PATH'], HOME: none, HELM_CONFIG_HOME: none, HELM_CACHE_HOME: none, HELM_DATA_HOME: none };
  return run(await helmFile, args, { env });
}

export interface CheckedYaml<T> {
  documents: T[];
  errors: string[];
}

const OWN_SCHEMAS = join(__dirname, '..', 'schemas');

/** Parses YAML. @returns its documents, and the schema errors for each of the given versions of Kubernetes */
export async function readYaml<T>(text: string, versions: string[] = []): Promise<CheckedYaml<T>> {
  const { python, folder } = await obtainValidator();
  const env = { PATH: process.env['PATH'], PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
  const ended = await run(python, [join(REPO, 'tools', 'deploy', 'check-yaml.py'), OWN_SCHEMAS, ...versions], { env, input: text });
  if (ended.code !== 0) throw new Error(ended.stderr);
  return JSON.parse(ended.stdout) as CheckedYaml<T>;
}
