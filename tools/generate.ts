/** `npm run generate -- <what> …`: writes the files that follow from the contracts, the tables and the schemas of variables. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { builtLibrary } from './contracts/list-contracts.ts';
import { storeRelease } from './contracts/released.ts';
import { writeValuesTable } from './deploy/values-table.ts';
import { variables } from './docs/configuration.ts';
import { dataMap } from './docs/data-map.ts';
import { writeSection } from './docs/section.ts';
import { files, type Libraries } from './reference/documents.ts';
import { writeOperation } from './scaffold/new-operation.ts';
import { writeSqlTypes } from './sql/generate.ts';
import { printError, REPO, StackError } from './stack/context.ts';
import { buildProjects } from './stack/toolchain.ts';
import { usersConfig } from './users/nats.ts';
import { aclFiles } from './users/redis.ts';
import { policyFiles } from './users/s3.ts';

const load = createRequire(import.meta.url);

/** @throws {StackError} if the build fails; Nx has printed why */
async function build(...projects: string[]): Promise<void> {
  const code = await buildProjects(...(projects.length > 0 ? ['-p', projects.join(',')] : []));
  if (code !== 0) throw new StackError('The build failed: see above.');
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
}

/** The API reference, the SDKs' types and methods, the page's routes and the table of errors. */
async function writeReference(): Promise<void> {
  await build('@classroom/api-reference');
  const reference = load('../libs/api-reference/dist/index.js') as Libraries['reference'];
  for (const { file, text } of files({ contracts: builtLibrary(), reference })) write(file, text);
}

/** Calls the example of each operation, and writes the answers, then the reference. */
async function writeExamples(): Promise<void> {
  const command = ['tools/bootstrap.cjs', 'tools/test.ts', 'system', '--', '--testPathPatterns', 'reference'];
  const env = { ...process.env, UPDATE_EXAMPLES: '1' };
  if (spawnSync(process.execPath, command, { cwd: REPO, env, stdio: 'inherit' }).status !== 0)
    throw new StackError('The examples could not be called: see above.');
  await writeReference();
}

/** The users of NATS, Redis and the storage. */
async function writeUsers(): Promise<void> {
  await build('@classroom/contracts', '@classroom/storage');
  const deploy = (folder: string, texts: Record<string, string>) => {
    for (const [name, text] of Object.entries(texts)) write(path.join(REPO, 'deploy', folder, name), text);
  };
  const { STORAGE_ACCESS } = load('../libs/storage/dist/access.js') as typeof import('@classroom/storage');
  deploy('nats', { 'users.conf': usersConfig(builtLibrary()) });
  deploy('redis', aclFiles(builtLibrary()));
  deploy('s3', policyFiles(STORAGE_ACCESS));
}

/** The tables of variables, of data and of the chart's values in the docs. */
async function writeTables(): Promise<void> {
  await build();
  writeSection('docs/configuration.md', 'variables', variables());
  writeSection('docs/guides/data-protection.md', 'data map', dataMap());
  writeValuesTable();
}

/** The contracts of a release, once it is out. */
async function writeContracts(): Promise<void> {
  await build('@classroom/contracts');
  storeRelease();
}

const ALL: Record<string, (args: string[]) => Promise<void>> = {
  sql: writeSqlTypes,
  reference: writeReference,
  examples: writeExamples,
  users: writeUsers,
  tables: writeTables,
  contracts: writeContracts,
  operation: async (args) => writeOperation(args),
};

const [what = '', ...args] = process.argv.slice(2);
try {
  const run = ALL[what];
  if (!run) throw new StackError(`Name what to write: npm run generate -- ${Object.keys(ALL).join(' | ')}.`);
  await run(args);
} catch (error) {
  printError(error);
  process.exitCode = 1;
}
