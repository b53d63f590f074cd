/// <reference types="jest" />
import { DataPacket_Kind, RoomServiceClient } from 'livekit-server-sdk';
import type { Bench } from './bench.js';

export function describeRooms(bench: Bench): void {
  describe('rooms', () => {
    it('creates a room once: a second call returns the same sid and changes nothing', async () => {
      const name = bench.newName();
      const first = await bench.api.createRoom({ name, emptyTimeout: 600, departureTimeout: 60, maxParticipants: 3, metadata: 'one' });
      const second = await bench.api.createRoom({ name, emptyTimeout: 100, departureTimeout: 10, maxParticipants: 9, metadata: 'two' });
      expect(first.sid).toMatch(/^RM_\w{12}$/);
      expect(second.sid).toBe(first.sid);
      expect(second).toMatchObject({
        name,
        emptyTimeout: 600,
        departureTimeout: 60,
        maxParticipants: 3,
        metadata: 'one',
        numParticipants: 0,
      });
      expect(Math.abs(Number(first.creationTimeMs) - Date.now())).toBeLessThan(5_000);
    });

    it('uses its own default for a timeout of zero', async () => {
      const name = bench.newName();
      const room = await bench.api.createRoom({ name, emptyTimeout: 0, departureTimeout: 0 });
      expect(room).toMatchObject({ emptyTimeout: 300, departureTimeout: 20 });
    });

    it('lists by names and leaves out unknown ones', async () => {
      const [one, two] = [await bench.newRoom(), await bench.newRoom()];
      const listed = await bench.api.listRooms([one, 'no-such-room', two]);
      expect(listed.map(({ name }) => name).sort()).toEqual([one, two].sort());
      expect(await bench.api.listRooms(['no-such-room'])).toEqual([]);
      expect((await bench.api.listRooms()).map(({ name }) => name)).toEqual(expect.arrayContaining([one, two]));
    });

    it('sets metadata on request', async () => {
      const name = await bench.newRoom({ metadata: 'before' });
      expect((await bench.api.updateRoomMetadata(name, 'after')).metadata).toBe('after');
    });

    it('answers an unknown room with 404 from its records, and with 503 after 3 s if it asks the node', async () => {
      const none = bench.newName();
      const { api } = bench;
      const started = Date.now();
      const codes = await Promise.all([
        bench.refusal(api.deleteRoom(none)),
        bench.refusal(api.removeParticipant(none, 'a')),
        bench.refusal(api.updateParticipant(none, 'a', { metadata: 'm' })),
        bench.refusal(api.updateRoomMetadata(none, 'm')),
        bench.refusal(api.listParticipants(none)),
        bench.refusal(api.getParticipant(none, 'a')),
        bench.refusal(api.mutePublishedTrack(none, 'a', 'TR_none', true)),
        bench.refusal(api.updateSubscriptions(none, 'a', ['TR_none'], true)),
        bench.refusal(api.sendData(none, new Uint8Array([1]), DataPacket_Kind.RELIABLE, {})),
      ]);
      const [notFound, unavailable] = [
        [404, 'not_found'],
        [503, 'unavailable'],
      ];
      expect(codes).toEqual([...Array(4).fill(notFound), ...Array(5).fill(unavailable)]);
      expect(Date.now() - started).toBeGreaterThan(2_500);
    });

    it('answers an unknown participant of a known room with 404', async () => {
      const room = await bench.newRoom();
      const { api } = bench;
      expect(await bench.refusal(api.getParticipant(room, 'nobody'))).toEqual([404, 'not_found']);
      expect(await bench.refusal(api.removeParticipant(room, 'nobody'))).toEqual([404, 'not_found']);
      expect(await bench.refusal(api.updateParticipant(room, 'nobody', { metadata: 'm' }))).toEqual([404, 'not_found']);
    });

    it('refuses every unauthorized caller with 401: no Twirp code for a bad signature, unauthenticated for a missing grant', async () => {
      const { url, apiKey } = bench.subject;
      const forger = new RoomServiceClient(url, apiKey, 'another-secret-of-32-characters-or-more');
      const stranger = new RoomServiceClient(url, 'no-such-key', 'another-secret-of-32-characters-or-more');
      expect(await bench.refusal(forger.listRooms())).toEqual([401, undefined]);
      expect(await bench.refusal(stranger.listRooms())).toEqual([401, undefined]);

      const headers = { 'content-type': 'application/json', authorization: `Bearer ${await bench.token('r', 'a')}` };
      const answer = await fetch(`${url}/twirp/livekit.RoomService/ListRooms`, { method: 'POST', headers, body: '{}' });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toEqual({ code: 'unauthenticated', msg: 'permissions denied' });
    });

    it('answers OK at its root, and sends the time in every answer', async () => {
      const answer = await fetch(`${bench.subject.url}/`);
      expect([answer.status, await answer.text()]).toEqual([200, 'OK']);
      expect(Math.abs(Date.parse(answer.headers.get('date') ?? '') - Date.now())).toBeLessThan(3_000);
    });
  });
}
