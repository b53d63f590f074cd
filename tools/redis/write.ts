/** `node tools/bootstrap.cjs tools/redis/write.ts` writes the users of Redis from the built contracts. */
import fs from 'node:fs';
import path from 'node:path';
import { builtLibrary } from '../contracts/list-contracts.ts';
import { REPO } from '../stack/context.ts';
import { aclFiles } from './permissions.ts';

for (const [name, text] of Object.entries(aclFiles(builtLibrary()))) fs.writeFileSync(path.join(REPO, 'deploy', 'redis', name), text);
