import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from '../../deploy/support/programs.js';
import { toToml, type Settings } from './settings.js';

const REPO = resolve(__dirname, '..', '..', '..');

interface Obtain {
  obtainSchemathesis(): Promise<{ python: string; folder: string }>;
}
const { obtainSchemathesis } = require(join(REPO, 'tools', 'reference', 'schemathesis')) as Obtain;

interface ValidRate {
  accepted: number;
  unreachable: number;
  conflicts: number;
  rejected: number;
}

/** As far as it is read here, what `--report json` writes. */
export interface Report {
  stop_reason: string;
  complete: boolean;
  operations: { total: number; selected: number; tested: number; errored: number; skipped: number };
  phases: Record<string, { status: string; skip_reason: string | null }>;
  test_cases: { generated: number; with_failures: number; unique_failures: number; errored: number };
  failures: { type: string; code: string; title: string; severity: string; count: number; operations: string[] }[];
  errors: { title: string; count: number }[];
  /** By `METHOD /path`, then by phase: what became of the requests that were as the reference says. */
  valid_rates: Record<string, Record<string, ValidRate>>;
}

export interface Tried {
  report: Report;
  /** What it printed: every failure with the request that shows it. */
  told: string;
}

export interface Trial {
  folder: string;
  baseUrl: string;
  document: object;
  settings: Settings;
  seconds: number;
}

/** Runs all phases of Schemathesis for about so many seconds. @throws what it printed, where it wrote no report */
export async function tryReference({ folder, baseUrl, document, settings, seconds }: Trial): Promise<Tried> {
  const { python, folder: packages } = await obtainSchemathesis();
  const openapi = join(folder, 'openapi.json');
  const configuration = join(folder, 'schemathesis.toml');
  writeFileSync(openapi, JSON.stringify(document));
  writeFileSync(configuration, toToml(settings));
  const env = { PATH: process.env['PATH'], HOME: folder, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1', NO_COLOR: '1' };
  const options = ['--checks', 'all', '--phases', 'examples,coverage,fuzzing,stateful', '--max-time', String(seconds), '--continue-on-failure'];
  const reports = ['--report', 'json,ndjson', '--report-json-path', join(folder, 'report.json'), '--report-ndjson-path', join(folder, 'report.ndjson')];
  const args = ['-m', 'schemathesis.cli', '--config-file', configuration, 'run', openapi, '--url', baseUrl, ...options, ...reports];
  const { stdout, stderr } = await run(python, args, { cwd: folder, env });
  const told = stdout + stderr;
  try {
    return { report: JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report, told };
  } catch {
    throw new Error(told);
  }
}
