import { randomUUID } from 'node:crypto';
import {
  connectionsOf,
  eventually,
  expectPresenceInvariants,
  expectTruth,
  inLongForm,
  liveKitAdmin,
  liveKitRoomNames,
  newRoom,
  person,
  postWebhook,
  roomState,
  sleep,
} from '@classroom/testing';
import { CLASS_APPS, PASS_MS, PERIOD_S, startChaosStack, type ChaosStack } from './support.js';

/**
 * Tolerance for ends that are known only from participant lists: a connection ends at the last list that contained it. Allows two periods
 * for a busy machine.
 */
const BY_LISTS = { earlySeconds: 2 * PERIOD_S, lateSeconds: 0 };

/** LiveKit treats a dead node as alive for 5 s, listing its rooms hangs for 3 s, and the reconciler retries a room without an answer after 3 s. */
const NODE_LOST_MS = 11_000;

/** Wrong reports of LiveKit, and events that it does not report. */
describe('presence', () => {
  let chaos: ChaosStack;
  beforeAll(async () => {
    chaos = await startChaosStack({ apps: CLASS_APPS });
  });
  afterEach(async () => {
    await chaos.livekit.clearFaults();
    await expectPresenceInvariants(chaos.stack);
  });
  afterAll(() => chaos?.stop());

  const enter = (room: string, identity: string) => chaos.livekit.connect({ room, identity, attributes: { role: 'STUDENT' } });
  const known = (sid: string) => eventually(() => expectTruth(chaos.stack, chaos.livekit, sid));

  const room = (sid: string) => roomState(chaos.stack, sid);
  const verified = (sid: string) =>
    eventually(async () => {
      const { verifiedAt } = await room(sid);
      expect(verifiedAt).not.toBeNull();
      return verifiedAt;
    });

  inLongForm(it)(
    'closes no connection and verifies nothing while LiveKit’s API is unreachable',
    async () => {
      const { livekit } = chaos;
      const { sid } = await newRoom(chaos.api);
      await enter(sid, 'ada');
      await enter(sid, 'bob');
      await known(sid);
      await verified(sid);
      await livekit.faults({ api: { mode: 'unavailable' } });
      // A list that was requested before may still arrive.
      await sleep(500);
      const before = await room(sid);
      await sleep(PASS_MS);
      await livekit.faults({ api: { mode: 'refuse' } });
      await sleep(PASS_MS);
      await livekit.faults({ api: { mode: 'up' }, lists: { mode: 'unavailable' } });
      await sleep(PASS_MS + 3_000);
      expect(await room(sid)).toEqual(before);
      await livekit.clearFaults();
      await eventually(async () => {
        expect((await room(sid)).verifiedAt?.getTime()).toBeGreaterThan(before.verifiedAt?.getTime() ?? Infinity);
      });
      expect((await room(sid)).version).toBe(before.version);
    },
    40_000,
  );

  it('closes a connection with a lost `left` at the last verified second, within two passes', async () => {
    const { stack, livekit, api } = chaos;
    const { sid } = await newRoom(api);
    await enter(sid, 'stays');
    const { sid: leaver } = await enter(sid, 'leaves');
    await known(sid);
    await verified(sid);
    await livekit.faults({ webhooks: { dropNext: 1 } });
    await livekit.leave(leaver);
    await eventually(() => expectTruth(stack, livekit, sid, BY_LISTS), 2 * PASS_MS + 1_000);
    const left = (await connectionsOf(stack, sid)).find(({ connectionSid }) => connectionSid === leaver);
    expect(left).toMatchObject({ closedBy: 'reconciler', isFinal: false });
  });

  inLongForm(it)(
    'closes the connections of a dead node at the last verified second, and the class continues',
    async () => {
      const { stack, livekit, api } = chaos;
      const { sid, roomId } = await newRoom(api);
      await enter(sid, 'ada');
      await enter(sid, 'bob');
      await known(sid);
      await verified(sid);
      await livekit.loseNode();
      await eventually(() => expectTruth(stack, livekit, sid, BY_LISTS), NODE_LOST_MS + 3 * PASS_MS);
      expect((await api.get(`/v1/room/${roomId}/status`)).body.data).toMatchObject({ isActive: true, participantCount: 0 });
      await enter(sid, 'ada');
      await eventually(() => expectTruth(stack, livekit, sid, BY_LISTS));
    },
    40_000,
  );

  inLongForm(it)(
    'neither reopens a closed connection nor closes a new one permanently because of a stale list',
    async () => {
      const { stack, livekit, api } = chaos;
      const { sid } = await newRoom(api);
      const { sid: leaver } = await enter(sid, 'leaves');
      await enter(sid, 'stays');
      await known(sid);
      await livekit.faults({ lists: { mode: 'stale' } });
      await livekit.leave(leaver);
      await enter(sid, 'joins');
      await known(sid);
      await sleep(PASS_MS);
      await expectTruth(stack, livekit, sid);
      await sleep(PASS_MS);
      await livekit.clearFaults();
      await known(sid);
    },
    30_000,
  );

  it('is exact for repeated and reordered webhooks with rejoins and aborted connections', async () => {
    const { stack, livekit, api } = chaos;
    const { sid } = await newRoom(api);
    await livekit.faults({ webhooks: { reorderRate: 0.7, reorderWithinMs: 2_500, duplicateRate: 0.5 } });
    const present: string[] = [];
    for (let n = 0; n < 30; n++) {
      // Every third is a participant who is already there: the new connection replaces the old one.
      const { sid: connectionSid } = await enter(sid, `uid-${n % 3 === 0 ? n % 9 : n}`);
      if (n % 2 === 0) present.push(connectionSid);
      if (n % 5 === 4) {
        const { sid: aborted } = await livekit.connect({ room: sid, identity: `aborts-${n}`, activeAfterMs: null });
        if (n % 10 === 4) await livekit.leave(aborted);
        else await livekit.leaveDuringActivation(aborted);
      }
      if (present.length > 4) await livekit.leave(present.shift() ?? '').catch(() => undefined);
      await sleep(60);
    }
    await sleep(2_500);
    await livekit.clearFaults();
    // The oldest connection of a replaced pair may have been closed by its successor before its own `left` arrived, which is final.
    await eventually(() => expectTruth(stack, livekit, sid), 3 * PASS_MS);
  });

  inLongForm(it)(
    'has one connection of a uid that rejoins within a second with a lost `left`, within two passes',
    async () => {
      const { stack, livekit, api } = chaos;
      const { sid } = await newRoom(api);
      // Compared by second, not by millisecond: the old one may end when the new one begins.
      const tolerance = { ...BY_LISTS, lateSeconds: 1 };
      const healed = () => eventually(() => expectTruth(stack, livekit, sid, tolerance), 2 * PASS_MS + 1_500);
      for (let n = 0; n < 5; n++) {
        await enter(sid, `twice-${n}`);
        await healed();
        await livekit.faults({ webhooks: { dropNext: 1 } });
        await enter(sid, `twice-${n}`);
      }
      await healed();
    },
    40_000,
  );

  inLongForm(describe)('with invalid webhooks', () => {
    const at = () => Math.floor(Date.now() / 1000);
    const webhook = (event: string, sid: string, connectionSid: string, more: object = {}, createdAt = at()) => ({
      event,
      id: `EV_${randomUUID()}`,
      createdAt: String(createdAt),
      room: { sid: 'RM_of_livekit', name: sid },
      participant: { sid: connectionSid, identity: `uid-of-${connectionSid}`, state: 'ACTIVE', joinedAt: String(createdAt - 5), ...more },
    });
    const intervals = async (sid: string) =>
      (await connectionsOf(chaos.stack, sid)).map(({ connectionSid, joinedAt, leftAt, isFinal, isCounted }) => ({
        connectionSid,
        seconds: leftAt && (leftAt.getTime() - joinedAt.getTime()) / 1000,
        isFinal,
        isCounted,
      }));

    it('makes one closed interval of a `left` before its `joined`', async () => {
      const { stack, api } = chaos;
      const { sid } = await newRoom(api);
      const left = webhook('participant_left', sid, 'PA_lefty', { state: 'DISCONNECTED' });
      expect(await postWebhook(stack, left)).toBe(200);
      expect(await postWebhook(stack, webhook('participant_joined', sid, 'PA_lefty', {}, Number(left.createdAt)))).toBe(200);
      expect(await postWebhook(stack, left)).toBe(200);
      await expectPresenceInvariants(stack);
      expect(await intervals(sid)).toEqual([{ connectionSid: 'PA_lefty', seconds: 5, isFinal: true, isCounted: true }]);
      expect(await room(sid)).toMatchObject({ state: 'live', version: 1, count: 0 });
    });

    it('opens nothing and starts no class for a `joined` after `participant_connection_aborted`', async () => {
      const { stack, api } = chaos;
      const { sid } = await newRoom(api);
      expect(await postWebhook(stack, webhook('participant_connection_aborted', sid, 'PA_aborted', { state: 'DISCONNECTED' }))).toBe(200);
      expect(await postWebhook(stack, webhook('participant_joined', sid, 'PA_aborted'))).toBe(200);
      expect(await postWebhook(stack, webhook('participant_joined', sid, 'PA_race', { state: 'DISCONNECTED' }))).toBe(200);
      await expectPresenceInvariants(stack);
      expect(await intervals(sid)).toEqual([{ connectionSid: 'PA_aborted', seconds: 0, isFinal: true, isCounted: false }]);
      expect(await room(sid)).toMatchObject({ state: 'created', count: 0 });
    });

    it('ignores unknown rooms and participants, and missing fields', async () => {
      const { stack, api } = chaos;
      const { sid, roomId } = await newRoom(api);
      const incomplete = { event: 'participant_joined', id: `EV_${randomUUID()}`, createdAt: String(at()) };
      for (const event of [
        webhook('participant_joined', 'RM_unknown', 'PA_unknown'),
        webhook('room_finished', 'RM_unknown', 'PA_unknown'),
        { ...incomplete, room: { name: sid } },
        { ...incomplete, id: `EV_${randomUUID()}`, room: { name: sid }, participant: { identity: 'no-sid' } },
        { ...incomplete, id: `EV_${randomUUID()}` },
        { ...incomplete, id: `EV_${randomUUID()}`, event: 'something_new', room: { name: sid } },
      ]) {
        expect(await postWebhook(stack, event)).toBe(200);
      }
      await expectPresenceInvariants(stack);
      expect(await intervals(sid)).toEqual([]);
      expect((await api.get(`/v1/room/${roomId}/status`)).body.data).toMatchObject({ exists: true, isActive: false });
    });
  });

  inLongForm(it)(
    'ends no class for LiveKit’s room_finished, and recreates a live room that was deleted in LiveKit',
    async () => {
      const { stack, livekit, api } = chaos;
      const { sid, roomId } = await newRoom(api);
      await enter(sid, 'ada');
      await known(sid);
      await liveKitAdmin(stack).deleteRoom(sid);
      await eventually(async () => expect(await liveKitRoomNames(stack)).toContain(sid));
      await known(sid);
      expect((await api.get(`/v1/room/${roomId}/status`)).body.data).toMatchObject({ isActive: true, participantCount: 0 });
      const { token } = (await api.post(`/v1/room/${roomId}/join`, { participant: person('ada') })).body.data as { token: string };
      await livekit.connect(token);
      await known(sid);
      expect((await api.get(`/v1/room/${roomId}/status`)).body.data).toMatchObject({ isActive: true, participantCount: 1 });
      expect((await api.delete(`/v1/room/${roomId}`)).body.data).toMatchObject({ participantsDisconnected: 1 });
      // Our room has ended. If LiveKit loses it, it is not created again.
      await eventually(async () => expect(await liveKitRoomNames(stack)).not.toContain(sid));
      await sleep(1_500);
      expect(await liveKitRoomNames(stack)).not.toContain(sid);
    },
    30_000,
  );

  inLongForm(it)(
    'does not count recorders, agents and hidden participants, which start no class',
    async () => {
      const { stack, livekit, api } = chaos;
      const { sid, roomId } = await newRoom(api);
      await livekit.connect({ room: sid, identity: 'EG_recorder', kind: 'EGRESS', hidden: true });
      await livekit.connect({ room: sid, identity: 'agent', kind: 'AGENT' });
      await livekit.connect({ room: sid, identity: 'inspector', hidden: true });
      await sleep(PASS_MS);
      expect((await api.get(`/v1/room/${roomId}/status`)).body.data).toMatchObject({
        isActive: false,
        participantCount: 0,
        startedAt: null,
      });
      await enter(sid, 'ada');
      await livekit.connect({ room: sid, identity: 'phone', kind: 'SIP' });
      await known(sid);
      expect((await api.get(`/v1/room/${roomId}/status`)).body.data).toMatchObject({ isActive: true, participantCount: 2 });
      expect(await connectionsOf(stack, sid)).toHaveLength(2);
    },
    30_000,
  );
});
