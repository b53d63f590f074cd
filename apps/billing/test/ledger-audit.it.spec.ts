import { randomUUID } from 'node:crypto';
import { participantConnection, roomFinished } from '@classroom/contracts';
import { envelopeOf } from '@classroom/testing';
import { AuditRepository } from '../src/charging/audit.repository.js';
import { LedgerCheckpointEntity } from '../src/schema/ledger-checkpoint.entity.js';
import { RoomMeterEntity } from '../src/schema/room-meter.entity.js';
import { SessionEntity } from '../src/schema/session.entity.js';
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
  const topUp = (organizationId: string, count: number) =>
    fixture.fillLedger(organizationId, count, { kind: 'TOP_UP', signedCredits: 1, creditRate: 1, cycleStart: null });

  const moveEnds = (sid: string, minutes: number) =>
    fixture.stack.rows(`UPDATE billing.sessions_by_month SET left_at = left_at + $2 * interval '1 minute' WHERE sid = $1`, [sid, minutes]);

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
    await fixture.changeBalance(organizationId, -1_000);
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
    await fixture.changeBalance(organizationId, 3);
    for (let round = 0; round < 2; round++) expect(await fixture.audit()).toEqual([{ what: 'account', id: accountId, credits: 3 }]);
    expect(await fixture.newAudit().imbalance()).toBe(3);
    await fixture.changeBalance(organizationId, -3);
    expect(await fixture.audit()).toEqual([]);
    expect(await fixture.newAudit().imbalance()).toBe(0);
  });

  it('reports a settled room that differs from its sessions in every round until it no longer differs', async () => {
    const sid = await taughtClass();
    await moveEnds(sid, -10);
    for (let round = 0; round < 2; round++) expect(await fixture.audit()).toEqual([{ what: 'room', id: sid, credits: 10 }]);
    await moveEnds(sid, 10);
    expect(await fixture.audit()).toEqual([]);
  });

  it('reports a settled room that was never charged', async () => {
    const sid = await taughtClass();
    await fixture.audit();
    const { manager } = fixture.dataSource;
    const [free, at] = [`${sid}_free`, fixture.clock.now()];
    const { organizationId, connectionSid, ...session } = await manager.findOneByOrFail(SessionEntity, { sid });
    await manager.insert(RoomMeterEntity, { sid: free, organizationId, roomId: free, title: '', settledAt: at, finishedAt: at });
    await manager.insert(SessionEntity, { ...session, organizationId, connectionSid: `${connectionSid}_free`, sid: free });
    fixture.clock.at += 180_000;
    expect(await fixture.audit()).toEqual([{ what: 'room', id: free, credits: 60 }]);
    await manager.delete(SessionEntity, { sid: free });
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
    const { organizationId } = broken;
    await fixture.dataSource.manager.update(LedgerCheckpointEntity, { organizationId }, { balance: () => '9223372036854775807' });
    await topUp(broken.organizationId, 1);
    await fixture.changeBalance(other.organizationId, 5);
    fixture.clock.at += 60_000;
    expect(await fixture.audit()).toContainEqual({ what: 'account', id: other.accountId, credits: 5 });
    expect(await audit.ageSeconds()).toBe(60);
    await fixture.dataSource.manager.delete(LedgerCheckpointEntity, { organizationId });
    await fixture.changeBalance(other.organizationId, -5);
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
