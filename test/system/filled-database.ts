import { Client } from 'pg';

const SCHEMAS = ['organization', 'room', 'recording', 'billing', 'ai', 'media'];
const ROWS = 200_000;
/** Rows in tables with one row per organization. */
const ORGANIZATIONS = 20_000;

/** Tables that do not grow with use: they have one row, rows that are deleted within seconds, or a row for each live class. */
const SMALL = new Set([
  'migrations',
  'finished_rooms',
  'ledger_audit',
  'ledger_differences',
  'leases',
  'live_rooms',
  'reactions',
  'outbox_set_aside',
  'audit_pending',
  'audit_changes',
]);
/** Tables that are the same in every schema, with the same statements. They are filled in one schema only. */
const SHARED = { tables: ['outbox', 'inbox'], schema: 'room' };
const OF_ORGANIZATIONS = new Set([
  'organizations',
  'accounts',
  'histories',
  'audit_heads',
  'organization_credentials',
  'webhook_endpoints',
  'domain_proofs',
  'organization_logos',
  'api_keys',
  'api_key_secrets',
  'settings',
  'recording_buckets',
  'credit_status',
  'ai_meters',
  'ledger_checkpoints',
  'plans',
  'libraries',
]);

/** Within the retention of all tables, so that no sweep deletes the rows during the test. */
const AT = `now() - interval '5 minutes' - n * interval '2 seconds'`;
const AN_HOUR_LATER = `${AT} + interval '1 hour'`;

/** Values of typical old rows, where the type of a column does not determine them. Nullable columns are null unless they are listed here. */
const HISTORY: Record<string, Record<string, string>> = {
  'organization.api_keys': { scopes: `'{rooms:read}'` },
  'organization.api_key_secrets': { hash: `decode(lpad(to_hex(n), 64, '0'), 'hex')` },
  'organization.organization_credentials': { hash: `decode(lpad(to_hex(n), 64, '0'), 'hex')` },
  'organization.audit_entries': { hash: `decode(lpad(to_hex(n), 64, '0'), 'hex')` },
  'organization.dashboard_sessions': { expires_at: `now() + interval '12 hours'` },
  'organization.webhook_deliveries': { status: `'delivered'` },
  'room.rooms': {
    state: `'finished'`,
    media: `'closed'`,
    started_at: AT,
    ended_at: AN_HOUR_LATER,
    finished_at: AN_HOUR_LATER,
    verified_at: AN_HOUR_LATER,
    tokens_expire_at: AT,
  },
  'room.outbox': { published_at: `now() - n * interval '10 milliseconds'` },
  'room.connections_by_month': { left_at: AN_HOUR_LATER, closed_by: `'webhook'`, month: `room.connection_month(${AT})` },
  'recording.recordings': {
    status: `'COMPLETED'`,
    class_ended_at: AT,
    completed_at: AT,
    deleted_at: AT,
    egress_id: `'EG_' || n`,
    object_key: `'key-' || n`,
  },
  'recording.recording_copies': { status: `'COPIED'`, copied_at: AT, object_key: `'key-' || n` },
  'recording.rooms': { organization_id: `'organization_id-' || n % ${ORGANIZATIONS}`, ended_at: AT },
  'billing.accounts': { billing_type: `'PREPAID'`, balance: `-60 * ${ROWS / ORGANIZATIONS}` },
  'billing.ledger_entries': {
    kind: `'CHARGE'`,
    debit_account: `'customer'`,
    credit_account: `'usage'`,
    credits: '60',
    sid: `'sid-' || n`,
    meter_sequence: '1',
  },
  'billing.room_meters': {
    charged_credits: '60',
    started_at: AT,
    ended_at: AN_HOUR_LATER,
    verified_at: AN_HOUR_LATER,
    finished_at: AN_HOUR_LATER,
    settled_at: AN_HOUR_LATER,
  },
  'billing.ledger_checkpoints': { position: '0', balance: '0' },
  'billing.plans': { billing_type: `'PREPAID'` },
  'billing.sessions_by_month': { left_at: AN_HOUR_LATER, month: `billing.session_month(${AT})` },
  'ai.chats': { kind: `'agent'` },
  'ai.turns': { state: `'finished'` },
  'ai.usage': { kind: `'agent'`, task: `'chat'`, outcome: `'finished'` },
  'media.videos': { playback: `'hls'`, status: `'completed'`, completed_at: AT },
  'media.documents': { status: `'completed'`, completed_at: AT },
};

interface Column {
  schema: string;
  table: string;
  name: string;
  type: string;
  isKey: boolean;
}

/** Fills every table that grows, using the catalog's information about its columns, and runs ANALYZE. No app may run meanwhile. */
export async function fillDatabase(connectionString: string): Promise<void> {
  const tables = await tablesOf(connectionString);
  const left = [...tables];
  const worker = async () => {
    const client = new Client({ connectionString });
    await client.connect();
    try {
      // Skips foreign key checks and does not wait for commits.
      await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
      for (let columns = left.pop(); columns; columns = left.pop()) await fill(client, columns);
    } finally {
      await client.end();
    }
  };
  await Promise.all([worker(), worker()]);
}

async function tablesOf(connectionString: string): Promise<Column[][]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<Column & { isFilled: boolean }>(
      `SELECT c.table_schema AS schema, c.table_name AS table, c.column_name AS name, c.udt_name AS type,
              c.is_nullable = 'NO' AND c.column_default IS NULL AND c.is_identity = 'NO' AS "isFilled",
              EXISTS (SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
                       WHERE i.indrelid = format('%I.%I', c.table_schema, c.table_name)::regclass AND i.indisprimary AND i.indnkeyatts = 1
                         AND a.attname = c.column_name) AS "isKey"
         FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
        WHERE c.table_schema = ANY($1) AND t.table_type = 'BASE TABLE'
          -- A partition is filled through its table.
          AND NOT (SELECT relispartition FROM pg_class WHERE oid = format('%I.%I', c.table_schema, c.table_name)::regclass) ORDER BY 1, 2, c.ordinal_position`,
      [SCHEMAS],
    );
    const wanted = rows.filter(
      (row) =>
        !SMALL.has(row.table) &&
        (row.schema === SHARED.schema || !SHARED.tables.includes(row.table)) &&
        (row.isFilled || given(row) !== undefined),
    );
    return [...Map.groupBy(wanted, ({ schema, table }) => `${schema}.${table}`).values()];
  } finally {
    await client.end();
  }
}

const given = ({ schema, table, name }: Column) => HISTORY[`${schema}.${table}`]?.[name];

async function fill(client: Client, columns: readonly Column[]): Promise<void> {
  const [{ schema, table } = { schema: '', table: '' }] = columns;
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const values = columns.map((column) => given(column) ?? valueOf(column)).join(', ');
  const rows = OF_ORGANIZATIONS.has(table) ? ORGANIZATIONS : ROWS;
  await client.query(`INSERT INTO ${schema}."${table}" (${names}) SELECT ${values} FROM generate_series(1, ${rows}) n`);
  await client.query(`VACUUM ANALYZE ${schema}."${table}"`);
}

function valueOf({ name, type, isKey }: Column): string {
  if (name === 'organization_id' && !isKey) return `'organization_id-' || n % ${ORGANIZATIONS}`;
  if (type === 'text') return `'${name}-' || n${isKey && name === 'organization_id' ? ' - 1' : ''}`;
  if (type === 'uuid') return `md5('${name}' || n)::uuid`;
  if (type === 'timestamptz') return AT;
  if (type === 'bool') return 'false';
  if (type === 'json' || type === 'jsonb') return `'{}'`;
  if (type === 'bytea') return `'\\x00'`;
  if (type.startsWith('_')) return `'{}'`;
  if (type === 'int2') return 'n % 100';
  return 'n';
}
