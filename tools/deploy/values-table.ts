import fs from 'node:fs';
import path from 'node:path';

const CHART = path.resolve(import.meta.dirname, '..', '..', 'deploy', 'helm', 'virtual-classroom');
const BEGIN = '<!-- values: written by tools/deploy/values-table.ts -->\n';
const END = '<!-- /values -->';
/** A longer default is left out of the table. In characters. */
const LONGEST = 60;

/**
 * @returns a Markdown table of all values that have a description (`# -- …`) in the line above
 * @param text content of values.yaml
 */
export function valuesTable(text: string): string {
  const path: { name: string; indent: number }[] = [];
  const rows = ['| value | default | |', '|---|---|---|'];
  let description = '';
  for (const line of text.split('\n')) {
    const comment = /^\s*# -- (.*)$/.exec(line);
    if (comment) {
      description = comment[1] ?? '';
      continue;
    }
    const key = /^(\s*)([\w]+):(?: (.*))?$/.exec(line);
    if (!key) continue;
    const [, { length: indent } = '', name = '', value = ''] = key;
    while ((path.at(-1)?.indent ?? -1) >= indent) path.pop();
    path.push({ name, indent });
    if (!description) continue;
    const isShort = value !== '' && value.length <= LONGEST;
    rows.push(`| \`${path.map((it) => it.name).join('.')}\` | ${isShort ? `\`${value}\`` : ''} | ${description} |`);
    description = '';
  }
  return `${rows.join('\n')}\n`;
}

if (import.meta.main) {
  const readme = path.join(CHART, 'README.md');
  const had = fs.readFileSync(readme, 'utf8');
  const table = valuesTable(fs.readFileSync(path.join(CHART, 'values.yaml'), 'utf8'));
  const made = had.slice(0, had.indexOf(BEGIN) + BEGIN.length) + table + had.slice(had.indexOf(END));
  if (process.argv.includes('--write')) fs.writeFileSync(readme, made);
  else if (made !== had) {
    process.stderr.write('The table of values is not that of values.yaml: node tools/bootstrap.cjs tools/deploy/values-table.ts --write\n');
    process.exitCode = 1;
  }
}
