/// <reference types="jest" />
import { type ConformanceFixture, reason } from './fixture.js';

/** Runs last, because it ends every connection. `begin` starts the crash early, because LiveKit takes 20 s to notice it. */
export function describeFaults(fixture: ConformanceFixture): { begin(): Promise<void> } {
  let crashed: { room: string; sid: string; at: number } | undefined;

  describe('faults', () => {
    it('reports a crashed participant as left after about 20 s, and lists it until then', async () => {
      if (!crashed) throw new Error('begin() was not called');
      const { room, sid, at } = crashed;
      const left = await fixture.inbox.waitFor(room, ({ event }) => event === 'participant_left', 30_000);
      expect(left.participant).toMatchObject({ sid, disconnectReason: reason.connectionTimeout });
      const noticedAfter = Number(left.createdAt) - at / 1000;
      expect(noticedAfter).toBeGreaterThan(10);
      expect(noticedAfter).toBeLessThan(30);
    });

    it('keeps its records after a node is lost, answers 503 until the room is placed again, and never sends left', async () => {
      const placed = await fixture.newRoom();
      const deleted = await fixture.newRoom();
      const sid = (await fixture.api.listRooms([placed]))[0]?.sid;
      const person = await fixture.join(placed, 'lost');

      await fixture.subject.loseNode();
      expect((await fixture.api.listRooms([placed]))[0]?.sid).toBe(sid);
      const refusals = await Promise.all([
        fixture.refusal(fixture.api.listParticipants(deleted)),
        fixture.refusal(fixture.api.deleteRoom(deleted)),
        fixture.refusal(fixture.api.removeParticipant(placed, 'lost')),
      ]);
      expect(refusals).toEqual(Array(3).fill([503, 'unavailable']));

      const again = await createUntilPlaced(fixture, deleted);
      expect(again).toMatchObject({ metadata: 'placed again', departureTimeout: 77 });
      expect(await fixture.api.listParticipants(deleted)).toEqual([]);
      const [first] = fixture.inbox.of(deleted);
      const second = await fixture.inbox.waitFor(deleted, ({ id }) => id !== first?.id);
      expect([first, second].map((one) => [one?.event, one?.room?.sid])).toEqual(Array(2).fill(['room_started', again.sid]));
      await fixture.api.deleteRoom(deleted);

      // A join places its room without a createRoom call.
      const newcomer = await fixture.join(placed, 'newcomer');
      const listed = await fixture.api.listParticipants(placed);
      expect(listed.map((one) => one.sid)).toContain(newcomer.sid);
      expect(listed.map((one) => one.sid)).not.toContain(person.sid);
      const ended = fixture.inbox
        .of(placed)
        .filter(({ event, participant }) => event === 'participant_left' && participant?.sid === person.sid);
      expect(ended).toEqual([]);
    });
  });

  return {
    async begin() {
      const room = await fixture.newRoom();
      // LiveKit forgets a participant immediately whose connection breaks before it is ACTIVE.
      const sid = await fixture.subject.connectAndCrash(await fixture.token(room, 'crashed'), (joined) => fixture.joinedOf(room, joined));
      crashed = { room, sid, at: Date.now() };
      expect((await fixture.api.listParticipants(room)).map((one) => one.sid)).toEqual([sid]);
    },
  };
}

/** The dead node counts as available for up to 5 s, and each attempt in that time takes 3 s. */
async function createUntilPlaced(fixture: ConformanceFixture, name: string) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fixture.api.createRoom({ name, metadata: 'placed again', departureTimeout: 77 });
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}
