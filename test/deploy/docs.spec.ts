import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { APPS, variablesOf } from './support/configuration.js';
import { hasOperation, knownNames, missingPaths, namesIn, operationsIn, readPages, scriptsIn } from './support/documents.js';
import { REPO, run } from './support/programs.js';

jest.setTimeout(60_000);

const PAGES = readPages();
const each = <T>(look: (page: (typeof PAGES)[number]) => T[]) =>
  PAGES.flatMap((page) => look(page).map((found) => `${page.file}: ${String(found)}`));

describe('docs/guides/data-protection.md', () => {
  it('has the data map of the contracts', async () => {
    const { code, stderr } = await run(process.execPath, [join('tools', 'docs', 'data-map.ts')]);
    expect([code, stderr]).toEqual([0, '']);
  });
});

describe('docs/configuration.md', () => {
  it("matches the apps' schemas", async () => {
    const { code, stderr } = await run(process.execPath, [join('tools', 'docs', 'configuration.ts')]);
    expect([code, stderr]).toEqual([0, '']);
  });

  it('has every variable of every config.ts, so that an old build cannot hide one', () => {
    const page = readFileSync(join(REPO, 'docs', 'configuration.md'), 'utf8');
    const missing = APPS.flatMap((app) =>
      variablesOf(app)
        .filter((name) => !page.includes(`| \`${name}\` |`))
        .map((name) => `${app}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('describes each variable with the comment above it in its schema', () => {
    const rows = readFileSync(join(REPO, 'docs', 'configuration.md'), 'utf8')
      .split('\n')
      .filter((line) => /^\| `[A-Z]/.test(line));
    const silent = rows.filter((line) => (line.split(/(?<!\\)\|/).at(-2) ?? '').trim() === '');
    expect(rows.length).toBeGreaterThan(100);
    expect(silent).toEqual([]);
  });
});

describe('a page', () => {
  it('names existing files and folders', () => {
    expect(each(missingPaths)).toEqual([]);
  });

  it('names existing scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(REPO, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    expect(each((page) => scriptsIn(page).filter((script) => !(script in scripts)))).toEqual([]);
  });

  it('names variables, codes and states that exist in the code', () => {
    const known = knownNames();
    expect(each((page) => namesIn(page).filter((name) => !known.has(name)))).toEqual([]);
  });
});

describe('the operations that a page names', () => {
  const known = ['openapi.json', 'openapi.internal.json'].flatMap((document) => {
    const { paths } = JSON.parse(readFileSync(join(REPO, 'docs', 'reference', document), 'utf8')) as { paths: Record<string, object> };
    return Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));
  });

  it('are those of the reference', () => {
    expect(each((page) => operationsIn(page).filter((operation) => !hasOperation(known, operation)))).toEqual([]);
    const guides = PAGES.filter(({ file }) => /^docs\/guides\/(?:quickstarts|migrating|recipes)\//.test(file));
    expect(guides.filter((page) => operationsIn(page).length === 0 && !page.text.includes('classroom.rooms.'))).toEqual([]);
  });

  it.each([
    'by `GET /v1/room/:roomId/summery`',
    'POST /v1/room/join',
    'by `DELETE /v1/room/:roomId/status`',
    'curl -sX POST $GATEWAY/v1/rooms -d x',
    'curl -s -H "a: b" $GATEWAY/v1/room',
    'call(\'GET\', "/v1/room/$lesson/joins")',
  ])('are found to be missing: %s', (text) => {
    expect(operationsIn({ text }).filter((operation) => !hasOperation(known, operation))).toHaveLength(1);
  });

  it.each([
    'with `?limit=1`: `GET /v1/rooms?limit=1`.',
    'curl -s "$GATEWAY/v1/room/$ROOM/attendance?export=csv" -H "VF-ORG-ID: $CREDENTIAL"',
    'curl -sX PATCH $GATEWAY/v1/admin/organizations/$CREDENTIAL/ai -d x',
    "call('POST', '/v1/room/create', $body)",
  ])('are found: %s', (text) => {
    expect(operationsIn({ text })).toHaveLength(1);
    expect(operationsIn({ text }).filter((operation) => !hasOperation(known, operation))).toEqual([]);
  });
});

describe('the nginx configuration of the pages', () => {
  const blocks = PAGES.flatMap(({ file, text }) => [...text.matchAll(/```nginx\n([^]*?)```/g)].map(([, block = '']) => ({ file, block })));
  const servers = blocks.filter(({ block }) => block.includes('server {'));

  it('logs no query, referrer or request line, because they may contain a token', () => {
    expect(servers.map(({ file }) => file)).toEqual(expect.arrayContaining(['docs/guides/one-machine.md', 'docs/guides/video-cdn.md']));
    for (const { file, block } of servers) {
      const formats = [...block.matchAll(/^log_format (\S+) ([^]*?);$/gm)];
      const known = formats.map(([, name]) => name);
      const used = [...block.matchAll(/^\s*access_log (.*);$/gm)].map(([, what = '']) => (what === 'off' ? what : what.split(' ').at(-1)));
      expect([file, used.length > 0, used.filter((name) => name !== 'off' && !known.includes(name))]).toEqual([file, true, []]);
      expect(
        formats.flatMap(
          ([, , format = '']) => format.match(/\$(request|request_uri|args|query_string|is_args|http_referer|arg_\w+|uri)\b/g) ?? [],
        ),
      ).toEqual([]);
      expect(block).toMatch(/^error_log .* crit;$/m);
    }
  });
});
