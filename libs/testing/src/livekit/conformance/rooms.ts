/// <reference types="jest" />
import {
  CreateRoomRequest,
  ListParticipantsRequest,
  ListParticipantsResponse,
  ListRoomsRequest,
  ListRoomsResponse,
  Room,
  SendDataRequest,
} from '@livekit/protocol';
import { DataPacket_Kind, RoomServiceClient } from 'livekit-server-sdk';
import { eventually } from '../../eventually.js';
import { type ConformanceFixture, encode } from './fixture.js';

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

    it('accepts protobuf and answers with it, and with JSON for an error', async () => {
      const name = fixture.newName();
      const authorization = `Bearer ${await fixture.token(name, 'a', { grant: { roomCreate: true, roomList: true, roomAdmin: true } })}`;
      const post = async (method: string, request: { toBinary(): Uint8Array }) => {
        const headers = { 'content-type': 'application/protobuf', authorization };
        const url = `${fixture.subject.url}/twirp/livekit.RoomService/${method}`;
        const answer = await fetch(url, { method: 'POST', headers, body: Buffer.from(request.toBinary()) });
        return { type: answer.headers.get('content-type'), status: answer.status, body: new Uint8Array(await answer.arrayBuffer()) };
      };
      const created = await post(
        'CreateRoom',
        new CreateRoomRequest({ name, emptyTimeout: 600, departureTimeout: 60, maxParticipants: 3 }),
      );
      expect(created).toMatchObject({ type: 'application/protobuf', status: 200 });
      expect(Room.fromBinary(created.body)).toMatchObject({ name, emptyTimeout: 600, departureTimeout: 60, maxParticipants: 3 });
      const rooms = ListRoomsResponse.fromBinary((await post('ListRooms', new ListRoomsRequest({ names: [name] }))).body);
      expect(rooms).toEqual(new ListRoomsResponse({ rooms: await fixture.api.listRooms([name]) }));

      const person = await fixture.join(name, 'ann', { attributes: { role: 'TEACHER' } });
      await eventually(async () => {
        const { body } = await post('ListParticipants', new ListParticipantsRequest({ room: name }));
        const { participants } = ListParticipantsResponse.fromBinary(body);
        expect(participants).toEqual(await fixture.api.listParticipants(name));
        expect(participants.map(({ identity, attributes }) => [identity, attributes['role']])).toEqual([['ann', 'TEACHER']]);
      });
      const data = new SendDataRequest({ room: name, data: encode('one'), kind: DataPacket_Kind.RELIABLE, topic: 'class' });
      await eventually(async () => {
        expect((await post('SendData', data)).status).toBe(200);
        expect(await person.packets()).toContain('class: one');
      });
      await person.leave();

      const refused = await post('ListParticipants', new ListParticipantsRequest({ room: 'another' }));
      expect(refused).toMatchObject({ type: 'application/json', status: 401 });
      expect(JSON.parse(new TextDecoder().decode(refused.body))).toEqual({ code: 'unauthenticated', msg: 'permissions denied' });
    });

    it('answers OK at its root, and sends the time in every answer', async () => {
      const answer = await fetch(`${fixture.subject.url}/`);
      expect([answer.status, await answer.text()]).toEqual([200, 'OK']);
      expect(Math.abs(Date.parse(answer.headers.get('date') ?? '') - Date.now())).toBeLessThan(60_000);
    });
  });
}
