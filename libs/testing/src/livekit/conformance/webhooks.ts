/// <reference types="jest" />
import type { Bench } from './bench.js';

export function describeWebhooks(bench: Bench): void {
  describe('webhooks', () => {
    afterEach(() => {
      bench.inbox.answer = () => 200;
    });
    const deliveries = (room: string) => bench.inbox.received.filter(({ event }) => event.room?.name === room);

    it('carry a signature over the body and their own content type', async () => {
      const room = await bench.newRoom();
      await bench.inbox.waitFor(room, () => true);
      expect(deliveries(room)[0]?.contentType).toBe('application/webhook+json');
      expect(bench.inbox.rejected).toEqual([]);
    });

    it('are retried a second after a 500, with the same id, while later ones of the room wait', async () => {
      bench.inbox.answer = ({ event }, attempt) => (event === 'room_started' && attempt === 1 ? 500 : 200);
      const room = await bench.newRoom();
      const person = await bench.join(room, 'u');
      await bench.inbox.waitFor(room, ({ event }) => event === 'participant_joined');
      const told = deliveries(room);
      expect(told.map(({ event, status }) => [event.event, status])).toEqual([
        ['room_started', 500],
        ['room_started', 200],
        ['participant_joined', 200],
      ]);
      expect(told[1]?.event.id).toBe(told[0]?.event.id);
      const waited = (told[1]?.receivedAt ?? 0) - (told[0]?.receivedAt ?? 0);
      expect(waited).toBeGreaterThan(900);
      expect(waited).toBeLessThan(2_000);
      await person.leave();
    });

    it('are not retried after a 400, and the next one is sent', async () => {
      bench.inbox.answer = ({ event }) => (event === 'room_started' ? 400 : 200);
      const room = await bench.newRoom();
      const person = await bench.join(room, 'u');
      await bench.inbox.waitFor(room, ({ event }) => event === 'participant_joined');
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(deliveries(room).map(({ event, status }) => [event.event, status])).toEqual([
        ['room_started', 400],
        ['participant_joined', 200],
      ]);
      await person.leave();
    });

    it("of one room don't wait for those of another", async () => {
      const slow = bench.newName();
      bench.inbox.answer = ({ room }, attempt) => (room?.name === slow && attempt === 1 ? 500 : 200);
      await bench.api.createRoom({ name: slow, emptyTimeout: 600 });
      const quick = await bench.newRoom();
      await bench.inbox.waitFor(quick, () => true, 900);
      await bench.inbox.waitFor(slow, () => true, 3_000);
    });
  });
}
