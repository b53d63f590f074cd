import { randomUUID } from 'node:crypto';
import { participantConnection, roomFinished } from '@classroom/contracts';
import { envelopeOf } from '@classroom/testing';
import { AuditRepository } from '../src/charging/audit.repository.js';
import { SessionDrift } from '../src/charging/ledger-audit.js';
import { BillingFixture } from './support/billing-fixture.js';

/** A finished class with missing sessions stays visible, however often its meter is processed again. */
describe('session drift', () => {
  let fixture: BillingFixture;
  beforeAll(async () => {
    fixture = await BillingFixture.start();
  });
  afterAll(() => fixture?.stop());

  it('is counted from the end of the class until its sessions match the room’s connections', async () => {
    const { organizationId, accountId } = await fixture.organization();
    const drift = new SessionDrift(new AuditRepository(fixture.database), fixture.clock);
    expect(await drift.seconds()).toBe(0);
    const sid = `RM_${randomUUID()}`;
    const room = { organizationId, sid, roomId: `room-of-${sid}` };
    // Whole seconds, as LiveKit reports them.
    const second = Math.floor(fixture.clock.at / 1000) * 1000;
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
    await fixture.fold(session(1));
    const totals = { connections: 2, totalSeconds: 7_200, lastVersion: 2, versionSum: 3 };
    await fixture.fold(
      envelopeOf(roomFinished, sid, { ...room, title: 'A class', startedAt: start, endedAt: over, reason: 'deleted', ...totals }),
    );
    for (const seconds of [10, 20, 30]) {
      fixture.clock.at += 10_000;
      await fixture.rollUp.execute([accountId]);
      expect(await drift.seconds()).toBe(seconds);
    }
    await fixture.fold(session(2));
    fixture.clock.at += 10_000;
    await fixture.rollUp.execute([accountId]);
    expect(await drift.seconds()).toBe(0);
  });
});
