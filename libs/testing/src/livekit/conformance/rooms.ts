/// <reference types="jest" />
import { DataPacket_Kind, RoomServiceClient } from 'livekit-server-sdk';
import type { ConformanceFixture } from './fixture.js';

export function describeRooms(fixture: ConformanceFixture): void {
  describe('rooms', () => {
    it('creates a room once: a second call returns the same sid and changes nothing', async () => {
      const name = fixture.newName();
      const first = await fixture.api.createRoom({ name, emptyTimeout: 600, departureTimeout: 60, maxParticipants: 3, metadata: 'one' });
      const second = await fixture.api.createRoom({ name, emptyTimeout: 100, departureTimeout: 10, maxParticipants: 9, metadata: 'two' });
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
      expect(Math.abs(Number(first.creationTimeMs) - Date.now())).toBeLessThan(60_000);
    });

    it('uses its own default for a timeout of zero', async () => {
      const name = fixture.newName();
      const room = await fixture.api.createRoom({ name, emptyTimeout: 0, departureTimeout: 0 });
      expect(room).toMatchObject({ emptyTimeout: 300, departureTimeout: 20 });
    });

    it('lists by names and leaves out unknown ones', async () => {
      const [one, two] = [await fixture.newRoom(), await fixture.newRoom()];
      const listed = await fixture.api.listRooms([one, 'no-such-room', two]);
      expect(listed.map(({ name }) => name).sort()).toEqual([one, two].sort());
      expect(await fixture.api.listRooms(['no-such-room'])).toEqual([]);
      expect((await fixture.api.listRooms()).map(({ name }) => name)).toEqual(expect.arrayContaining([one, two]));
    });

    it('sets metadata on request', async () => {
      const name = await fixture.newRoom({ metadata: 'before' });
      expect((await fixture.api.updateRoomMetadata(name, 'after')).metadata).toBe('after');
    });

    it('answers an unknown room with 404 from its records, and with 503 after 3 s if it asks the node', async () => {
      const none = fixture.newName();
      const { api } = fixture;
      const started = Date.now();
      const codes = await Promise.all([
        fixture.refusal(api.deleteRoom(none)),
        fixture.refusal(api.removeParticipant(none, 'a')),
        fixture.refusal(api.updateParticipant(none, 'a', { metadata: 'm' })),
        fixture.refusal(api.updateRoomMetadata(none, 'm')),
        fixture.refusal(api.listParticipants(none)),
        fixture.refusal(api.getParticipant(none, 'a')),
        fixture.refusal(api.mutePublishedTrack(none, 'a', 'TR_none', true)),
        fixture.refusal(api.updateSubscriptions(none, 'a', ['TR_none'], true)),
        fixture.refusal(api.sendData(none, new Uint8Array([1]), DataPacket_Kind.RELIABLE, {})),
      ]);
      const [notFound, unavailable] = [
        [404, 'not_found'],
        [503, 'unavailable'],
      ];
      expect(codes).toEqual([...Array(4).fill(notFound), ...Array(5).fill(unavailable)]);
      expect(Date.now() - started).toBeGreaterThan(2_500);
    });

    it('answers an unknown participant of a known room with 404', async () => {
      const room = await fixture.newRoom();
      const { api } = fixture;
      expect(await fixture.refusal(api.getParticipant(room, 'unknown'))).toEqual([404, 'not_found']);
      expect(await fixture.refusal(api.removeParticipant(room, 'unknown'))).toEqual([404, 'not_found']);
      expect(await fixture.refusal(api.updateParticipant(room, 'unknown', { metadata: 'm' }))).toEqual([404, 'not_found']);
    });

    it('refuses every unauthorized caller with 401: no Twirp code for a bad signature, unauthenticated for a missing grant', async () => {
      const { url, apiKey } = fixture.subject;
      const forger = new RoomServiceClient(url, apiKey, 'another-secret-of-32-characters-or-more');
      const stranger = new RoomServiceClient(url, 'no-such-key', 'another-secret-of-32-characters-or-more');
      expect(await fixture.refusal(forger.listRooms())).toEqual([401, undefined]);
      expect(await fixture.refusal(stranger.listRooms())).toEqual([401, undefined]);

      const headers = { 'content-type': 'application/json', authorization: `Bearer ${await fixture.token('r', 'a')}` };
      const answer = await fetch(`${url}/twirp/livekit.RoomService/ListRooms`, { method: 'POST', headers, body: '{}' });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toEqual({ code: 'unauthenticated', msg: 'permissions denied' });
    });

    it('answers OK at its root, and sends the time in every answer', async () => {
      const answer = await fetch(`${fixture.subject.url}/`);
      expect([answer.status, await answer.text()]).toEqual([200, 'OK']);
      expect(Math.abs(Date.parse(answer.headers.get('date') ?? '') - Date.now())).toBeLessThan(60_000);
    });
  });
}
