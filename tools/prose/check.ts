// Part of `npm run check`: documents and comments are in plain technical English, by the rules in styles/.
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { obtainVale } from '../deploy/obtain.ts';
import { StackError } from '../stack/errors.ts';
import { REPO } from '../stack/paths.ts';

const READ = ['*.md', '*.ts', '*.tsx', '*.cjs'];
/** Written by commands, or kept as a release had it. */
const GENERATED = ['libs/contracts/released', 'libs/sdk/src/schema.ts', 'libs/sdk/src/resources.ts', '*/schema/sql.ts'];

/** @returns the files to read; all that git knows unless some are named */
function filesToRead(named: readonly string[]): string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--'];
  const wanted = named.length > 0 ? named : READ;
  const out = execFileSync('git', [...list, ...wanted, ...GENERATED.map((file) => `:!${file}`)], { cwd: REPO, encoding: 'utf8' });
  return out.split('\n').filter((file) => file !== '');
}

try {
  const vale = await obtainVale();
  const { status } = spawnSync(vale, ['--config', path.join(import.meta.dirname, 'vale.ini'), '--output=line', ...filesToRead(process.argv.slice(2))], {
    cwd: REPO,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} catch (error) {
  if (!(error instanceof StackError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
