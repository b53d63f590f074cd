import { randomUUID } from 'node:crypto';
import { participantConnection, roomFinished } from '@classroom/contracts';
import { envelopeOf } from '@classroom/testing';
import { AuditRepository } from '../src/audit/audit.repository.js';
import { SessionDrift } from '../src/audit/session-drift.js';
import { BillingBench } from './support/billing-bench.js';

/** A finished class with missing sessions stays visible, however often its meter is processed again. */
describe('session drift', () => {
  let bench: BillingBench;
  beforeAll(async () => {
    bench = await BillingBench.start();
  });
  afterAll(() => bench?.stop());

  it('is counted from the end of the class until its sessions match the room’s connections', async () => {
    const { organizationId, accountId } = await bench.organization();
    const drift = new SessionDrift(new AuditRepository(bench.database), bench.clock);
    expect(await drift.seconds()).toBe(0);
    const sid = `RM_${randomUUID()}`;
    const room = { organizationId, sid, roomId: `room-of-${sid}` };
    // Whole seconds, as LiveKit reports them.
    const second = Math.floor(bench.clock.at / 1000) * 1000;
    const start = new Date(second - 3_600_000).toISOString();
    const over = new Date(second).toISOString();
    const session = (n: number) => {
      const person = {
        connectionSid: `PA_${sid}_${n}`,
        uid: `uid-${n}`,
        name: 'Ada',
        role: 'STUDENT',
        ip: null,
        openedBy: 'webhook',
        closedBy: 'webhook',
      };
      return envelopeOf(participantConnection, sid, { ...room, ...person, joinedAt: start, leftAt: over, version: n });
    };
    await bench.fold(session(1));
    const totals = { connections: 2, totalSeconds: 7_200, lastVersion: 2, versionSum: 3 };
    await bench.fold(
      envelopeOf(roomFinished, sid, { ...room, title: 'A class', startedAt: start, endedAt: over, reason: 'deleted', ...totals }),
    );
    for (const seconds of [10, 20, 30]) {
      bench.clock.at += 10_000;
      await bench.rollUp.execute(accountId);
      expect(await drift.seconds()).toBe(seconds);
    }
    await bench.fold(session(2));
    bench.clock.at += 10_000;
    await bench.rollUp.execute(accountId);
    expect(await drift.seconds()).toBe(0);
  });
});
