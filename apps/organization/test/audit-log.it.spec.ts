import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { jetstream } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  auditSubject,
  createOrganization,
  listAudit,
  type AuditedCall,
  type AuditEntry,
  type RpcContract,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { connect as connectDatabase } from '@classroom/persistence';
import { Bucket, inLongForm, byForm, eventually, storageOf, TestStack, unhandled } from '@classroom/testing';
import type { DataSource } from 'typeorm';

const VERIFY = join(__dirname, '..', 'dist', 'verify-audit.js');
const MINUTE = 60_000;

jest.setTimeout(120_000);

/** The audit log as the organization service keeps it. The test publishes calls, as gateways do. */
describe('the audit log of an organization', () => {
  let stack: TestStack;
  let nats: NatsConnection;
  let rpc: RpcClient;
  let own: DataSource;
  let url: string;
  let organizationId: string;

  beforeAll(async () => {
    stack = await TestStack.start({ parts: ['postgres', 'nats', 'redis', 's3'], apps: ['organization'] });
    nats = await connect({ ...stack.nats, maxReconnectAttempts: -1 });
    rpc = new RpcClient(nats);
    const address = new URL(stack.urls.postgresAdmin);
    address.username = 'classroom_organization';
    address.password = (stack.secrets['databasePasswords'] as unknown as Record<string, string>)['organization'] ?? '';
    url = address.href;
    own = await connectDatabase({ url, schema: 'organization' });
  });
  afterAll(async () => {
    await own?.destroy();
    await nats?.close();
    await stack?.stop();
  });
  beforeEach(async () => {
    organizationId = (await call(createOrganization, { name: 'School' })).id as string;
  });
  afterEach(() => stack.moveClock(0));

  const call = <C extends RpcContract>(contract: C, input: RpcRequest<C>): Promise<RpcOutput<C>> => rpc.call(contract, input, 20_000);
  const entries = async (): Promise<AuditEntry[]> => (await call(listAudit, { organizationId, limit: 100 })).entries;

  const newCall = (given: Partial<AuditedCall> = {}): AuditedCall => ({
    id: randomUUID(),
    at: new Date().toISOString(),
    organizationId,
    actor: { type: 'operator', id: 'ada' },
    operation: 'revokeDashboardTokens',
    address: '203.0.113.7',
    requestId: randomUUID(),
    target: {},
    fields: [],
    status: 200,
    ...given,
  });
  const publish = async (audited: AuditedCall, repetition = '') => {
    await jetstream(nats).publish(auditSubject(audited), JSON.stringify(audited), {
      msgID: `${audited.id}:${audited.status}${repetition}`,
    });
  };
  const handled = () => eventually(async () => expect(await unhandled(stack, 'organizationAudit')).toBe(0));

  it('has each call once, however often and in which order its messages come', async () => {
    const audited = newCall();
    await publish(audited);
    await publish({ ...audited, status: null });
    await publish(audited, ':again');
    await handled();
    expect(await entries()).toMatchObject([{ id: audited.id, sequence: 1, status: 200 }]);
    await stack.moveClock(31 * MINUTE);
    await eventually(async () => expect(await stack.rows('SELECT 1 FROM organization.audit_pending')).toEqual([]));
    expect(await entries()).toHaveLength(1);
  });

  it('has a call whose answer is unknown or a failure when it can have no further effect', async () => {
    const [unknown, failed] = [newCall({ status: null }), newCall({ status: 503 })];
    for (const audited of [unknown, { ...failed, status: null }, failed]) await publish(audited);
    await handled();
    expect(await entries()).toEqual([]);
    await stack.moveClock(3 * MINUTE);
    await eventually(async () => expect(await entries()).toMatchObject([{ id: failed.id, status: 503 }]));
    await stack.moveClock(31 * MINUTE);
    await eventually(async () => expect((await entries()).map(({ status }) => status)).toEqual(expect.arrayContaining([null, 503])));
  });

  inLongForm(it)('numbers the calls without gaps, also when several processes append at once', async () => {
    const second = stack.addProcess('organization', { name: 'organization-2' });
    await second.start();
    await Promise.all(Array.from({ length: 200 }, () => publish(newCall())));
    await eventually(async () => expect(await entries()).toHaveLength(100));
    await handled();
    const rows = await stack.rows<{ count: number; last: number }>(
      'SELECT count(*)::int AS count, max(sequence)::int AS last FROM organization.audit_entries WHERE organization_id = $1',
      [organizationId],
    );
    expect(rows).toEqual([{ count: 200, last: 200 }]);
    expect((await verify()).code).toBe(0);
    await second.stop();
  });

  it.each(byForm({ short: ['before-commit'], long: ['before-commit', 'after-commit'] }))(
    'loses and repeats nothing if the service is killed %s',
    async (step) => {
      const organization = stack.app('organization');
      await organization.restart({ FAILPOINTS: `organization.audit.${step}=crash` });
      const calls = Array.from({ length: 20 }, () => newCall());
      await Promise.all(calls.map((audited) => publish(audited)));
      expect((await organization.exited).signal).toBe('SIGKILL');
      await organization.start();
      await eventually(async () => expect(await entries()).toHaveLength(20), 90_000);
      await handled();
      const found = await entries();
      expect(found.map(({ id }) => id).sort()).toEqual(calls.map(({ id }) => id).sort());
      expect((await verify()).code).toBe(0);
    },
  );

  it.each(["UPDATE audit_entries SET actor_id = 'eve'", 'DELETE FROM audit_entries', 'TRUNCATE audit_entries'])(
    'cannot be changed by the service: %s',
    async (statement) => {
      await expect(own.query(statement)).rejects.toThrow('permission denied');
      await expect(own.query(`SET ROLE classroom_organization_tenant; ${statement}`)).rejects.toThrow('permission denied');
    },
  );

  const requestErasure = (of: string, erasureId: string = randomUUID()) =>
    own.query('INSERT INTO erasures (erasure_id, organization_id, is_of_organization, requested_at) VALUES ($1, $2, true, now())', [
      erasureId,
      of,
    ]);
  const eraseEntries = (of: string) => own.query('SELECT erase_audit_entries($1)', [of]);
  const completeErasure = async (of: string) => {
    await own.query('UPDATE erasures SET completed_at = now() WHERE organization_id = $1', [of]);
    await own.query('DELETE FROM audit_heads WHERE organization_id = $1', [of]);
    await eraseEntries(of);
  };

  it('cannot be started again by the service, which may delete it once its organization is erased', async () => {
    await publish(newCall());
    await handled();
    const inRows = async () => (await own.query('SELECT * FROM audit_entries WHERE organization_id = $1', [organizationId])) as object[];
    const [entry] = await inRows();
    await own.query('UPDATE organizations SET closed_at = now() WHERE organization_id = $1', [organizationId]);
    await expect(eraseEntries(organizationId)).rejects.toThrow('is not completed');
    await requestErasure(organizationId, 'erasure-of-test');
    await expect(eraseEntries(organizationId)).rejects.toThrow('is not completed');
    expect(await inRows()).toEqual([entry]);
    await completeErasure(organizationId);
    expect(await inRows()).toEqual([]);
    for (const statement of ['UPDATE erasures SET completed_at = NULL', 'DELETE FROM erasures'])
      await expect(own.query(`${statement} WHERE erasure_id = $1`, ['erasure-of-test'])).rejects.toThrow('cannot be changed');
    const again = own.query('INSERT INTO audit_entries SELECT * FROM json_populate_record(NULL::audit_entries, $1)', [
      JSON.stringify(entry),
    ]);
    await expect(again).rejects.toThrow('was erased');
  });

  it('is shown to no other organization by the database either', async () => {
    await publish(newCall());
    await handled();
    const visible = (of: string) =>
      own.transaction(async (manager) => {
        await manager.query('SET LOCAL ROLE classroom_organization_tenant');
        await manager.query("SELECT set_config('app.organization', $1, true)", [of]);
        return (await manager.query('SELECT organization_id FROM audit_entries')) as object[];
      });
    expect(await visible(organizationId)).toEqual([{ organization_id: organizationId }]);
    expect(await visible('org_other')).toEqual([]);
    expect(await visible('')).toEqual([]);
  });

  /** @param kept lines of an earlier run; or `storage`, where the command keeps them itself */
  async function verify(kept?: string, env: NodeJS.ProcessEnv = {}): Promise<{ code: number | null; out: string; problems: string }> {
    const file = join(stack.home, 'kept-heads');
    if (kept !== undefined && kept !== 'storage') writeFileSync(file, kept);
    const args = kept === undefined ? [] : kept === 'storage' ? ['--keep'] : [file];
    const child = spawn(process.execPath, [VERIFY, ...args], { env: { DATABASE_URL: url, ...storageOf(stack, 'organization'), ...env } });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [out, problems, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, out, problems };
  }

  it('shows to the verification what a superuser changed, removed or exchanged', async () => {
    for (let count = 0; count < 4; count++) {
      await publish(newCall({ target: { keyId: `key-${count}` } }));
      await handled();
    }
    const intact = await verify();
    expect(intact).toMatchObject({ code: 0, problems: expect.stringContaining('intact') });
    const [newest] = await entries();
    const table = 'organization.audit_entries';
    const of = `organization_id = '${organizationId}'`;
    const at = (sequence: number) => `WHERE ${of} AND sequence = ${sequence}`;
    await stack.rows(`CREATE TABLE public.copy AS SELECT * FROM ${table} WHERE ${of}`);
    await stack.rows(`CREATE TABLE public.copied_head AS SELECT * FROM organization.audit_heads WHERE ${of}`);
    const tampered = async (statements: string[], kept?: string) => {
      for (const statement of statements) await stack.rows(statement);
      const { code, problems } = await verify(kept);
      for (const [name, copy] of [
        [table, 'public.copy'],
        ['organization.audit_heads', 'public.copied_head'],
      ]) {
        await stack.rows(`DELETE FROM ${name} WHERE ${of}`);
        await stack.rows(`INSERT INTO ${name} SELECT * FROM ${copy}`);
      }
      return `${code} ${problems}`;
    };
    const changed: [statements: string[], problem: RegExp][] = [
      [[`UPDATE ${table} SET actor_id = 'eve' ${at(2)}`], /^1 .*entry 2 /],
      [[`DELETE FROM ${table} ${at(4)}`], /^1 .*entries 4 to 4 are missing, the newest/],
    ];
    const more: typeof changed = [
      [[`UPDATE ${table} SET target = '{"keyId":"key-9"}' ${at(3)}`], /^1 .*entry 3 /],
      [[`UPDATE ${table} SET at = at - interval '1 day' ${at(4)}`], /^1 .*entry 4 /],
      [[`DELETE FROM ${table} ${at(2)}`], /^1 .*entries 2 to 2 are missing/],
      [
        [
          `UPDATE ${table} SET sequence = -2 ${at(2)}`,
          `UPDATE ${table} SET sequence = 2 ${at(3)}`,
          `UPDATE ${table} SET sequence = 3 ${at(-2)}`,
        ],
        /^1 .*entry 2 /,
      ],
    ];
    for (const [statements, problem] of byForm({ short: changed, long: [...changed, ...more] })) {
      expect(await tampered(statements)).toMatch(problem);
    }
    // Without a trace in the database: only what was kept outside shows it.
    const head = `(SELECT hash FROM ${table} ${at(3)})`;
    const hidden = [`DELETE FROM ${table} ${at(4)}`, `UPDATE organization.audit_heads SET sequence = 3, hash = ${head} WHERE ${of}`];
    expect(await tampered(hidden)).toMatch(/^0 /);
    expect(await tampered(hidden, intact.out)).toMatch(new RegExp(`^1 .*entry ${newest?.id} was removed or changed`));
    // The command's own lines in the storage show it as well, also to each later run.
    expect((await verify('storage')).code).toBe(0);
    for (const _ of ['once', 'again'])
      expect(await tampered(hidden, 'storage')).toMatch(new RegExp(`^1 .*entry ${newest?.id} was removed or changed`));
    expect((await verify('storage')).code).toBe(0);
    expect((await verify(intact.out)).code).toBe(0);
    expect(stack.log('organization')).toContain(newest?.hash);
  });

  it('shows to the verification a false record of its ends, and an erasure without a cool-down', async () => {
    const newKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
    const [first, second] = [newKey(), newKey()];
    const verifyWith = async (key: string) => {
      const { code, problems } = await verify('storage', { AUDIT_SIGNING_KEY: key });
      return `${code} ${problems}`;
    };
    const hasty = (await call(createOrganization, { name: 'School' })).id as string;
    await publish(newCall());
    await publish(newCall({ organizationId: hasty }));
    await handled();
    expect(await verifyWith(first)).toMatch(/^0 /);
    const bucket = Bucket.of(stack);
    const name = [...(await bucket.list('audit-heads/signed-')).keys()].sort().at(-1) ?? '';
    const file = (await bucket.get(name)).toString();
    const later = 'audit-heads/signed-9999-01-01T00:00:00.000Z.jsonl';
    // An earlier record as the newest.
    const replayed: [name: string, file: string] = [later, file];
    const others: (typeof replayed)[] = [
      [later, file.slice(0, file.indexOf('\n') + 1)],
      [name, file.replace(/"hash":"../, '"hash":"zz')],
    ];
    for (const [as, content] of byForm({ short: [replayed], long: [replayed, ...others] })) {
      await bucket.put(as, Buffer.from(content));
      expect(await verifyWith(first)).toMatch(/^1 .*its signature is wrong/);
      await (as === name ? bucket.put(name, Buffer.from(file)) : bucket.delete(as));
    }
    // No file without a signature replaces one with it.
    await bucket.put('audit-heads/z.jsonl', Buffer.from(''));
    expect((await verify('storage')).problems).toContain('is signed');

    await requestErasure(organizationId);
    // The key is rotated.
    expect(await verifyWith(`${second},${first}`)).toMatch(/^0 /);
    await completeErasure(organizationId);
    expect(await verifyWith(second)).toMatch(/^0 /);
    await requestErasure(hasty);
    await completeErasure(hasty);
    expect(await verifyWith(second)).toMatch(
      new RegExp(`^1 log of ${hasty}: its erasure was requested and completed within the cool-down`),
    );
  });
});
