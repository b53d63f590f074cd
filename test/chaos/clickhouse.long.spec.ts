import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { randomUUID } from 'node:crypto';
import { participantConnection } from '@classroom/contracts';
import { eventually, publishFact, TestStack, unhandled } from '@classroom/testing';

const run = promisify(execFile);

describe('billing with ClickHouse', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await TestStack.start({ apps: ['billing'], parts: ['postgres', 'nats', 'redis', 'clickhouse'] });
  });
  afterAll(() => stack?.stop());

  const query = async (body: string): Promise<string> =>
    (await (await fetch(`${stack.urls.clickhouse}/`, { method: 'POST', body })).text()).trim();
  const copied = () => query('SELECT connection_sid FROM sessions FINAL ORDER BY connection_sid');

  const publish = (connectionSid: string) => {
    const sid = `RM_${randomUUID()}`;
    const room = { organizationId: 'org_a', sid, roomId: `room-of-${sid}` };
    const times = { joinedAt: '2026-03-02T12:00:00.000Z', leftAt: '2026-03-02T12:10:00.000Z' };
    const person = { connectionSid, uid: 'ada', name: 'Ada', role: 'STUDENT', ip: null };
    const evidence = { openedBy: 'webhook', closedBy: 'webhook' } as const;
    return publishFact(stack, participantConnection, sid, { ...room, ...person, ...times, ...evidence, version: 1 });
  };

  it('copies earlier sessions by the backfill, later ones as their facts arrive, and after an outage what it missed', async () => {
    await publish('PA_before');
    await eventually(async () => expect(await unhandled(stack, 'billingFold')).toBe(0));
    const env = { REPORTS_CLICKHOUSE_URL: stack.urls.clickhouse ?? '', REPORTS_STORE: 'clickhouse' };
    const url = new URL(stack.urls.postgresAdmin);
    url.username = 'classroom_billing';
    url.password = stack.secrets['databasePasswords']?.['billing' as never] ?? '';
    const needed = { NATS_URL: stack.urls.nats, REDIS_URL: stack.urls.redis, PROBE_PORT: '0', DATABASE_URL: url.href };
    const backfill = join(__dirname, '..', '..', 'apps', 'billing', 'dist', 'backfill-reports.js');
    const { stdout } = await run(process.execPath, [backfill], { env: { ...process.env, ...needed, ...env } });
    expect(stdout).toContain('done: 1 sessions copied');
    expect(await copied()).toBe('PA_before');

    await stack.app('billing').restart(env);
    await publish('PA_later');
    await eventually(async () => expect(await copied()).toBe('PA_before\nPA_later'));

    await stack.part('clickhouse').kill();
    await publish('PA_meanwhile');
    await eventually(async () => expect(await unhandled(stack, 'billingFold')).toBe(0));
    expect(await unhandled(stack, 'billingReports')).toBe(1);
    await stack.part('clickhouse').start();
    await eventually(async () => expect(await copied()).toBe('PA_before\nPA_later\nPA_meanwhile'));
  });

  it('removes a person there too, when they are erased or their retention ends', async () => {
    await publish('PA_erased');
    await eventually(async () => expect(await copied()).toContain('PA_erased'));
    // As an erasure leaves it, in one transaction with the mark.
    await stack.rows(`UPDATE billing.sessions_by_month SET uid = 'erased#1', name = '', ip = NULL WHERE connection_sid = 'PA_erased'`);
    await stack.part('clickhouse').kill();
    await stack.rows(
      `INSERT INTO billing.stale_copies (organization_id, sid) SELECT organization_id, sid FROM billing.sessions_by_month WHERE connection_sid = 'PA_erased'`,
    );
    await stack.part('clickhouse').start();
    const versions = (connectionSid: string) => query(`SELECT uid, name FROM sessions WHERE connection_sid = '${connectionSid}'`);
    await eventually(async () => expect(await versions('PA_erased')).toBe('erased#1'));
    expect(await versions('PA_later')).toBe('ada\tAda');
    await eventually(async () => expect(await stack.rows('SELECT 1 FROM billing.stale_copies')).toEqual([]));
    await stack.rows(`INSERT INTO billing.stale_copies (organization_id, sid) VALUES ('org_b', ''), ('org_a', '')`);
    await eventually(async () => expect(await query('SELECT count() FROM sessions')).toBe('0'));
  });
});
