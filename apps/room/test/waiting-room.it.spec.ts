import { changeRoom, decideAdmission, getAdmission, listWaiting, participantAdmission, removeParticipant } from '@classroom/contracts';
import { eventually } from '@classroom/testing';
import { RoomFixture, refusal, type NewRoom } from './support/room-fixture.js';

/** Longer than a page that does not ask stays in the waiting room, in milliseconds. */
const ABSENCE_MS = 80_000;

/** Kills the room service, makes LiveKit unreachable, and lets time pass. */
describe('the waiting room', () => {
  let fixture: RoomFixture;

  beforeAll(async () => {
    fixture = await RoomFixture.start();
  });
  afterAll(() => fixture?.stop());

  const published = async ({ sid }: NewRoom) => (await fixture.facts(participantAdmission, sid)).map(({ uid, state }) => `${uid} ${state}`);
  const admit = ({ roomId }: NewRoom, uid: string) => fixture.asBackend(decideAdmission, { roomId, uid, decision: 'ADMIT' });
  const waiting = async ({ roomId }: NewRoom) => (await fixture.asBackend(listWaiting, { roomId })).participants.map(({ uid }) => uid);

  it('survives a crash after a decision, which is published once', async () => {
    const room = await fixture.newRoom({ waitingRoom: 'STUDENTS' });
    const ada = await fixture.member(room, 'ada-1');
    expect(ada.session.admission?.state).toBe('WAITING');
    const app = fixture.stack.app('room');
    await app.restart({ FAILPOINTS: 'room.admission.after-commit=crash' });
    await fixture.diesOf(admit(room, 'ada-1'));
    await app.restart();
    // The caller repeats what was not answered.
    expect(await admit(room, 'ada-1')).toEqual({ uid: 'ada-1', state: 'ADMITTED' });
    expect((await ada.act(getAdmission, {})).state).toBe('ADMITTED');
    await eventually(async () => expect(await published(room)).toEqual(['ada-1 WAITING', 'ada-1 ADMITTED']));
    await (await fixture.member(room, 'ada-1')).connect();
  });

  it('evicts a token from before it opened as soon as LiveKit is reachable, and keeps who was there', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [, present] = people;
    const late = await fixture.member(room, 'late');
    await fixture.livekit.faults({ api: { mode: 'unavailable', methods: ['RemoveParticipant', 'ListParticipants'] } });
    await fixture.asBackend(changeRoom, { roomId: room.roomId, change: { settings: { waitingRoom: 'STUDENTS' } } });
    await late.connect();
    await fixture.livekit.clearFaults();
    await eventually(async () => expect(await late.inLiveKit()).toBeUndefined());
    expect(await present.inLiveKit()).toBeDefined();
    expect(await refusal(late.state())).toBe('UNAUTHORIZED');
    await admit(room, 'late');
    await late.connect();
    await eventually(async () => expect(await late.inLiveKit()).toBeDefined());
    await fixture.asBackend(removeParticipant, { roomId: room.roomId, uid: 'late' });
    expect((await fixture.member(room, 'late')).session.admission?.state).toBe('WAITING');
  });

  it('forgets a page that no longer asks, and announces it again when it is back', async () => {
    const room = await fixture.newRoom({ waitingRoom: 'STUDENTS' });
    const [ada, bob] = [await fixture.member(room, 'ada-1'), await fixture.member(room, 'bob-1')];
    expect(await waiting(room)).toEqual(['ada-1', 'bob-1']);
    await fixture.age(room.sid, ABSENCE_MS / 1000, 'participants.waiting_seen_at', 'ada-1');
    expect(await waiting(room)).toEqual(['bob-1']);
    expect((await ada.act(getAdmission, {})).state).toBe('WAITING');
    expect(await waiting(room)).toEqual(['ada-1', 'bob-1']);
    await fixture.age(room.sid, ABSENCE_MS / 1000, 'participants.waiting_seen_at', 'bob-1');
    await fixture.member(room, 'bob-1');
    // Its older session is replaced.
    expect(await refusal(bob.act(getAdmission, {}))).toBe('UNAUTHORIZED');
    await eventually(async () => expect(await published(room)).toEqual(['ada-1 WAITING', 'bob-1 WAITING', 'bob-1 WAITING']));
  });
});
