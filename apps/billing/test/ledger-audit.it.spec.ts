import { randomUUID } from 'node:crypto';
import { participantConnection, roomFinished } from '@classroom/contracts';
import { envelopeOf } from '@classroom/testing';
import { AuditRepository } from '../src/audit/audit.repository.js';
import { BillingFixture } from './support/billing-fixture.js';

describe('the audit of the ledger', () => {
  let fixture: BillingFixture;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
  });
  afterAll(() => fixture?.stop());

  const checkpointOf = async (organizationId: string) => {
    const [row] = await fixture.stack.rows<{ entries: number; balance: number }>(
      `SELECT (SELECT count(*)::int FROM billing.ledger_entries e WHERE e.organization_id = c.organization_id AND e.position <= c.position) AS entries,
              balance::int AS balance FROM billing.ledger_checkpoints c WHERE organization_id = $1`,
      [organizationId],
    );
    return row;
  };

  /** Posts top-ups of 1 credit, and updates the balance. */
  const topUp = async (organizationId: string, count: number) => {
    await fixture.stack.rows(
      `INSERT INTO billing.ledger_entries (entry_id, organization_id, kind, debit_account, credit_account, credits, credit_rate, currency, recorded_at)
       SELECT gen_random_uuid(), $1, 'TOP_UP', 'funding', 'customer', 1, 1, 'USD', now() FROM generate_series(1, $2)`,
      [organizationId, count],
    );
    await fixture.stack.rows('UPDATE billing.accounts SET balance = balance + $2 WHERE organization_id = $1', [organizationId, count]);
  };

  /** A finished and settled class of one hour. */
  const taughtClass = async () => {
    const { organizationId, accountId } = await fixture.organization();
    const sid = `RM_${randomUUID()}`;
    const room = { organizationId, sid, roomId: `room-of-${sid}` };
    const second = Math.floor(fixture.clock.at / 1000) * 1000;
    const [start, over] = [new Date(second - 3_600_000).toISOString(), new Date(second).toISOString()];
    const person = {
      connectionSid: `PA_${sid}`,
      uid: 'uid-1',
      name: 'Ada',
      role: 'STUDENT',
      ip: null,
      openedBy: 'webhook',
      closedBy: 'webhook',
    };
    await fixture.fold(envelopeOf(participantConnection, sid, { ...room, ...person, joinedAt: start, leftAt: over, version: 1 }));
    const totals = { connections: 1, totalSeconds: 3_600, lastVersion: 1, versionSum: 1 };
    await fixture.fold(
      envelopeOf(roomFinished, sid, { ...room, title: 'A class', startedAt: start, endedAt: over, reason: 'deleted', ...totals }),
    );
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meter(sid)).toMatchObject({ charged: 60, isSettled: true });
    return sid;
  };

  it('begins with the first entry', async () => {
    const { organizationId } = await fixture.organization();
    await fixture.stack.rows('DELETE FROM billing.ledger_entries WHERE organization_id = $1', [organizationId]);
    expect(await new AuditRepository(fixture.database).readBatch(organizationId, 10)).toMatchObject({ entries: 0, position: 0 });
    await fixture.stack.rows('UPDATE billing.accounts SET balance = 0 WHERE organization_id = $1', [organizationId]);
  });

  it('reads a long ledger in bounded parts, keeps its progress when the process ends, and then reads new entries', async () => {
    const { organizationId } = await fixture.organization();
    await topUp(organizationId, 12_000);
    const interrupted = fixture.newAudit().round();
    while ((await checkpointOf(organizationId)) === undefined) await interrupted.next();
    expect(await checkpointOf(organizationId)).toEqual({ entries: 5_000, balance: 5_999 });
    expect(await fixture.audit()).toEqual([]);
    expect(await checkpointOf(organizationId)).toEqual({ entries: 12_001, balance: 13_000 });
    await topUp(organizationId, 7);
    expect(await fixture.audit()).toEqual([]);
    expect(await checkpointOf(organizationId)).toEqual({ entries: 12_008, balance: 13_007 });
  });

  it('reports a differing account in every round until it no longer differs', async () => {
    const { organizationId, accountId } = await fixture.organization();
    await fixture.audit();
    await fixture.stack.rows('UPDATE billing.accounts SET balance = balance + 3 WHERE organization_id = $1', [organizationId]);
    for (let round = 0; round < 2; round++) expect(await fixture.audit()).toEqual([{ what: 'account', id: accountId, credits: 3 }]);
    expect(await fixture.newAudit().imbalance()).toBe(3);
    await fixture.stack.rows('UPDATE billing.accounts SET balance = balance - 3 WHERE organization_id = $1', [organizationId]);
    expect(await fixture.audit()).toEqual([]);
    expect(await fixture.newAudit().imbalance()).toBe(0);
  });

  it('reports a settled room that differs from its sessions in every round until it no longer differs', async () => {
    const sid = await taughtClass();
    await fixture.stack.rows(`UPDATE billing.sessions_by_month SET left_at = left_at - interval '10 minutes' WHERE sid = $1`, [sid]);
    for (let round = 0; round < 2; round++) expect(await fixture.audit()).toEqual([{ what: 'room', id: sid, credits: 10 }]);
    await fixture.stack.rows(`UPDATE billing.sessions_by_month SET left_at = left_at + interval '10 minutes' WHERE sid = $1`, [sid]);
    expect(await fixture.audit()).toEqual([]);
  });

  it('reports a settled room that was never charged', async () => {
    const sid = await taughtClass();
    await fixture.audit();
    await fixture.stack.rows(
      `INSERT INTO billing.room_meters (sid, organization_id, room_id, title, settled_at, finished_at)
       SELECT $1, organization_id, $1, '', $3, $3 FROM billing.room_meters WHERE sid = $2`,
      [`${sid}_free`, sid, fixture.clock.now()],
    );
    await fixture.stack.rows(
      `INSERT INTO billing.sessions_by_month SELECT connection_sid || '_free', sid || '_free', organization_id, uid, name, role, ip, joined_at, left_at, opened_by, closed_by, version, behind, month
         FROM billing.sessions_by_month WHERE sid = $1`,
      [sid],
    );
    fixture.clock.at += 180_000;
    expect(await fixture.audit()).toEqual([{ what: 'room', id: `${sid}_free`, credits: 60 }]);
    await fixture.stack.rows('DELETE FROM billing.sessions_by_month WHERE sid = $1', [`${sid}_free`]);
    expect(await fixture.audit()).toEqual([]);
  });

  it('skips an account that cannot be read, and its age grows until that account can be read', async () => {
    const [broken, other] = (await Promise.all([fixture.organization(), fixture.organization()])).sort((a, b) =>
      a.organizationId < b.organizationId ? -1 : 1,
    );
    if (!broken || !other) throw new Error('unreachable');
    await fixture.audit();
    const audit = fixture.newAudit();
    fixture.clock.wall = () => fixture.clock.now();
    await fixture.audit();
    expect(await audit.ageSeconds()).toBe(0);
    // The sum of its entries overflows the column, so the account can't be read.
    await fixture.stack.rows('UPDATE billing.ledger_checkpoints SET balance = 9223372036854775807 WHERE organization_id = $1', [
      broken.organizationId,
    ]);
    await topUp(broken.organizationId, 1);
    await fixture.stack.rows('UPDATE billing.accounts SET balance = balance + 5 WHERE organization_id = $1', [other.organizationId]);
    fixture.clock.at += 60_000;
    expect(await fixture.audit()).toContainEqual({ what: 'account', id: other.accountId, credits: 5 });
    expect(await audit.ageSeconds()).toBe(60);
    await fixture.stack.rows('DELETE FROM billing.ledger_checkpoints WHERE organization_id = $1', [broken.organizationId]);
    await fixture.stack.rows('UPDATE billing.accounts SET balance = balance - 5 WHERE organization_id = $1', [other.organizationId]);
    expect(await fixture.audit()).toEqual([]);
    expect(await audit.ageSeconds()).toBe(0);
  });

  it('runs in one process at a time, and in another soon after that process ended', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const repository = new AuditRepository(fixture.database);
    const at = (seconds: number) => new Date(fixture.clock.at + seconds * 1000);
    expect(await repository.acquireLease(first, at(0), at(60))).toBe(true);
    expect(await repository.acquireLease(second, at(1), at(61))).toBe(false);
    expect(await repository.acquireLease(first, at(2), at(62))).toBe(true);
    expect(await repository.acquireLease(second, at(63), at(123))).toBe(true);
  });
});
