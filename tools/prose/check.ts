// Part of `npm run check`: documents, comments and messages are in plain technical English, by the rules in styles/.
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { obtainVale } from '../deploy/obtain.ts';
import { StackError } from '../stack/errors.ts';
import { REPO } from '../stack/paths.ts';
import { isGenerated } from '../structure/generated.ts';
import { readMessages } from './messages.ts';

const READ = ['*.md', '*.ts', '*.tsx', '*.cjs'];

/** @returns the files to read; all that git knows unless some are named */
function filesToRead(named: readonly string[]): string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--'];
  const wanted = named.length > 0 ? named : READ;
  const out = execFileSync('git', [...list, ...wanted], { cwd: REPO, encoding: 'utf8' });
  return out.split('\n').filter((file) => file !== '' && !isGenerated(file));
}

/** Their texts are data: prompts, answers of models, and what people write in a chat. */
const DATA = [
  /^apps\/ai\/src\/(?:chats\/conversation-memory|providers\/sdk-task-models|providers\/offline\/.*)\.ts$/,
  /^(?:apps\/ai\/test\/tutor\.it|test\/system\/(?:ai\/tutor|classroom|classroom-tutor))\.spec\.ts$/,
];
const CONFIG = ['--config', path.join(import.meta.dirname, 'vale.ini'), '--output=line'];

/** @returns how many places break a rule */
function checkFiles(vale: string, files: string[]): number {
  const { status } = spawnSync(vale, [...CONFIG, ...files], { cwd: REPO, stdio: 'inherit' });
  return status === 0 ? 0 : 1;
}

/** Vale knows no strings: the sentences go through it as one document, a line each. */
function checkMessages(vale: string, files: string[]): number {
  const messages = readMessages(files, REPO);
  const input = messages.map(({ text }) => text).join('\n');
  const { stdout } = spawnSync(vale, [...CONFIG, '--ext=.txt'], { cwd: REPO, input, encoding: 'utf8' });
  const found = stdout.split('\n').filter((line) => line !== '');
  for (const line of found) {
    const [, at = '', , , ...rule] = line.split(':');
    const message = messages[Number(at) - 1];
    process.stdout.write(`${message?.file}:${message?.line}: “${message?.text}” ${rule.join(':')}\n`);
  }
  return found.length;
}

try {
  const vale = await obtainVale();
  const files = filesToRead(process.argv.slice(2));
  const code = files.filter((file) => /\.(?:ts|tsx|cjs)$/.test(file) && !DATA.some((data) => data.test(file)));
  process.exitCode = checkFiles(vale, files) + checkMessages(vale, code) > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof StackError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
