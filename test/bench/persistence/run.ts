// npm run bench -- persistence [--quick] [--json=<file>]
// Reads one row by its key: with bare pg, a typed statement, an entity, and in a transaction. It asserts no times.
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { withTables } from '../../../tools/sql/schemas.ts';
import { REPO } from '../../../tools/stack/context.ts';
import { ownCpu } from '../load/processes.ts';
import { PATHS } from '../results/paths.ts';
import { cpuPerUnit, publish, rateOf, toResult, type Round } from '../results/results.ts';

const { values: flags } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'string' } } });

const load = createRequire(path.join(REPO, 'libs', 'persistence', 'package.json'));
const { connect, Database } = load('./dist/index.js') as typeof import('@classroom/persistence');
const { Pool } = load('pg') as typeof import('pg');
const { entities, sql } = load('../../apps/organization/dist/schema/sql.js') as {
  entities: (new () => object)[];
  sql: (name: string, text: string) => never;
};
const { columnsOf } = load('./dist/index.js') as typeof import('@classroom/persistence');

const ROUNDS = flags.quick ? 3 : 5;
const READS = 4_000;
const Organization = entities.find(({ name }) => name === 'OrganizationEntity') as new () => object;
const TEXT = `SELECT ${columnsOf(Organization)} FROM organizations WHERE organization_id = $1`;

/** Counts the CPU time of this process, not of Postgres. */
async function measure(read: () => Promise<unknown>): Promise<Round> {
  for (let n = 0; n < READS / 10; n += 1) await read();
  const [cpu, begun] = [ownCpu(), performance.now()];
  for (let n = 0; n < READS; n += 1) await read();
  return { units: READS, seconds: (performance.now() - begun) / 1000, cpu: { node: ownCpu() - cpu } };
}

await withTables(async (open, url) => {
  const admin = await open('organization');
  await admin.query(
    `INSERT INTO organizations (organization_id, name, verified_domains, created_at, updated_at) VALUES ('o', 'School', '{}', now(), now())`,
  );
  const dataSource = await connect({ schema: 'organization', url: `${url}?options=-c%20search_path%3Dorganization`, entities });
  const database = new Database(dataSource);
  const pool = new Pool({ connectionString: url, options: '-c search_path=organization', max: 10 });
  const find = sql('bench.find', TEXT);
  const ways = {
    'bare pg, prepared': () => pool.query({ name: 'find', text: TEXT, values: ['o'] }),
    'bare pg, each time parsed': () => pool.query(TEXT, ['o']),
    'typed statement': () => database.run(find, 'o' as never),
    'transaction, bare pg': async () => {
      const client = await pool.connect();
      await client.query('BEGIN');
      await client.query({ name: 'find', text: TEXT, values: ['o'] });
      await client.query('COMMIT');
      client.release();
    },
    'transaction, typed statement': () => database.transaction((tx) => tx.run(find, 'o' as never)),
    entity: () => database.manager.findOneBy(Organization, { organizationId: 'o' } as never),
  };
  const rounds = Object.fromEntries(Object.keys(ways).map((name) => [name, []])) as unknown as Record<keyof typeof ways, Round[]>;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of Object.keys(ways) as (keyof typeof ways)[]) rounds[name].push(await measure(ways[name]));
  }
  const bare = rounds['bare pg, prepared'];
  const print = () => {
    for (const [name, all] of Object.entries(rounds)) {
      const [cpu, wall] = [cpuPerUnit(all).node, 1e6 / rateOf(all)];
      const share = (cpu / cpuPerUnit(bare).node).toFixed(2);
      console.log(`${name.padEnd(28)} ${cpu.toFixed(0).padStart(5)} µs CPU ${wall.toFixed(0).padStart(5)} µs  ${share} of bare`);
    }
  };
  const results = [
    toResult(PATHS.statement, { ours: rounds['typed statement'], bare }),
    toResult(PATHS.entity, { ours: rounds.entity, bare }),
    toResult(PATHS.transaction, { ours: rounds['transaction, typed statement'], bare: rounds['transaction, bare pg'] }),
  ];
  await publish([{ print, results }], flags.json);
  await pool.end();
  await dataSource.destroy();
});
