import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { REPO } from '../stack/context.ts';
import { planOperation, type Edit } from './plan-operation.ts';

const USAGE = `npm run new:operation -- <service>/<folder> <operationId> '<METHOD> <path>'
  for example: npm run new:operation -- room/reports getRoomSummary 'GET /v1/room/:roomId/summary'`;

const [place = '', operationId = '', route = ''] = process.argv.slice(2);
const [service = '', folder = ''] = place.split('/');
try {
  const edits = planOperation({ service, folder, operationId, route }, (file) => readIfThere(path.join(REPO, file)));
  for (const edit of edits) write(edit);
  // The formatter sets the line breaks.
  spawnSync(
    path.join(REPO, 'node_modules', '.bin', 'oxfmt'),
    edits.map(({ file }) => file),
    { cwd: REPO, stdio: 'inherit' },
  );
  process.stdout.write('\nFill in what they do, then: npm run reference:examples && npm run check && npm test -- system chaos\n');
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n${USAGE}\n`);
  process.exitCode = 1;
}

function readIfThere(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;
}

function write({ file, text, isNew }: Edit): void {
  fs.writeFileSync(path.join(REPO, file), text);
  process.stdout.write(`${isNew ? 'wrote  ' : 'changed'} ${file}\n`);
}
