// npm run bench:persistence
// Reads one row by its key: with bare pg, a typed statement, an entity. It asserts no times.
import { createRequire } from 'node:module';
import path from 'node:path';
import { withTables } from '../../../tools/sql/database.ts';
import { REPO } from '../../../tools/stack/paths.ts';

const load = createRequire(path.join(REPO, 'libs', 'persistence', 'package.json'));
const { connect, Database } = load('./dist/index.js') as typeof import('@classroom/persistence');
const { Pool } = load('pg') as typeof import('pg');
const { entities, sql } = load('../../apps/organization/dist/schema/sql.js') as {
  entities: (new () => object)[];
  sql: (name: string, text: string) => never;
};
const { columnsOf } = load('./dist/index.js') as typeof import('@classroom/persistence');

const ROUNDS = 5;
const READS = 4_000;
const Organization = entities.find(({ name }) => name === 'OrganizationEntity') as new () => object;
const TEXT = `SELECT ${columnsOf(Organization)} FROM organizations WHERE organization_id = $1`;

/** CPU time of this process and elapsed time, in microseconds per read. */
async function measure(read: () => Promise<unknown>): Promise<{ cpu: number; wall: number }> {
  for (let n = 0; n < READS / 10; n += 1) await read();
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  for (let n = 0; n < READS; n += 1) await read();
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: (user + system) / READS, wall: ((performance.now() - wall) * 1000) / READS };
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
  const ways: Record<string, () => Promise<unknown>> = {
    'bare pg, prepared': () => pool.query({ name: 'find', text: TEXT, values: ['o'] }),
    'bare pg, each time parsed': () => pool.query(TEXT, ['o']),
    'typed statement': () => database.run(find, 'o' as never),
    entity: () => database.manager.findOneBy(Organization, { organizationId: 'o' } as never),
  };
  const best = new Map<string, { cpu: number; wall: number }>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, read] of Object.entries(ways)) {
      const now = await measure(read);
      const before = best.get(name);
      if (!before || now.cpu < before.cpu) best.set(name, now);
    }
  }
  const bare = best.get('bare pg, prepared')?.cpu ?? NaN;
  for (const [name, { cpu, wall }] of best)
    console.log(
      `${name.padEnd(28)} ${cpu.toFixed(0).padStart(5)} µs CPU ${wall.toFixed(0).padStart(5)} µs  ${(cpu / bare).toFixed(2)} of bare`,
    );
  await pool.end();
  await dataSource.destroy();
});
