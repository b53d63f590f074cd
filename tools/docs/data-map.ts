import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { REPO } from '../stack/context.ts';

// Writes the data map of docs/guides/data-protection.md from the declaration in libs/contracts. Without --write it compares.
const PAGE = path.join(REPO, 'docs', 'guides', 'data-protection.md');
const BEGIN = '<!-- data map: written by tools/docs/data-map.ts -->\n';
const END = '<!-- /data map -->';

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

export function dataMap(classes: Record<string, DataClass>): string {
  const rows = Object.entries(classes).map(
    ([name, it]) => `| \`${name}\` | ${it.contains} | ${it.purpose} | ${it.owners.join(', ')} | ${keptFor(it)} | ${it.erasure} |`,
  );
  return `${['| class | contains | purpose | stored by | kept | afterwards |', '|---|---|---|---|---|---|', ...rows].join('\n')}\n`;
}

if (import.meta.main) {
  const { DATA_CLASSES } = createRequire(import.meta.url)(path.join(REPO, 'libs/contracts/dist/privacy/data-classes.js')) as {
    DATA_CLASSES: Record<string, DataClass>;
  };
  const had = fs.readFileSync(PAGE, 'utf8');
  const made = had.slice(0, had.indexOf(BEGIN) + BEGIN.length) + dataMap(DATA_CLASSES) + had.slice(had.indexOf(END));
  if (process.argv.includes('--write')) fs.writeFileSync(PAGE, made);
  else if (made !== had) {
    process.stderr.write(
      'docs/guides/data-protection.md is not what the contracts say: node tools/bootstrap.cjs tools/docs/data-map.ts --write\n',
    );
    process.exitCode = 1;
  }
}
