import fs from 'node:fs';
import path from 'node:path';
import { postgresAnswers } from '../checks.ts';
import { isRoot, writePrivate } from '../context.ts';
import type { PartContext } from '../options.ts';
import { partProcess } from '../process.ts';
import type { Tools } from './obtain.ts';
import { DATABASE } from './postgres.ts';

/** Connections to Postgres for each role, fewer than the apps open to PgBouncer. */
const POOL_SIZE = 2;

/** PgBouncer in front of the stack's Postgres, with the settings of docs/guides/kubernetes.md. */
export function createPgbouncer(stack: PartContext, tools: Tools) {
  const { home, ports, secrets } = stack;
  const port = ports.parts.pgbouncer;
  const folder = path.join(home, 'pgbouncer');
  const configFile = path.join(folder, 'pgbouncer.ini');
  const usersFile = path.join(folder, 'users.txt');
  const config = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: usersFile,
    pool_mode: 'transaction',
    max_prepared_statements: 500,
    default_pool_size: POOL_SIZE,
    max_client_conn: 1000,
    query_wait_timeout: 5,
    server_login_retry: 1,
    // It refuses to run as root, and reads its files before it becomes this user.
    ...(isRoot() ? { user: 'nobody' } : {}),
  };
  const lines = Object.entries(config).map(([key, value]) => `${key} = ${value}`);
  const users = Object.entries(secrets.databasePasswords).map(([app, password]) => `"classroom_${app}" "${password}"`);
  const handle = partProcess(
    'pgbouncer',
    {
      // On SIGTERM it would wait for all clients.
      stopSignal: 'SIGQUIT',
      check: () => postgresAnswers('127.0.0.1', port, DATABASE),
      command: () => {
        fs.mkdirSync(folder, { recursive: true });
        writePrivate(usersFile, `${users.join('\n')}\n`);
        const database = `${DATABASE} = host=127.0.0.1 port=${ports.parts.postgres}`;
        writePrivate(configFile, `[databases]\n${database}\n[pgbouncer]\n${lines.join('\n')}\n`);
        return tools.tool('pgbouncer', configFile);
      },
    },
    stack,
  );
  return { handle, url: `postgres://127.0.0.1:${port}/${DATABASE}` };
}
