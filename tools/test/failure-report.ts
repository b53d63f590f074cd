import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { firstOfEach, readEnd } from '../stack/context.ts';
import { parseLines, renderTree } from '../trace.ts';

/** Bytes read from the end of each log. */
const TAIL_BYTES = 4 * 1024 * 1024;
const MOST_LINES = 40;
/** `10:00:01.000` at the beginning of a line. */
const TIME_LENGTH = 12;
const MOST_TRACES = 2;
const MOST_SPANS = 60;
const SERIOUS = new Set(['warn', 'error', 'fatal']);

interface Line {
  at: string;
  level: string;
  text: string;
  traceId: string | undefined;
}

/** @returns the record of a line as libs/platform/logger.ts writes it, or undefined for other lines */
function parseLine(text: string, service: string): Line | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const { time, level, msg, trace_id: traceId, err } = JSON.parse(text);
    if (typeof time !== 'string') return undefined;
    const cause = err?.message ? `: ${err.message}` : '';
    return { at: time, level, traceId, text: `${time.slice(11, 23)}  ${service.padEnd(12)}  ${String(level).padEnd(5)}  ${msg}${cause}` };
  } catch {
    // The line was cut off.
    return undefined;
  }
}

const readTail = (file: string) => readEnd(file, TAIL_BYTES);

const filesIn = (folder: string, end: string) =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder)
        .filter((name) => name.endsWith(end))
        .map((name) => path.join(folder, name))
    : [];

/**
 * What the system under test logged during a failed test, and the traces of its errors.
 * @param homes folders of the stacks that the test used
 * @param captured lines that the test's own process logged
 * @param since start of the test
 */
export function failureReport(homes: readonly string[], captured: readonly string[], since: Date): string[] {
  const from = since.toISOString();
  const logs = homes.flatMap((home) =>
    filesIn(path.join(home, 'logs'), '.log').flatMap((file) =>
      readTail(file)
        .split('\n')
        .map((line) => parseLine(line, path.basename(file, '.log'))),
    ),
  );
  const own = captured.map((line) => parseLine(line, 'test'));
  const lines = [...logs, ...own].filter((line) => line !== undefined).filter((line) => line.at >= from && SERIOUS.has(line.level));
  lines.sort((a, b) => (a.at < b.at ? -1 : 1));
  const messages = firstOfEach(lines.map(({ text }) => ({ kind: text.slice(TIME_LENGTH), text })));
  const report = messages.slice(0, MOST_LINES);
  if (messages.length > MOST_LINES) report.push(`… and ${messages.length - MOST_LINES} more messages`);
  const traceIds = [...new Set(lines.filter(({ level }) => level !== 'warn').flatMap(({ traceId }) => traceId ?? []))].slice(
    0,
    MOST_TRACES,
  );
  if (traceIds.length === 0) return report;
  const spans = homes.flatMap((home) => filesIn(path.join(home, 'traces'), '.jsonl').flatMap((file) => parseLines(readTail(file))));
  for (const id of traceIds) {
    const tree = renderTree(spans.filter((span) => span.traceId === id));
    report.push(`trace ${id}`, ...tree.slice(0, MOST_SPANS));
  }
  return report;
}

/**
 * The file in which the environment of a test file collects logs and traces of failed tests, for the reporter.
 * @returns undefined outside a run of tools/test.ts
 */
export function failureFile(testFile: string): string | undefined {
  const folder = process.env.TEST_RUN_FOLDER;
  return folder ? path.join(folder, `${createHash('sha256').update(testFile).digest('hex').slice(0, 16)}.failures`) : undefined;
}
