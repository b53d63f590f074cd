import fs from 'node:fs';
import path from 'node:path';
import { statusOf } from '../checks.ts';
import { cleanBase } from '../environment.ts';
import type { PartContext } from '../options.ts';
import { partProcess } from '../process.ts';
import type { Tools } from './obtain.ts';

/** Opens the HTTP interface, then keeps the program running. */
const SERVE = 'SYSTEM START LISTEN HTTP; SELECT sleepEachRow(3) FROM system.numbers SETTINGS max_block_size = 1 FORMAT Null';

/**
 * ClickHouse's engine and HTTP interface, run by `clickhouse local`: registries have no package with `clickhouse server`. It has no users, so
 * any name and password may connect.
 */
export function createClickhouse(stack: PartContext, tools: Tools) {
  const { home, ports } = stack;
  const port = ports.parts.clickhouse;
  const folder = path.join(home, 'clickhouse');
  const url = `http://127.0.0.1:${port}`;
  const handle = partProcess(
    'clickhouse',
    {
      check: async () => (await statusOf(`${url}/ping`)) === 200,
      command: () => {
        fs.mkdirSync(folder, { recursive: true });
        const args = [`--path=${folder}`, `--http_port=${port}`, '--listen_host=127.0.0.1', `--query=${SERVE}`];
        const command = tools.tool('clickhouse', 'local', ...args);
        return { ...command, env: { ...cleanBase(process.env), ...command.env } };
      },
    },
    stack,
  );
  return { handle, url };
}
