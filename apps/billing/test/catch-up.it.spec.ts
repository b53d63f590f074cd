import { AppError, roomRpc } from '@classroom/contracts';
import type { RpcClient } from '@classroom/messaging';
import { RoomMeterEntity } from '../src/schema/room-meter.entity.js';
import { BillingFixture } from './support/billing-fixture.js';

describe('the catch-up while the room service is unreachable', () => {
  let fixture: BillingFixture;
  let asked: string[];

  beforeAll(async () => {
    fixture = await BillingFixture.start();
    const call = async (contract: { subject: string }, input: { sid?: string; roomId?: string }) => {
      asked.push(`${contract.subject} ${input.sid ?? input.roomId}`);
      if (contract.subject === roomRpc.connections.subject) throw new AppError('SERVICE_UNAVAILABLE');
      throw new AppError('ROOM_NOT_FOUND');
    };
    fixture.connectionsOf = call as unknown as RpcClient['call'];
  });
  beforeEach(async () => {
    asked = [];
    await fixture.stack.rows('DELETE FROM billing.room_meters');
  });
  afterAll(() => fixture?.stop());

  const meters = (count: number, columns: string, values: string) =>
    fixture.stack.rows(
      `INSERT INTO billing.room_meters (sid, organization_id, room_id, title, ${columns})
       SELECT 'RM_' || lpad(n::text, 3, '0'), 'org', 'room-' || n, '', ${values} FROM generate_series(1, ${count}) n`,
    );

  it('stops at the first failed call, and begins with the next room at its next turn', async () => {
    await meters(3, 'finished_at', `now() - interval '1 hour'`);
    for (let turn = 0; turn < 3; turn++) await expect(fixture.catchUp.run()).rejects.toThrow(AppError);
    expect(asked).toEqual(['RM_001', 'RM_002', 'RM_003'].map((sid) => `${roomRpc.connections.subject} ${sid}`));
  });

  it('keeps the totals of a correction that comes while the list is being read', async () => {
    await meters(
      1,
      'finished_at, final_version, final_connections, final_version_sum, folded_version',
      `now() - interval '1 hour', 5, 2, 9, 7`,
    );
    const corrected = { finalVersion: 8, finalConnections: 3, finalVersionSum: 12 };
    const before = fixture.connectionsOf;
    fixture.connectionsOf = (async () => {
      await fixture.dataSource.manager.update(RoomMeterEntity, { sid: 'RM_001' }, corrected);
      return { connections: [] };
    }) as unknown as RpcClient['call'];
    // The first turn may be the rest of a round.
    for (let turn = 0; turn < 2; turn++) await fixture.catchUp.run();
    fixture.connectionsOf = before;
    expect(await fixture.dataSource.manager.find(RoomMeterEntity)).toMatchObject([corrected]);
  });

  it('asks about every room without recent facts, in turn, also about one without any', async () => {
    await meters(
      45,
      'verified_at',
      `CASE WHEN n % 3 > 0 THEN date_trunc('milliseconds', now()) - interval '1 hour' - n / 10 * interval '1 minute' END`,
    );
    for (let turn = 0; turn < 3; turn++) {
      fixture.clock.at += 61_000;
      await fixture.catchUp.run();
    }
    expect(asked).toHaveLength(45);
    expect(new Set(asked).size).toBe(45);
    fixture.clock.at += 61_000;
    await fixture.catchUp.run();
    expect(asked).toHaveLength(65);
  });
});
