import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { REPO, StackError } from '../stack/context.ts';
import { type Edit, planOperation } from './plan-operation.ts';

const USAGE = `npm run generate -- operation <service>/<folder> <operationId> '<METHOD> <path>'
  for example: npm run generate -- operation room/reports getRoomSummary 'GET /v1/room/:roomId/summary'`;

/** Writes the files of a new operation and the lines that register it. @throws {StackError} says what to give */
export function writeOperation([place = '', operationId = '', route = '']: string[]): void {
  const [service = '', folder = ''] = place.split('/');
  let edits: Edit[];
  try {
    edits = planOperation({ service, folder, operationId, route }, (file) => readIfThere(path.join(REPO, file)));
  } catch (error) {
    throw new StackError(`${(error as Error).message}\n${USAGE}`);
  }
  for (const edit of edits) write(edit);
  const files = edits.map(({ file }) => file);
  // The formatter sets the line breaks.
  spawnSync(path.join(REPO, 'node_modules', '.bin', 'oxfmt'), files, { cwd: REPO, stdio: 'inherit' });
  process.stdout.write('\nFill in what they do, then: npm run generate -- examples && npm run check && npm test -- system chaos\n');
}

function readIfThere(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}

function write({ file, text, isNew }: Edit): void {
  fs.writeFileSync(path.join(REPO, file), text);
  process.stdout.write(`${isNew ? 'wrote  ' : 'changed'} ${file}\n`);
}
