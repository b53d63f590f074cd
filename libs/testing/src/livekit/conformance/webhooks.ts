/// <reference types="jest" />
import type { ConformanceFixture } from './fixture.js';

export function describeWebhooks(fixture: ConformanceFixture): void {
  describe('webhooks', () => {
    afterEach(() => {
      fixture.inbox.answer = () => 200;
    });
    const deliveries = (room: string) => fixture.inbox.received.filter(({ event }) => event.room?.name === room);

    it('carry a signature over the body and their own content type', async () => {
      const room = await fixture.newRoom();
      await fixture.inbox.waitFor(room, () => true);
      expect(deliveries(room)[0]?.contentType).toBe('application/webhook+json');
      expect(fixture.inbox.rejected).toEqual([]);
    });

    it('are retried a second after a 500, with the same id, while later ones of the room wait', async () => {
      fixture.inbox.answer = ({ event }, attempt) => (event === 'room_started' && attempt === 1 ? 500 : 200);
      const room = await fixture.newRoom();
      const person = await fixture.join(room, 'u');
      const attempts = deliveries(room);
      expect(attempts.map(({ event, status }) => [event.event, status])).toEqual([
        ['room_started', 500],
        ['room_started', 200],
        ['participant_joined', 200],
      ]);
      expect(attempts[1]?.event.id).toBe(attempts[0]?.event.id);
      const waited = (attempts[1]?.receivedAt ?? 0) - (attempts[0]?.receivedAt ?? 0);
      expect(waited).toBeGreaterThan(900);
      await person.leave();
    });

    it('are not retried after a 400, and the next one is sent', async () => {
      fixture.inbox.answer = ({ event }) => (event === 'room_started' ? 400 : 200);
      const room = await fixture.newRoom();
      const person = await fixture.join(room, 'u');
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(deliveries(room).map(({ event, status }) => [event.event, status])).toEqual([
        ['room_started', 400],
        ['participant_joined', 200],
      ]);
      await person.leave();
    });

    it("of one room don't wait for those of another", async () => {
      const slow = fixture.newName();
      fixture.inbox.answer = ({ room }, attempt) => (room?.name === slow && attempt === 1 ? 500 : 200);
      await fixture.api.createRoom({ name: slow, emptyTimeout: 600 });
      const quick = await fixture.newRoom();
      await fixture.inbox.waitFor(quick, () => true, 900);
      await fixture.inbox.waitFor(slow, () => true, 3_000);
    });
  });
}
