import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { builtLibrary } from '../contracts/list-contracts.ts';
import { files, type Libraries } from './documents.ts';

const reference = createRequire(import.meta.url)('../../libs/api-reference/dist/index.js') as Libraries['reference'];

for (const { file, text } of files({ contracts: builtLibrary(), reference })) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
}
