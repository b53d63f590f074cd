import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from '../../deploy/support/programs.js';
import { toToml, type Settings } from './settings.js';

const REPO = resolve(__dirname, '..', '..', '..');

interface Obtain {
  obtainSchemathesis(): Promise<{ python: string; folder: string }>;
}
const { obtainSchemathesis } = require(join(REPO, 'tools', 'obtain')) as Obtain;

interface ValidRate {
  accepted: number;
  unreachable: number;
  conflicts: number;
  rejected: number;
}

/** The part of the output of `--report json` that is read here. */
export interface Report {
  stop_reason: string;
  complete: boolean;
  operations: { total: number; selected: number; tested: number; errored: number; skipped: number };
  phases: Record<string, { status: string; skip_reason: string | null }>;
  test_cases: { generated: number; with_failures: number; unique_failures: number; errored: number };
  failures: { type: string; code: string; title: string; severity: string; count: number; operations: string[] }[];
  errors: { title: string; count: number }[];
  /** By `METHOD /path`, then by phase: the results of requests that match the reference. */
  valid_rates: Record<string, Record<string, ValidRate>>;
}

export interface PhaseResult {
  report: Report;
  /** Its output, with each failure and the request that reproduces it. */
  output: string;
}

export interface Trial {
  phase: 'examples' | 'coverage' | 'fuzzing' | 'stateful';
  folder: string;
  baseUrl: string;
  document: object;
  settings: Settings;
  /** undefined: runs to its end */
  seconds?: number;
  /** undefined: Schemathesis picks a seed and prints it */
  seed: string | undefined;
}

/** Runs one phase of Schemathesis. @throws the output, if it wrote no report */
export async function tryReference({ phase, folder, baseUrl, document, settings, seconds, seed }: Trial): Promise<PhaseResult> {
  const [openapi, configuration, report] = [`${phase}.openapi.json`, `${phase}.toml`, `${phase}.json`].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(openapi, JSON.stringify(document));
  writeFileSync(configuration, toToml(settings));
  // No `--checks`: all checks run by default. With the option, Schemathesis would ignore the exceptions in the configuration.
  const args = [
    '--config-file',
    configuration,
    'run',
    openapi,
    '--url',
    baseUrl,
    '--continue-on-failure',
    '--output-sanitize',
    'false',
    '--phases',
    phase,
  ];
  const time = seconds === undefined ? [] : ['--max-time', String(seconds)];
  const random = seed === undefined ? [] : ['--seed', seed];
  const output = await schemathesis(folder, settings, [
    ...args,
    ...time,
    ...random,
    '--report',
    'json,ndjson',
    '--report-json-path',
    report,
    '--report-ndjson-path',
    join(folder, `${phase}.ndjson`),
  ]);
  try {
    return { report: JSON.parse(readFileSync(report, 'utf8')) as Report, output };
  } catch {
    throw new Error(output);
  }
}

async function schemathesis(folder: string, { credentials, tokens, schools }: Settings, args: string[]): Promise<string> {
  const { python, folder: packages } = await obtainSchemathesis();
  const callers = {
    REFERENCE_CALLER: credentials.classroomToken,
    REFERENCE_OTHERS: JSON.stringify(tokens),
    REFERENCE_SCHOOL: credentials.credential,
    REFERENCE_SCHOOLS: JSON.stringify(schools),
  };
  const env = { PATH: process.env['PATH'], HOME: folder, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1', NO_COLOR: '1', ...callers };
  const { stdout, stderr } = await run(python, ['-m', 'schemathesis.cli', ...args], { cwd: folder, env });
  return stdout + stderr;
}
