import { builtLibrary, listContracts } from './list-contracts.ts';
import { migrationHashes } from './migrations.ts';
import { KINDS, lastRelease, write } from './released.ts';
import manifest from '../../package.json' with { type: 'json' };

/** Keeps what a release is made of, so that the next one is compared with it. To be run once a release is out, and only then. */
function main() {
  const contracts = listContracts(builtLibrary());
  const { version } = manifest;
  for (const kind of KINDS) write(kind, contracts[kind]);
  write('release', { version, migrations: migrationHashes() });
  // What is gone was compared for the last time.
  const names = new Set(KINDS.flatMap((kind) => Object.keys(contracts[kind])));
  write('retired', Object.fromEntries(Object.entries(lastRelease().retired).filter(([name]) => names.has(name))));
  const counts = KINDS.map((kind) => `${Object.keys(contracts[kind]).length} ${kind}`).join(', ');
  process.stdout.write(`libs/contracts/released is ${version}: ${counts}\n`);
}

if (import.meta.main) main();
