/** `node tools/bootstrap.cjs tools/s3/write.ts` writes the policies of the storage's users from the built libs/storage. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { REPO } from '../stack/context.ts';
import { policyFiles } from './policies.ts';

const { STORAGE_ACCESS } = createRequire(import.meta.url)('../../libs/storage/dist/access.js') as typeof import('@classroom/storage');
for (const [name, text] of Object.entries(policyFiles(STORAGE_ACCESS))) fs.writeFileSync(path.join(REPO, 'deploy', 's3', name), text);
