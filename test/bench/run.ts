// npm run bench -- [<name>] [options]
// Runs a benchmark: the gateway's, or one of those below by its name. `all` runs all, `check` compares quick rounds with the committed ones.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const here = import.meta.dirname;
const folders = fs.readdirSync(here).filter((name) => fs.existsSync(path.join(here, name, 'run.ts')));
const files: Record<string, string> = {
  ...Object.fromEntries(folders.map((name) => [name, path.join(here, name, 'run.ts')])),
  page: path.join(here, '..', 'load', 'page', 'run.ts'),
  all: path.join(here, 'all.ts'),
  check: path.join(here, 'check.ts'),
};

const [first] = process.argv.slice(2);
const isNamed = first !== undefined && !first.startsWith('-');
const file = files[isNamed ? first : 'gateway'];
if (file) {
  // What is left are the benchmark's own arguments.
  if (isNamed) process.argv.splice(2, 1);
  await import(pathToFileURL(file).href);
} else {
  console.error(`There is no benchmark ${first}: ${Object.keys(files).join(', ')}.`);
  process.exitCode = 1;
}
