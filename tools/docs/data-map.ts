import { createRequire } from 'node:module';
import path from 'node:path';
import { REPO } from '../stack/context.ts';
import { compareSection } from './section.ts';

interface DataClass {
  contains: string;
  purpose: string;
  owners: readonly string[];
  since: string;
  kept: { unit: string; default: number; min: number; max: number } | string;
  erasure: string;
}

function keptFor({ kept, since }: DataClass): string {
  const number = (value: number) => value.toLocaleString('en-US');
  const time =
    typeof kept === 'string'
      ? kept
      : `**${number(kept.default)} ${kept.unit}**; an organization sets ${number(kept.min)} to ${number(kept.max)}`;
  return since === '' ? time : `${time}, from ${since}`;
}

/** @returns the data map of docs/guides/data-protection.md, from the declaration in the built contracts */
export function dataMap(): string {
  const file = path.join(REPO, 'libs/contracts/dist/privacy/data-classes.js');
  const { DATA_CLASSES } = createRequire(import.meta.url)(file) as { DATA_CLASSES: Record<string, DataClass> };
  const rows = Object.entries(DATA_CLASSES).map(
    ([name, it]) => `| \`${name}\` | ${it.contains} | ${it.purpose} | ${it.owners.join(', ')} | ${keptFor(it)} | ${it.erasure} |`,
  );
  return `${['| class | contains | purpose | stored by | kept | afterwards |', '|---|---|---|---|---|---|', ...rows].join('\n')}\n`;
}

if (import.meta.main) compareSection('docs/guides/data-protection.md', 'data map', dataMap());
