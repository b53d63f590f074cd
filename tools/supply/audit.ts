// npm run audit: fails if a production dependency has a known vulnerability. It asks the package registry, so it is not part of the tests.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { printError, REPO, StackError, stackHome } from '../stack/context.ts';
import { install, PNPM, toolEnvironment } from '../stack/toolchain.ts';

const SEVERITIES = ['low', 'moderate', 'high', 'critical'];
const TIMEOUT_MS = 120_000;
/** Some packages have hundreds of paths. */
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;
/** Exit codes: a vulnerability or an invalid exception; no answer about vulnerabilities. */
const [FOUND, UNKNOWN] = [1, 2];

/** A vulnerability that is accepted until a date. */
interface Exception {
  /** Id of the advisory: GHSA-… */
  advisory: string;
  package: string;
  reason: string;
  /** Last day, YYYY-MM-DD in UTC. */
  expires: string;
}

interface Advisory {
  findings: { version: string; paths: string[] }[];
  title: string;
  module_name: string;
  vulnerable_versions: string;
  patched_versions: string | null;
  severity: string;
  github_advisory_id: string;
  url: string;
}

interface Report {
  advisories: Record<string, Advisory>;
  metadata: { totalDependencies: number };
}

/** @throws {StackError} if the list is not valid */
export function readExceptions(text: string): Exception[] {
  const list = JSON.parse(text) as Partial<Exception>[];
  for (const one of list) {
    const { advisory, package: name, reason, expires = '' } = one;
    const isDate = /^\d{4}-\d{2}-\d{2}$/.test(expires) && !Number.isNaN(Date.parse(expires));
    if (!advisory || !name || !reason?.trim() || !isDate) {
      throw new StackError(`An exception needs advisory, package, reason and expires (YYYY-MM-DD): ${JSON.stringify(one)}`);
    }
  }
  return list as Exception[];
}

function describe(advisory: Advisory): string {
  const { severity, module_name: name, findings, title, url, patched_versions: patched } = advisory;
  const paths = findings.flatMap((finding) => finding.paths).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const [path = ''] = paths;
  return [
    `${severity}: ${name} ${findings.map(({ version }) => version).join(', ')}: ${title}`,
    `    path: ${path.replace('__', '/').replaceAll('>', ' > ')}${paths.length > 1 ? ` (and ${paths.length - 1} more)` : ''}`,
    `    fixed in: ${patched && patched !== '<0.0.0' ? patched : 'no version yet'}`,
    `    ${url}`,
  ].join('\n');
}

/**
 * @param level lowest severity that fails
 * @param today YYYY-MM-DD in UTC
 * @returns the lines to print, and whether the audit passes
 */
function judge(
  report: Report,
  { exceptions, level, today }: { exceptions: Exception[]; level: string; today: string },
): { lines: string[]; isPassed: boolean } {
  const known = Object.values(report.advisories);
  const expired = exceptions.filter(({ expires }) => expires < today);
  const isExcepted = (it: Advisory) =>
    exceptions.some((one) => one.advisory === it.github_advisory_id && one.package === it.module_name && one.expires >= today);
  const relevant = known.filter(
    ({ severity }) => !SEVERITIES.includes(severity) || SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(level),
  );
  const open = relevant.filter((it) => !isExcepted(it));
  const unused = exceptions.filter((one) => !known.some((it) => it.github_advisory_id === one.advisory && it.module_name === one.package));
  return {
    lines: [
      ...open.map(describe),
      ...expired.map((one) => `expired exception: ${one.advisory} (${one.package}) ended on ${one.expires}: ${one.reason}`),
      ...unused.map((one) => `unused exception: ${one.advisory} (${one.package}) can be removed`),
      `${report.metadata.totalDependencies} packages: ${open.length} vulnerabilities of severity ${level} or higher, ` +
        `${relevant.length - open.length} excepted, ${known.length - relevant.length} less severe`,
    ],
    isPassed: open.length === 0 && expired.length === 0,
  };
}

/** @returns the report of pnpm on at least one package @throws {StackError} if the registry gave no answer */
function askRegistry(): Report {
  const options = { cwd: REPO, env: toolEnvironment(), timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, encoding: 'utf8' } as const;
  const { stdout, stderr, signal } = spawnSync(PNPM, ['audit', '--prod', '--json'], options);
  // pnpm exits with 1 both for a vulnerability and for an error; only the first has a report.
  const report = stdout.startsWith('{') ? (JSON.parse(stdout) as Partial<Report>) : {};
  if (report.advisories && report.metadata?.totalDependencies) return report as Report;
  const why = signal ? `it took longer than ${TIMEOUT_MS / 1000} s` : stderr.trim() || stdout.trim() || 'no output';
  throw new StackError('The vulnerabilities are unknown: the package registry did not answer.', { details: why.split('\n') });
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      level: { type: 'string', default: 'moderate' },
      exceptions: { type: 'string', default: path.join(import.meta.dirname, 'audit-exceptions.json') },
    },
  });
  const { level } = values;
  if (!SEVERITIES.includes(level)) throw new StackError(`--level is one of ${SEVERITIES.join(', ')}.`);
  const exceptions = readExceptions(fs.readFileSync(values.exceptions, 'utf8'));
  await install({ home: stackHome() });
  const report = askRegistry();
  const { lines, isPassed } = judge(report, { exceptions, level, today: new Date().toISOString().slice(0, 10) });
  process.stdout.write(`${lines.join('\n')}\n`);
  return isPassed ? 0 : FOUND;
}

if (import.meta.main) {
  main().then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      printError(error);
      process.exitCode = UNKNOWN;
    },
  );
}
