import { answerConsent, changeRoom, listConsents, roomRpc } from '@classroom/contracts';
import { eventually, inLongForm } from '@classroom/testing';
import { RoomFixture } from './support/room-fixture.js';

const RECORDING = { ask: 'join', without: 'mute', version: '1', text: 'May this class be recorded?' } as const;

/** Kills the room service, and makes LiveKit unreachable. */
describe('an answer to a question for consent', () => {
  let fixture: RoomFixture;

  beforeAll(async () => {
    fixture = await RoomFixture.start();
  });
  afterAll(() => fixture?.stop());

  /** A class whose moderator has granted consent and publishes. */
  async function consenting() {
    const { room, people } = await fixture.classOf(['TEACHER', 'MODERATOR']);
    const [, moderator] = people;
    await fixture.asBackend(changeRoom, { roomId: room.roomId, change: { settings: { consent: { recording: RECORDING } } } });
    const answer = (granted: boolean) => moderator.act(answerConsent, { purpose: 'recording', version: '1', granted });
    await answer(true);
    await eventually(async () => expect((await moderator.inLiveKit())?.permission?.canPublish).toBe(true));
    const records = async () =>
      (await fixture.asBackend(listConsents, { roomId: room.roomId, limit: 10 })).consents.map(({ granted }) => granted);
    const isMuted = () => eventually(async () => expect((await moderator.inLiveKit())?.permission?.canPublish).toBe(false));
    return { room, answer, records, isMuted };
  }

  it('survives a crash before LiveKit knows of it', async () => {
    const { answer, records, isMuted } = await consenting();
    const app = fixture.stack.app('room');
    await app.restart({ FAILPOINTS: 'room.consent.after-commit=crash' });
    await fixture.diesOf(answer(false));
    await app.restart();
    await isMuted();
    expect(await records()).toEqual([true, false]);
    // The client repeats what was not answered.
    expect((await answer(false)).state).toBe('REFUSED');
    expect(await records()).toEqual([true, false]);
  });

  it('is applied by a list if LiveKit was unreachable', async () => {
    const { answer, isMuted } = await consenting();
    await fixture.livekit.faults({ api: { mode: 'unavailable', methods: ['UpdateParticipant'] } });
    expect((await answer(false)).state).toBe('REFUSED');
    await fixture.livekit.clearFaults();
    await isMuted();
  });

  inLongForm(it)('counts in a recording that starts or ends while the service restarts', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'MODERATOR']);
    const [, moderator] = people;
    const recording = { ...RECORDING, ask: 'recording' } as const;
    await fixture.asBackend(changeRoom, { roomId: room.roomId, change: { settings: { consent: { recording } } } });
    const note = (status: string, version: number) =>
      fixture.call(roomRpc.noteRecording, {
        sid: room.sid,
        egressId: 'EG_consent1',
        status,
        version,
        startedAt: new Date().toISOString(),
        isPaused: false,
      });
    await fixture.livekit.faults({ api: { mode: 'unavailable', methods: ['ListParticipants', 'UpdateParticipant'] } });
    await note('ACTIVE', 1);
    await fixture.stack.app('room').restart();
    await fixture.livekit.clearFaults();
    await eventually(async () => expect((await moderator.inLiveKit())?.permission?.canPublish).toBe(false));
    await note('ENDING', 2);
    await eventually(async () => expect((await moderator.inLiveKit())?.permission?.canPublish).toBe(true));
  });
});
