import fs from 'node:fs';
import path from 'node:path';
import { writeSection } from '../docs/section.ts';
import { REPO } from '../stack/context.ts';

const CHART = 'deploy/helm/virtual-classroom';
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

/** Writes the table into the README of the chart. */
export const writeValuesTable = () =>
  writeSection(`${CHART}/README.md`, 'values', valuesTable(fs.readFileSync(path.join(REPO, CHART, 'values.yaml'), 'utf8')));

if (import.meta.main) writeValuesTable();
