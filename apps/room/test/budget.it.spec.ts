import {
  changeRoom,
  getRoomSummary,
  roomBudgetReached,
  roomCreated,
  roomFinished,
  roomStarted,
  roomUpdated,
  type RoomBudget,
  type RpcInput,
} from '@classroom/contracts';
import { byForm, eventually, publishFact } from '@classroom/testing';
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
  const reach = ({ sid, roomId }: NewRoom, percent: number, budget: RoomBudget, budgetVersion = 0) => {
    const { organizationId } = fixture;
    const data = { organizationId, sid, roomId, percent, credits: percent, budget, budgetVersion };
    return publishFact(fixture.stack, roomBudgetReached, sid, data);
  };

  type Settings = RpcInput<typeof changeRoom>['change']['settings'];
  const change = ({ roomId }: NewRoom, settings: Settings) => fixture.asBackend(changeRoom, { roomId, change: { settings } });

  it('states it in its facts and its summary', async () => {
    const budget = { maxCredits: 100, onReached: 'warn' } as const;
    const { room } = await classWith(budget);
    for (const contract of [roomCreated, roomStarted])
      await eventually(async () => expect(await fixture.facts(contract, room.sid)).toMatchObject([{ budget }]));
    expect(await fixture.asBackend(getRoomSummary, { roomId: room.roomId })).toMatchObject({ budget });
  });

  it('ends once when it is used up, wherever the service is killed', async () => {
    const budget = { maxCredits: 100, onReached: 'endClass' } as const;
    const { room } = await classWith(budget);
    await reach(room, 80, budget);
    const app = fixture.stack.app('room');
    await app.stop();
    await reach(room, 100, budget);
    for (const failpoint of byForm({
      short: ['room.budget.before-commit'],
      long: ['room.budget.before-commit', 'room.budget.after-commit'],
    })) {
      app.launch({ FAILPOINTS: `${failpoint}=crash` });
      expect((await app.exited).signal).toBe('SIGKILL');
    }
    await app.start();
    await reach(room, 100, budget);
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ state: 'finished', media: 'closed', count: 0 }));
    await eventually(async () => expect(await fixture.facts(roomFinished, room.sid)).toMatchObject([{ reason: 'budget' }]));
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

  it('changes it in part, and publishes each budget with its version', async () => {
    const { room } = await classWith({ maxCredits: 100, onReached: 'closeDoors' });
    expect(await change(room, { budget: { maxCredits: 200 } })).toMatchObject({ budget: { maxCredits: 200, onReached: 'closeDoors' } });
    expect(await change(room, { budget: { maxCredits: 200 }, autoRecord: false })).toMatchObject({ budget: { maxCredits: 200 } });
    expect(await change(room, { budget: { onReached: 'endClass' } })).toMatchObject({ budget: { maxCredits: 200, onReached: 'endClass' } });
    expect(await change(room, { budget: null })).toMatchObject({ budget: null });
    expect(await refusal(change(room, { budget: { onReached: 'warn' } }))).toBe('VALIDATION_FAILED settings.budget.maxCredits');
    expect(await change(room, { budget: { maxCredits: 5 } })).toMatchObject({ budget: { maxCredits: 5, onReached: 'warn' } });
    const budgets = async () => (await fixture.facts(roomUpdated, room.sid)).map(({ budget, budgetVersion }) => [budgetVersion, budget]);
    const published = [
      [1, { maxCredits: 200, onReached: 'closeDoors' }],
      [undefined, undefined],
      [2, { maxCredits: 200, onReached: 'endClass' }],
      [3, null],
      [4, { maxCredits: 5, onReached: 'warn' }],
    ];
    await eventually(async () => expect(await budgets()).toEqual(published));
  });

  it('opens its doors again if the budget is raised, and is not ended by the budget from before', async () => {
    const budget = { maxCredits: 100, onReached: 'closeDoors' } as const;
    const { room } = await classWith(budget);
    await reach(room, 100, budget);
    await eventually(async () => expect(await refusal(fixture.join(room, 'late'))).toBe('ROOM_FULL'));
    await change(room, { budget: { maxCredits: 90 } });
    expect(await refusal(fixture.join(room, 'late'))).toBe('ROOM_FULL');
    await change(room, { budget: { maxCredits: 200 } });
    expect(await fixture.join(room, 'late')).toEqual(expect.any(String));
    await reach(room, 100, { ...budget, onReached: 'endClass' }, 1);
    await reach(room, 100, { ...budget, maxCredits: 200 }, 2);
    await eventually(async () => expect(await refusal(fixture.join(room, 'later'))).toBe('ROOM_FULL'));
    expect(await fixture.state(room.sid)).toMatchObject({ state: 'live' });
  });
});
