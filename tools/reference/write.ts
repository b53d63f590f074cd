import fs from 'node:fs';
import path from 'node:path';
import { builtLibrary } from '../contracts/list-contracts.ts';
import { files } from './documents.ts';

for (const { file, text } of files(builtLibrary())) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
}
