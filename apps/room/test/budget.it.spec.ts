import { getRoomSummary, roomBudgetReached, roomCreated, roomFinished, roomStarted, type RoomBudget } from '@classroom/contracts';
import { eventually, publishFact } from '@classroom/testing';
import { ClassMember } from './support/class-member.js';
import { refusal, RoomFixture, type NewRoom } from './support/room-fixture.js';

/** Kills the room service. */
describe('a class with a budget', () => {
  let fixture: RoomFixture;
  beforeAll(async () => {
    fixture = await RoomFixture.start();
  });
  afterAll(() => fixture?.stop());

  const classWith = (budget: RoomBudget) => fixture.classOf(['TEACHER', 'STUDENT'], { budget });

  /** As billing publishes it. */
  const reach = ({ sid, roomId }: NewRoom, percent: number, budget: RoomBudget) => {
    const { organizationId } = fixture;
    return publishFact(fixture.stack, roomBudgetReached, sid, { organizationId, sid, roomId, percent, credits: percent, budget });
  };

  it('states it in its facts and its summary', async () => {
    const budget = { maxCredits: 100, onReached: 'warn' } as const;
    const { room } = await classWith(budget);
    for (const contract of [roomCreated, roomStarted]) expect(await fixture.facts(contract, room.sid)).toMatchObject([{ budget }]);
    expect(await fixture.asBackend(getRoomSummary, { roomId: room.roomId })).toMatchObject({ budget });
  });

  it('ends once when it is used up, wherever the service is killed', async () => {
    const budget = { maxCredits: 100, onReached: 'endClass' } as const;
    const { room } = await classWith(budget);
    await reach(room, 80, budget);
    const app = fixture.stack.app('room');
    await app.stop();
    await reach(room, 100, budget);
    for (const failpoint of ['room.budget.before-commit', 'room.budget.after-commit']) {
      app.launch({ FAILPOINTS: `${failpoint}=crash` });
      expect((await app.exited).signal).toBe('SIGKILL');
    }
    await app.start();
    await reach(room, 100, budget);
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ state: 'finished', media: 'closed', count: 0 }));
    expect(await fixture.facts(roomFinished, room.sid)).toMatchObject([{ reason: 'budget' }]);
    expect(await fixture.isInLiveKit(room.sid)).toBe(false);
  });

  it('lets only those in who were in class before, if the budget closes its doors', async () => {
    const budget = { maxCredits: 100, onReached: 'closeDoors' } as const;
    const { room, people } = await classWith(budget);
    const early = await fixture.join(room, 'early');
    await reach(room, 100, budget);
    await eventually(async () => expect(await refusal(fixture.join(room, 'late'))).toBe('ROOM_FULL'));
    expect(await refusal(ClassMember.open(fixture, room, 'early', early))).toBe('ROOM_FULL');
    await people[1].leave();
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ state: 'live', count: 1 }));
    expect(await fixture.join(room, people[1].uid)).toEqual(expect.any(String));
  });
});
