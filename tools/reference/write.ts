import fs from 'node:fs';
import path from 'node:path';
import { builtLibrary } from '../contracts/list-contracts.ts';
import { documents, textOf } from './documents.ts';

for (const { file, document } of documents(builtLibrary())) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, textOf(document));
  process.stdout.write(`${path.relative(process.cwd(), file)}: ${Object.keys(document.paths).length} paths\n`);
}
