/// <reference types="jest" />
import { eventually } from '../../eventually.js';
import { type ConformanceFixture, kind, reason, state } from './fixture.js';

const attributes = { role: 'teacher', issuedAt: '1700000000' };

export function describePresence(fixture: ConformanceFixture): void {
  const leftOf = (room: string, sid: string) =>
    fixture.inbox.waitFor(room, ({ event, participant }) => event === 'participant_left' && participant?.sid === sid);

  describe('presence', () => {
    it('sends room_started at createRoom, before a participant joined', async () => {
      const name = fixture.newName();
      const { sid } = await fixture.api.createRoom({ name, emptyTimeout: 600, metadata: 'm' });
      const { event, room, participant } = await fixture.inbox.waitFor(name, () => true);
      expect([event, participant]).toEqual(['room_started', undefined]);
      expect(room).toMatchObject({ sid, name, metadata: 'm', emptyTimeout: 600 });
    });

    it('sends joined and left with the same sid, identity, attributes and joinedAt, in whole seconds', async () => {
      const room = await fixture.newRoom();
      const before = Date.now();
      const person = await fixture.join(room, 'u-1', { name: 'Ann', attributes, metadata: 'md' });
      const joined = await fixture.joinedOf(room, person.sid);
      await person.leave();
      const left = await leftOf(room, person.sid);

      expect(person.sid).toMatch(/^PA_\w{12}$/);
      expect(joined.participant).toMatchObject({
        identity: 'u-1',
        name: 'Ann',
        attributes,
        metadata: 'md',
        state: state.active,
        kind: kind.standard,
      });
      expect(left.participant).toMatchObject({
        identity: 'u-1',
        attributes,
        state: state.disconnected,
        disconnectReason: reason.clientInitiated,
      });
      expect(left.participant?.joinedAtMs).toBe(joined.participant?.joinedAtMs);
      const { joinedAt = 0n, joinedAtMs = 0n } = joined.participant ?? {};
      expect(joinedAt).toBe(joinedAtMs / 1000n);
      expect(Math.abs(Number(joinedAtMs) - before)).toBeLessThan(60_000);
      for (const event of [joined, left]) {
        expect(event.id).toMatch(/^EV_\w{12}$/);
        expect(Math.abs(Number(event.createdAt) - Date.now() / 1000)).toBeLessThan(60);
        expect(event.room?.name).toBe(room);
      }
      expect(joined.id).not.toBe(left.id);
    });

    it('lists connected participants as ACTIVE, with the data of their tokens', async () => {
      const room = await fixture.newRoom();
      const [ann, bob] = [await fixture.join(room, 'ann', { attributes }), await fixture.join(room, 'bob')];
      const listed = await fixture.api.listParticipants(room);
      expect(new Map(listed.map((one) => [one.sid, Number(one.state)]))).toEqual(new Map([ann, bob].map(({ sid }) => [sid, state.active])));
      expect(await fixture.api.getParticipant(room, 'ann')).toMatchObject({ sid: ann.sid, attributes });
      await ann.leave();
      await leftOf(room, ann.sid);
      expect((await fixture.api.listParticipants(room)).map(({ sid }) => sid)).toEqual([bob.sid]);
      await bob.leave();
    });

    it('ends the older of two connections with one identity before it reports the newer', async () => {
      const room = await fixture.newRoom();
      const older = await fixture.join(room, 'twin');
      const newer = await fixture.join(room, 'twin');
      expect(newer.sid).not.toBe(older.sid);
      const events = fixture.inbox.of(room).slice(1);
      expect(events.map(({ event, participant }) => [event, participant?.sid, Number(participant?.disconnectReason)])).toEqual([
        ['participant_joined', older.sid, 0],
        ['participant_left', older.sid, reason.duplicateIdentity],
        ['participant_joined', newer.sid, 0],
      ]);
      await newer.leave();
    });

    it('removes a participant, who can join again with the same token', async () => {
      const room = await fixture.newRoom();
      const token = await fixture.token(room, 'kicked');
      const first = await fixture.connect(room, token);
      await fixture.api.removeParticipant(room, 'kicked', { revokeTokenTs: BigInt(Math.floor(Date.now() / 1000) + 60) });
      expect((await leftOf(room, first.sid)).participant?.disconnectReason).toBe(reason.participantRemoved);
      const again = await fixture.connect(room, token);
      expect(again.sid).not.toBe(first.sid);
      await again.leave();
    });

    it('changes permission, name and attributes of a connected participant', async () => {
      const room = await fixture.newRoom();
      const person = await fixture.join(room, 'u', { attributes });
      const permission = { canPublish: false, canSubscribe: true, canPublishData: true };
      await fixture.api.updateParticipant(room, 'u', { permission, name: 'Renamed', attributes: { role: '', hand: 'up' } });
      const [listed] = await fixture.api.listParticipants(room);
      expect(listed).toMatchObject({ sid: person.sid, name: 'Renamed', attributes: { issuedAt: '1700000000', hand: 'up' } });
      expect(listed?.permission).toMatchObject(permission);
      await person.leave();
    });

    it('ends all connections with ROOM_DELETED and then sends room_finished when a room is deleted', async () => {
      const room = await fixture.newRoom();
      const people = [await fixture.join(room, 'a'), await fixture.join(room, 'b')];
      await fixture.api.deleteRoom(room);
      await fixture.inbox.waitFor(room, ({ event }) => event === 'room_finished');
      const events = fixture.inbox.of(room).slice(-3);
      expect(events.map(({ event }) => event)).toEqual(['participant_left', 'participant_left', 'room_finished']);
      expect(
        events
          .slice(0, 2)
          .map(({ participant }) => participant?.sid)
          .sort(),
      ).toEqual(people.map(({ sid }) => sid).sort());
      expect(events.slice(0, 2).every(({ participant }) => Number(participant?.disconnectReason) === reason.roomDeleted)).toBe(true);
      expect(await fixture.api.listRooms([room])).toEqual([]);
    });

    it('closes departureTimeout after the last participant left, even if a recorder is connected', async () => {
      const room = await fixture.newRoom({ departureTimeout: 2 });
      const recorder = await fixture.join(room, 'EG_2', { kind: 'egress', grant: { hidden: true, recorder: true } });
      const person = await fixture.join(room, 'last');
      await person.leave();
      const finished = await fixture.inbox.waitFor(room, ({ event }) => event === 'room_finished');
      const left = await leftOf(room, person.sid);
      // In whole seconds of LiveKit's clock, in which it looks for empty rooms.
      expect(Number(finished.createdAt) - Number(left.createdAt)).toBeGreaterThanOrEqual(1);
      expect((await leftOf(room, recorder.sid)).participant?.disconnectReason).toBe(reason.roomClosed);
      // LiveKit sends the webhook before it removes the room from its list.
      await eventually(async () => expect(await fixture.api.listRooms([room])).toEqual([]));
    });

    it('sends only participant_connection_aborted for a connection whose media never started', async () => {
      const room = await fixture.newRoom();
      const signal = await fixture.subject.connectSignalOnly(await fixture.token(room, 'shy', { attributes }));
      const [listed] = await fixture.api.listParticipants(room);
      expect(listed).toMatchObject({ identity: 'shy', state: state.joined });
      await signal.leave();
      const { event, participant } = await fixture.inbox.waitFor(room, (one) => one.participant?.identity === 'shy');
      expect(event).toBe('participant_connection_aborted');
      expect(participant).toMatchObject({
        sid: listed?.sid,
        attributes,
        state: state.disconnected,
        disconnectReason: reason.signalClose,
        joinedAtMs: listed?.joinedAtMs,
      });
      expect(await fixture.api.listParticipants(room)).toEqual([]);
    });
  });
}
