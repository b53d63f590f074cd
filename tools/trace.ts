import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stackHome } from './stack/context.ts';

/** A span as libs/platform writes it, one JSON object per line. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  service: string;
  name: string;
  kind: string;
  startUnixNano: string;
  endUnixNano: string;
  attributes: Record<string, unknown>;
  status: { code: string; message?: string };
  events?: { name: string; attributes?: Record<string, unknown> }[];
  links?: { traceId: string; spanId: string }[];
}

/** Attributes that are printed with a span if it has them, in this order. All others are only in the file. */
const SHOWN_ATTRIBUTES = [
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'request.id',
  'messaging.destination.name',
  'error.type',
  'room.sid',
  'livekit.event',
  'db.query.text',
  'db.statement',
];

/** @returns the spans; a line that was cut off when a process was killed is skipped */
export function parseLines(text: string): Span[] {
  return text.split('\n').flatMap((line) => {
    try {
      const span = JSON.parse(line);
      return typeof span?.traceId === 'string' && typeof span.spanId === 'string' ? [span] : [];
    } catch {
      return [];
    }
  });
}

/** @returns the spans of all services, including rotated files */
export const readTraces = (folder: string): Span[] =>
  fs.globSync('*.jsonl{,.*}', { cwd: folder }).flatMap((name) => parseLines(fs.readFileSync(path.join(folder, name), 'utf8')));

const millis = (from: string, to: string) => Number(BigInt(to) - BigInt(from)) / 1e6;

const byStart = (a: Span, b: Span) => (BigInt(a.startUnixNano) < BigInt(b.startUnixNano) ? -1 : 1);

const byTrace = (spans: Span[]) => Map.groupBy(spans, ({ traceId }) => traceId);

const isFailed = ({ status }: Span) => status?.code === 'ERROR';

/** @param began start of the trace */
function describe(span: Span, began: string) {
  const shown = SHOWN_ATTRIBUTES.filter((key) => span.attributes?.[key] !== undefined).map((key) => {
    const value = String(span.attributes[key]).replace(/\s+/g, ' ');
    return `${key}=${value.length > 60 ? `${value.slice(0, 59)}…` : value}`;
  });
  const exception = span.events?.find((event) => event.name === 'exception')?.attributes?.['exception.message'];
  const error = isFailed(span) ? `ERROR ${span.status.message ?? exception ?? ''}`.trimEnd() : '';
  const links = (span.links ?? []).map((link) => `↪ ${link.traceId}`);
  const time = `${millis(span.startUnixNano, span.endUnixNano).toFixed(1)} ms @${millis(began, span.startUnixNano).toFixed(1)}`;
  return [`${span.service}  ${span.name}`, `[${span.kind}]`, time, error, ...shown, ...links].filter(Boolean).join('  ');
}

/**
 * @param spans of one trace
 * @returns the tree. A span whose parent was never written (the process was killed, or the caller is outside) is drawn as a root and marked `…`
 */
export function renderTree(spans: Span[]): string[] {
  const unique = [...new Map(spans.map((span) => [span.spanId, span])).values()].sort(byStart);
  const began = unique[0]?.startUnixNano;
  if (began === undefined) return [];
  const ids = new Set(unique.map((span) => span.spanId));
  const lines: string[] = [];
  const draw = (span: Span, indent: string, branch: string) => {
    lines.push(`${indent}${branch}${describe(span, began)}`);
    const below = unique.filter((other) => other.parentSpanId === span.spanId && other !== span);
    const deeper = branch === '' ? indent : `${indent}${branch === '└ ' ? '  ' : '│ '}`;
    below.forEach((child, index) => draw(child, deeper, index === below.length - 1 ? '└ ' : '├ '));
  };
  for (const span of unique) {
    if (!span.parentSpanId) draw(span, '', '');
    else if (!ids.has(span.parentSpanId)) draw(span, '… ', '');
  }
  return lines;
}

/** @returns one line per trace, newest first */
export function renderList(spans: Span[], count = 20): string[] {
  const traces = [...byTrace(spans).values()].map((trace) => trace.sort(byStart)) as [Span, ...Span[]][];
  traces.sort(([a], [b]) => byStart(b, a));
  return traces.slice(0, count).map((trace) => {
    const [first] = trace;
    const root = trace.find((span) => !span.parentSpanId) ?? first;
    const end = trace.map(({ endUnixNano }) => endUnixNano).reduce((a, b) => (BigInt(b) > BigInt(a) ? b : a));
    const errors = trace.filter(isFailed).length;
    const at = new Date(millis('0', root.startUnixNano)).toISOString().slice(11, 23);
    const took = `${millis(first.startUnixNano, end).toFixed(1).padStart(8)} ms  ${String(trace.length).padStart(3)} spans`;
    const services = [...new Set(trace.map(({ service }) => service))].join(' ');
    return `${root.traceId}  ${at}  ${took}  ${errors ? `${errors} errors  ` : ''}${root.name}  (${services})`;
  });
}

/**
 * @param asked a trace id, the beginning of one, or a request id
 * @returns the matching trace ids
 */
export function findTraces(spans: Span[], asked: string): string[] {
  const byRequest = spans.filter((span) => span.attributes?.['request.id'] === asked);
  const hits = byRequest.length > 0 ? byRequest : spans.filter((span) => span.traceId.startsWith(asked.toLowerCase()));
  return [...new Set(hits.map((span) => span.traceId))];
}

export function answer(asked: string | undefined, folder: string): { lines: string[]; found: boolean } {
  const spans = readTraces(folder);
  if (spans.length === 0)
    return {
      lines: [`No traces in ${folder}: start the stack (npm start) and make a request; spans are written within a second.`],
      found: false,
    };
  if (!asked) return { lines: renderList(spans), found: true };
  const ids = findTraces(spans, asked);
  if (ids.length === 0) return { lines: [`No trace ${asked} in ${folder}: npm run trace lists the latest.`], found: false };
  const traces = byTrace(spans);
  const lines = ids.flatMap((id) => {
    // Work that continues after the response, such as a job or a delivery, has a trace of its own that links back to this one.
    const onward = new Set(
      spans.filter((span) => span.traceId !== id && span.links?.some((link) => link.traceId === id)).map((span) => span.traceId),
    );
    return [`trace ${id}`, ...renderTree(traces.get(id) ?? []), ...[...onward].map((other) => `continues in ${other}`), ''];
  });
  return { lines, found: true };
}

/** How long to wait for a trace, in milliseconds. Services write spans within a second, so a trace may be missing right after its request. */
const TIMEOUT_MS = 3_000;

/** The exit code is 1 if no trace was found. */
async function printTrace(asked: string | undefined, folder: string): Promise<void> {
  for (const until = Date.now() + TIMEOUT_MS; ; await sleep(200)) {
    const { lines, found } = answer(asked, folder);
    if (!found && asked && Date.now() < until) continue;
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exitCode = found ? 0 : 1;
    return;
  }
}

if (import.meta.main) {
  process.stdout.on('error', () => {});
  void printTrace(process.argv[2], path.join(stackHome(), 'traces'));
}
