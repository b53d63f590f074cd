import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as contracts from '@classroom/contracts';
import { isPage, LOGO_PART_BYTES, maxItemsOf, type RpcContract } from '@classroom/contracts';

type Schema = RpcContract['output'];

/** The default maximum size of a NATS message, minus one kilobyte for headers and envelope. */
const MOST_BYTES = 1024 * 1024 - 1024;

/** Maximum bytes of one character in JSON: a control character is written as \\u0001. */
const CHARACTER = 6;
/** Maximum bytes of a text in JSON, by the name of its field. Ids, enums, hashes and timestamps are ASCII and shorter than `OTHER`. */
const OTHER = 128;
const TEXT: Record<string, number> = {
  name: 256 * CHARACTER,
  title: 256 * CHARACTER,
  roomTitle: 256 * CHARACTER,
  fileName: 256 * CHARACTER,
  message: 500 * CHARACTER,
  note: 1_000 * CHARACTER,
  reference: 128 * CHARACTER,
  description: 256 * CHARACTER,
  responseBody: 1_024 * CHARACTER,
  url: 2_048 * 3,
  logoUrl: 2_048 * 3,
  logoPart: (LOGO_PART_BYTES / 3) * 4 + 4,
  downloadUrl: 1_200,
  /** Prefix, roomId and recordingId. */
  key: 512,
  label: 64 * CHARACTER,
  verifiedDomains: 253 + 3,
  domain: 253 + 3,
  names: 256 * CHARACTER,
  text: 120 * CHARACTER,
};

const isRpc = (it: unknown): it is RpcContract =>
  typeof it === 'object' && it !== null && 'subject' in it && 'output' in it && String(it.subject).startsWith('rpc.');

const exported: unknown[] = Object.values(contracts);
/** All operations, and the RPCs that are declared in groups. Several operations may share an RPC. */
const declared = [
  ...new Map(
    exported
      .flatMap((it) =>
        isRpc(it) ? [it] : typeof it === 'object' && it !== null ? Object.values(it as Record<string, unknown>).filter(isRpc) : [],
      )
      .map((it) => [it.subject, it] as const),
  ).values(),
];

interface Definition {
  type: string;
  shape?: Record<string, Schema>;
  element?: Schema;
  options?: Schema[];
  innerType?: Schema;
  out?: Schema;
}
const definitionOf = (schema: Schema) => schema._zod.def as unknown as Definition;

/** Maximum bytes of a value in JSON; for a union, those of its largest member. A page counts as empty: its handler measures it. */
function bytesOf(schema: Schema, field = ''): number {
  const { type, shape, element, options, innerType, out } = definitionOf(schema);
  if (type === 'array' && element) return 2 + (isPage(schema) ? 0 : maxItemsOf(schema) * (1 + bytesOf(element, field)));
  if (shape) return 2 + Object.entries(shape).reduce((sum, [key, it]) => sum + key.length + 4 + bytesOf(it, key), 0);
  if (options) return Math.max(...options.map((it) => bytesOf(it, field)));
  const inner = innerType ?? out;
  if (inner) return bytesOf(inner, field);
  if (type === 'string') return 2 + (TEXT[field] ?? OTHER);
  if (type === 'record') return 8 * 1024 * CHARACTER;
  return 32;
}

/** Whether a page is anywhere in a reply. */
function hasPage(schema: Schema): boolean {
  const { shape = {}, element, options = [], innerType, out } = definitionOf(schema);
  if (isPage(schema)) return true;
  return [...Object.values(shape), ...options, element, innerType, out].some((part) => part !== undefined && hasPage(part));
}

/** What a handler is named by: `getClassState`, or `interactionRpc.chatPage`. */
const named = Object.entries(contracts).flatMap(([name, value]: [string, unknown]): [string, RpcContract][] => {
  if (isRpc(value)) return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, it]) =>
    isRpc(it) && key !== 'forOperators' ? [[`${name}.${key}`, it] as [string, RpcContract]] : [],
  );
});

const APPS = join(__dirname, '..', '..', '..', '..', 'apps');
const sources = globSync('*/src/**/*.ts', { cwd: APPS }).map((file) => join(APPS, file));
const textOf = (file: string) => readFileSync(file, 'utf8');
const endsPages = (text: string) => /\b(fitMessage|exportPage|wholeVersions)\(/.test(text);

/** Whether one of the files that handle a call, or a file that it imports, ends pages where a message is full. */
function isEnded(name: string): boolean {
  const handlers = sources.filter((file) => textOf(file).includes(`@Handles(${name})`));
  const imported = handlers.flatMap((file) =>
    [...textOf(file).matchAll(/from '(\.[^']+)\.js'/g)].map(([, path = '']) => resolve(dirname(file), `${path}.ts`)).filter(existsSync),
  );
  return [...handlers, ...imported].some((file) => endsPages(textOf(file)));
}

describe('a reply over NATS', () => {
  it.each(named.filter(([, { output }]) => hasPage(output)).map(([name]) => name))(
    'with a page is ended where a message is full: %s',
    (name) => {
      expect(isEnded(name)).toBe(true);
    },
  );

  it.each(declared)('is smaller than the limit of NATS, apart from its pages: $subject', ({ output }) => {
    expect(bytesOf(output)).toBeLessThan(MOST_BYTES);
  });
});
