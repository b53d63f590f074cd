import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPO } from '../stack/context.ts';

const FOUND = [
  'Math.max(...rows)',
  'Math.min(0, ...rows.map((row) => row + 1))',
  'rows.push(...rows)',
  'String.fromCharCode(...rows)',
  'new Uint8Array(...rows)',
  'rows.push(...[...rows, 1])',
];
const ALLOWED = [
  'Math.max(1, 2)',
  'rows.push(...[1, 2])',
  'run(...rows)',
  '[...rows]',
  'new Set([...rows])',
  'new Set<number>(...[rows])',
  'rows.concat(rows)',
];

it('the linter finds a list that becomes the arguments of a call', () => {
  const folder = mkdtempSync(join(tmpdir(), 'list-arguments-'));
  const lines = [...FOUND, ...ALLOWED].map((line) => `void (${line});`);
  writeFileSync(
    join(folder, 'lists.ts'),
    ['declare const rows: any[]; declare function run(...all: number[]): void;', ...lines].join('\n'),
  );
  const { stdout } = spawnSync(
    join(REPO, 'node_modules', '.bin', 'oxlint'),
    ['--config', join(REPO, '.oxlintrc.json'), '--format', 'json', join(folder, 'lists.ts')],
    { encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; labels: { span: { line: number } }[] }[] };
  const ours = diagnostics.filter(({ code }) => code.includes('no-list-arguments'));
  const found = ours.map(({ labels }) => lines[(labels[0]?.span.line ?? 0) - 2]);
  expect(found).toEqual(lines.slice(0, FOUND.length));
});
