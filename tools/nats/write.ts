/** `node tools/bootstrap.cjs tools/nats/write.ts` writes the users of NATS from the built contracts. */
import fs from 'node:fs';
import path from 'node:path';
import { builtLibrary } from '../contracts/list-contracts.ts';
import { REPO } from '../stack/context.ts';
import { usersConfig } from './permissions.ts';

fs.writeFileSync(path.join(REPO, 'deploy', 'nats', 'users.conf'), usersConfig(builtLibrary()));
