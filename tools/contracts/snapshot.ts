import { builtLibrary, listContracts } from './list-contracts.ts';
import { migrationHashes } from './migrations.ts';
import { KINDS, lastRelease, write } from './released.ts';
import manifest from '../../package.json' with { type: 'json' };

/** Stores the contracts and migrations of a release, with which the next release is compared. Run it only after a release was published. */
function main() {
  const contracts = listContracts(builtLibrary());
  const { version } = manifest;
  for (const kind of KINDS) write(kind, contracts[kind]);
  write('release', { version, migrations: migrationHashes() });
  // A contract that no longer exists needs no entry: it will not be compared again.
  const names = new Set(KINDS.flatMap((kind) => Object.keys(contracts[kind])));
  write('retired', Object.fromEntries(Object.entries(lastRelease().retired).filter(([name]) => names.has(name))));
  const counts = KINDS.map((kind) => `${Object.keys(contracts[kind]).length} ${kind}`).join(', ');
  process.stdout.write(`libs/contracts/released is ${version}: ${counts}\n`);
}

if (import.meta.main) main();
