import { randomUUID } from 'node:crypto';
import {
  roomCheckpoint,
  roomFinished,
  roomRpc,
  roomUpdated,
  type EventContract,
  type RpcInput,
  type RpcOutput,
} from '@classroom/contracts';
import type { RpcClient } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { envelopeOf, expectLedgerInvariants } from '@classroom/testing';
import { In, IsNull, Not } from 'typeorm';
import { FinishedRooms } from '../src/charging/catch-up.js';
import { FinishedRoomsRepository } from '../src/charging/catch-up.repository.js';
import { RoomMeterEntity } from '../src/schema/room-meter.entity.js';
import { BillingFixture } from './support/billing-fixture.js';
import { RoomModel } from './support/room-model.js';

/** Makes the fact of a room, with what else it states. */
const envelopesOf = (contract: EventContract, data: object) => (room: { sid: string; verifiedAt: string; updatedAt: string }) => [
  envelopeOf(contract, room.sid, { ...room, ...data } as never),
];

type Finished = RpcOutput<typeof roomRpc.finishedSince>['rooms'][number];

class WallClock extends Clock {
  constructor(private readonly world: { at: number }) {
    super();
  }
  override now = () => new Date(this.world.at);
  override wall = () => new Date(this.world.at);
}

describe('finished rooms whose facts were lost', () => {
  let fixture: BillingFixture;
  let finishedRooms: FinishedRooms;
  const rooms = new Map<string, RoomModel>();
  /** The finished rooms that the room service has written, in its order. */
  const ends: Finished[] = [];
  let asked: RpcInput<typeof roomRpc.finishedSince>[] = [];

  beforeAll(async () => {
    fixture = await BillingFixture.start();
    fixture.connectionsOf = (async (_: unknown, { sid, after, limit }: RpcInput<typeof roomRpc.connections>) => ({
      connections: rooms.get(sid)?.page(after, limit) ?? [],
    })) as unknown as RpcClient['call'];
    fixture.finishedSince = (async (_: unknown, question: RpcInput<typeof roomRpc.finishedSince>) => {
      asked.push(question);
      const { after, afterSid, before, limit } = question;
      const found = ends.filter((it) => it.writtenAt < before && (it.writtenAt > after || (it.writtenAt === after && it.sid > afterSid)));
      return { rooms: found.sort((a, b) => (a.writtenAt + a.sid < b.writtenAt + b.sid ? -1 : 1)).slice(0, limit) };
    }) as unknown as RpcClient['call'];
  });
  beforeEach(() => {
    finishedRooms = restarted();
    asked = [];
  });
  afterAll(() => fixture?.stop());

  const restarted = () =>
    new FinishedRooms(
      fixture.config,
      fixture.database,
      new FinishedRoomsRepository(fixture.database),
      fixture.meters,
      fixture.rpc,
      new WallClock(fixture.clock),
    );
  const seconds = () => Math.floor(fixture.clock.at / 1000);

  /** A class with two participants for five minutes, which ends now. */
  function taught(organizationId: string, name: string): RoomModel {
    const room = new RoomModel(organizationId, `RM_${name}`);
    room.happen({ what: 'late-join', who: 0, ago: 300 }, seconds());
    room.happen({ what: 'late-join', who: 0, ago: 300 }, seconds());
    room.finish(seconds(), true);
    rooms.set(room.sid, room);
    const [endedAt, startedAt] = [fixture.clock.at, fixture.clock.at - 300_000].map((at) => new Date(at).toISOString()) as [string, string];
    ends.push({ sid: room.sid, organizationId, roomId: room.roomId, title: 'A class', startedAt, endedAt, writtenAt: endedAt });
    return room;
  }

  /** Waits until facts count as late, reads the finished rooms, waits until the catch-up is due, and charges. */
  async function pass(accountId: string): Promise<void> {
    fixture.clock.at += 61_000;
    await finishedRooms.run();
    fixture.clock.at += 61_000;
    await fixture.catchUp.run();
    await fixture.rollUp.execute([accountId]);
  }

  it('are charged once, by the connections that the room service has', async () => {
    const { organizationId, accountId } = await fixture.organization();
    const { sid } = taught(organizationId, 'lost');
    await pass(accountId);
    expect(await fixture.meter(sid)).toMatchObject({ charged: 10, isSettled: true, isDue: false });
    finishedRooms = restarted();
    await pass(accountId);
    expect(await fixture.meter(sid)).toMatchObject({ charged: 10, sequence: 1 });
    await expectLedgerInvariants(fixture.stack);
  });

  it('are charged the same if facts arrive late or only some arrived', async () => {
    const { organizationId, accountId } = await fixture.organization();
    const [late, begun] = [taught(organizationId, 'late'), taught(organizationId, 'begun')];
    await fixture.foldAll(begun.facts.slice(0, 2));
    await pass(accountId);
    await fixture.foldAll([...late.facts].reverse());
    await fixture.foldAll(begun.facts);
    await pass(accountId);
    for (const { sid } of [late, begun]) expect(await fixture.meter(sid)).toMatchObject({ charged: 10, isSettled: true, isDue: false });
    await expectLedgerInvariants(fixture.stack);
  });

  it.each([
    ['an aborted connection and a late checkpoint', 1, 0, envelopesOf(roomCheckpoint, { version: 1, unseen: [] })],
    ['a late change of its budget', 0, 1, envelopesOf(roomUpdated, { title: 'A class', budget: null, budgetVersion: 1 })],
    ['neither', 0, 0, () => []],
  ])('are settled if no participant was counted: with %s', async (_, lastVersion, budgetVersion, lateFacts) => {
    const { organizationId, accountId } = await fixture.organization();
    const sid = `RM_${randomUUID()}`;
    const room = { organizationId, sid, roomId: `room-of-${sid}` };
    const at = new Date(fixture.clock.at).toISOString();
    const totals = { connections: 0, totalSeconds: 0, versionSum: 0, lastVersion, budgetVersion };
    await fixture.fold(
      envelopeOf(roomFinished, sid, { ...room, title: 'A class', startedAt: null, endedAt: at, reason: 'deleted', ...totals }),
    );
    await fixture.foldAll(lateFacts({ ...room, verifiedAt: at, updatedAt: at }));
    await fixture.rollUp.execute([accountId]);
    expect(await fixture.meters.hasUnsettled(organizationId)).toBe(false);
    expect(await fixture.meter(sid)).toEqual(
      lastVersion + budgetVersion > 0 ? { charged: 0, sequence: 0, isSettled: true, isDue: false } : undefined,
    );
  });

  it('are read only after their facts are late, and only once', async () => {
    const { organizationId } = await fixture.organization();
    fixture.clock.at += 61_000;
    await finishedRooms.run();
    const { sid } = taught(organizationId, 'fresh');
    await finishedRooms.run();
    fixture.clock.at += 30_000;
    await finishedRooms.run();
    expect(asked).toHaveLength(1);
    expect(await fixture.meter(sid)).toBeUndefined();
    fixture.clock.at += 31_000;
    await finishedRooms.run();
    expect(await fixture.meter(sid)).toBeDefined();
  });

  it('are all found, even if they exceed a page or the process was killed meanwhile', async () => {
    const { organizationId } = await fixture.organization();
    const sids = Array.from({ length: 450 }, (_, n) => taught(organizationId, `many-${String(n).padStart(3, '0')}`).sid);
    fixture.clock.at += 61_000;
    await finishedRooms.run();
    fixture.database.fate = () => 'dies-before-commit';
    await expect(finishedRooms.run()).rejects.toThrow();
    fixture.database.fate = () => 'lives';
    finishedRooms = restarted();
    for (let turn = 0; turn < 3; turn++) await finishedRooms.run();
    const known = { sid: In(sids), finishedAt: Not(IsNull()) };
    expect(await fixture.dataSource.manager.countBy(RoomMeterEntity, known)).toBe(450);
    // The next read begins shortly before the end of this one.
    fixture.clock.at += 61_000;
    asked = [];
    await finishedRooms.run();
    expect(Date.parse(asked[0]?.after ?? '')).toBeGreaterThan(fixture.clock.at - 5 * 60_000);
  });
});
