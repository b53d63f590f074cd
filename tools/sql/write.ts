import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPO } from '../stack/context.ts';
import { withTables } from './database.ts';
import { generate } from './generate.ts';
import { generatedFile, SCHEMAS, show, type Schema } from './schemas.ts';

/**
 * Builds the package, because statements are read from the built code. A new package has no types yet: the compiler reports errors, but still emits.
 */
function build(schema: Schema): void {
  const file = generatedFile(schema);
  if (!existsSync(file)) {
    const open = "import { statements, type StatementTypes } from '@classroom/persistence/sql';\n\n";
    writeFileSync(
      file,
      `${open}export const sql = statements<Record<string, StatementTypes>>('${schema.name}');\nexport const entities = [];\n`,
    );
  }
  spawnSync(join(REPO, 'node_modules', '.bin', 'tsc'), ['-p', join(schema.folder, 'tsconfig.build.json')], { stdio: 'ignore' });
}

/** Writes the types of the statements of services, as a real Postgres describes them. @param services default: all */
export async function writeSqlTypes(services: string[]): Promise<void> {
  const asked = SCHEMAS.filter(({ name }) => services.length === 0 || services.includes(name));
  for (const schema of asked) build(schema);
  await withTables(async (connect) => {
    for (const schema of asked) {
      const file = generatedFile(schema);
      writeFileSync(file, await generate(schema, await connect(schema.database)));
      process.stdout.write(`${show(file)}\n`);
    }
  });
}
