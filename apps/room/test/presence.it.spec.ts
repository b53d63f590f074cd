import { randomUUID } from 'node:crypto';
import {
  deleteRoom,
  getRoomSummary,
  MAX_LISTED_CONNECTIONS,
  participantConnection,
  roomCheckpoint,
  roomCorrected,
  roomFinished,
  roomRpc,
  roomStarted,
} from '@classroom/contracts';
import { byForm, connectionsOf, deadLetters, eventually, EXACT, expectTruth, unhandled } from '@classroom/testing';
import { expectFactsMatchRows } from './support/facts-match-rows.js';
import { refusal, RoomFixture } from './support/room-fixture.js';

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await RoomFixture.start();
});
afterEach(() => fixture.livekit.clearFaults());
afterAll(async () => {
  await expectFactsMatchRows(fixture).finally(() => fixture.stop());
});

/** Seconds of a class that runs now, in the past, so that no list is compared with it before the test has seen it. */
const now = () => Math.floor(Date.now() / 1000);
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

type Kind = 'participant_joined' | 'participant_left' | 'participant_connection_aborted';
interface Evidence {
  id?: string;
  uid?: string;
  role?: string;
  joinedAt?: number;
  state?: string;
  kind?: string;
  hidden?: boolean;
}

/** Stores a webhook about a connection, with the times of the test's choice. */
function sendWebhook(event: Kind, sid: string, connectionSid: string, at: number, evidence: Evidence = {}): Promise<void> {
  const { id, uid = 'eve', role = 'STUDENT', joinedAt = at, state, kind, hidden } = evidence;
  return fixture.webhook({
    event,
    ...(id && { id }),
    createdAt: String(at),
    room: { name: sid },
    participant: {
      sid: connectionSid,
      identity: uid,
      name: uid.toUpperCase(),
      state: state ?? (event === 'participant_joined' ? 'ACTIVE' : 'DISCONNECTED'),
      attributes: { role },
      joinedAt: String(joinedAt),
      ...(kind && { kind }),
      ...(hidden && { permission: { hidden } }),
    },
  });
}

/** The room's connections, with times in seconds. */
const intervals = async (sid: string) =>
  (await connectionsOf(fixture.stack, sid)).map(({ joinedAt, leftAt, ip: _, isFinal: __, ...connection }) => ({
    ...connection,
    joined: joinedAt.getTime() / 1000,
    left: leftAt && leftAt.getTime() / 1000,
  }));
const handled = () => eventually(async () => expect(await unhandled(fixture.stack, 'roomPresence')).toBe(0));
const newPA = () => `PA_${randomUUID().slice(0, 12)}`;

/** A finished class has no list to be compared with: only webhooks speak. Lists are switched off for live ones. */
async function withoutLists(): Promise<{ sid: string; roomId: string }> {
  const room = await fixture.newRoom();
  await fixture.livekit.faults({ lists: { mode: 'unavailable' } });
  return room;
}

describe('webhooks', () => {
  it('count once when repeated, and publish each change once with the next version', async () => {
    const { sid, roomId } = await withoutLists();
    const [pa, at, id] = [newPA(), now() - 60, randomUUID()];
    await sendWebhook('participant_joined', sid, pa, at, { id });
    await sendWebhook('participant_joined', sid, pa, at, { id });
    await sendWebhook('participant_joined', sid, pa, at);
    await sendWebhook('participant_left', sid, pa, at + 30, { joinedAt: at });
    await sendWebhook('participant_left', sid, pa, at + 40, { joinedAt: at });
    await handled();
    expect(await intervals(sid)).toEqual([
      { connectionSid: pa, uid: 'eve', joined: at, left: at + 30, openedBy: 'webhook', closedBy: 'webhook', isCounted: true, version: 2 },
    ]);
    expect(await fixture.state(sid)).toMatchObject({ state: 'live', count: 0, version: 2, startedAt: new Date(at * 1000) });
    const { organizationId } = fixture;
    const fact = { organizationId, sid, roomId, connectionSid: pa, uid: 'eve', name: 'EVE', role: 'STUDENT', ip: null };
    await eventually(async () =>
      expect(await fixture.facts(participantConnection, sid)).toEqual([
        { ...fact, joinedAt: iso(at), leftAt: null, openedBy: 'webhook', closedBy: null, version: 1 },
        { ...fact, joinedAt: iso(at), leftAt: iso(at + 30), openedBy: 'webhook', closedBy: 'webhook', version: 2 },
      ]),
    );
    expect(await fixture.facts(roomStarted, sid)).toEqual([{ organizationId, sid, roomId, title: 'A class', startedAt: iso(at) }]);
  });

  it('out of order give the same interval', async () => {
    const { sid } = await withoutLists();
    const [pa, at] = [newPA(), now() - 60];
    await sendWebhook('participant_left', sid, pa, at + 30, { joinedAt: at });
    await sendWebhook('participant_joined', sid, pa, at);
    await handled();
    expect(await intervals(sid)).toMatchObject([{ joined: at, left: at + 30, version: 1 }]);
    expect(await fixture.state(sid)).toMatchObject({ count: 0 });
  });

  it('end the older of two connections of a uid when the newer begins, and never count two', async () => {
    const { sid } = await withoutLists();
    const [older, newer, at] = [newPA(), newPA(), now() - 60];
    await sendWebhook('participant_joined', sid, older, at, { role: 'TEACHER' });
    await sendWebhook('participant_joined', sid, newer, at + 20, { role: 'TEACHER' });
    await handled();
    expect(await fixture.state(sid)).toMatchObject({ count: 1 });
    expect(await intervals(sid)).toMatchObject([
      { connectionSid: older, left: at, closedBy: 'webhook' },
      { connectionSid: newer, left: null },
    ]);
    // The exact end arrives later.
    await sendWebhook('participant_left', sid, older, at + 20, { joinedAt: at });
    await handled();
    expect(await intervals(sid)).toMatchObject([{ left: at + 20 }, { left: null }]);
  });

  it('of a connection that never became active are not counted, even if a late join follows', async () => {
    const { sid } = await withoutLists();
    const [pa, at] = [newPA(), now() - 60];
    await sendWebhook('participant_connection_aborted', sid, pa, at + 5, { joinedAt: at });
    await sendWebhook('participant_joined', sid, pa, at, { state: 'DISCONNECTED' });
    await sendWebhook('participant_joined', sid, pa, at);
    await handled();
    expect(await intervals(sid)).toMatchObject([{ connectionSid: pa, isCounted: false, left: at }]);
    expect(await fixture.state(sid)).toMatchObject({ state: 'created', count: 0, startedAt: null });
    await eventually(async () => expect(await fixture.facts(participantConnection, sid)).toEqual([]));
  });

  it.each<[string, Evidence]>([
    ['a recorder', { kind: 'EGRESS' }],
    ['an agent', { kind: 'AGENT' }],
    ['a hidden participant', { hidden: true }],
    ['a participant without identity', { uid: '' }],
  ])('about %s change nothing', async (_, evidence) => {
    const { sid } = await withoutLists();
    await sendWebhook('participant_joined', sid, newPA(), now() - 60, evidence);
    await handled();
    expect(await intervals(sid)).toEqual([]);
    expect(await fixture.state(sid)).toMatchObject({ state: 'created', version: 0 });
  });

  it('about a room that is not ours, or about other things, are handled and forgotten', async () => {
    const { sid } = await withoutLists();
    await sendWebhook('participant_joined', 'RM_0000000000000000', newPA(), now());
    await fixture.webhook({ event: 'participant_joined', room: {} });
    await fixture.webhook({
      event: 'participant_renamed',
      createdAt: String(now()),
      room: { name: sid },
      participant: { sid: newPA(), identity: 'eve' },
    });
    await handled();
    expect(await intervals(sid)).toEqual([]);
    expect(await deadLetters(fixture.stack)).toBe(0);
  });

  it('with a join more than an hour before the room count from the time of the report', async () => {
    const { sid } = await withoutLists();
    const at = now();
    const [ancient, plausible] = [newPA(), newPA()];
    await sendWebhook('participant_joined', sid, ancient, at, { uid: 'ancient', joinedAt: at - 7_200 });
    await sendWebhook('participant_joined', sid, plausible, at, { uid: 'plausible', joinedAt: at - 3_500 });
    await handled();
    expect(await intervals(sid)).toMatchObject([
      { uid: 'plausible', joined: at - 3_500 },
      { uid: 'ancient', joined: at },
    ]);
  });

  it('about a closed LiveKit room end its connections, but not the class', async () => {
    const { sid } = await withoutLists();
    const at = now() - 60;
    await sendWebhook('participant_joined', sid, newPA(), at, { uid: 'one' });
    await sendWebhook('participant_joined', sid, newPA(), at + 50, { uid: 'later' });
    await fixture.webhook({ event: 'room_finished', createdAt: String(at + 40), room: { name: sid } });
    await handled();
    expect(await intervals(sid)).toMatchObject([
      { uid: 'one', left: at + 40 },
      { uid: 'later', left: null },
    ]);
    expect(await fixture.state(sid)).toMatchObject({ state: 'live', count: 1 });
  });

  it('after the end of the class correct its totals, without a second end', async () => {
    const { sid, roomId } = await withoutLists();
    const [pa, late, at] = [newPA(), newPA(), now() - 600];
    await sendWebhook('participant_joined', sid, pa, at);
    await handled();
    await fixture.asBackend(deleteRoom, { roomId });
    await sendWebhook('participant_left', sid, pa, at + 100, { joinedAt: at });
    await sendWebhook('participant_joined', sid, late, at + 10, { uid: 'late' });
    await sendWebhook('participant_joined', sid, newPA(), now() + 3_000, { uid: 'too-late' });
    await handled();
    expect(await intervals(sid)).toMatchObject([
      { uid: 'eve', left: at + 100, version: 3 },
      { uid: 'late', left: at + 10, closedBy: 'room_end', version: 4 },
    ]);
    const { organizationId } = fixture;
    // One for each batch of webhooks.
    const totals = { connections: 2, totalSeconds: 100, versionSum: 7, lastVersion: 4 };
    await eventually(async () =>
      expect((await fixture.facts(roomCorrected, sid)).at(-1)).toEqual({
        organizationId,
        sid,
        roomId,
        title: 'A class',
        endedAt: expect.any(String),
        ...totals,
      }),
    );
    await eventually(async () => expect(await fixture.facts(roomFinished, sid)).toHaveLength(1));
    expect(await fixture.state(sid)).toMatchObject({ state: 'finished', count: 0 });
    expect(await fixture.asBackend(getRoomSummary, { roomId })).toMatchObject({
      totalParticipants: 2,
      totalCredits: 2,
      avgStay: 50,
      status: 'finished',
    });
  });
});

describe('lists', () => {
  it('find joins and leaves whose webhooks were lost, and close a leave at the last list that had it', async () => {
    const room = await fixture.newRoom();
    await fixture.livekit.faults({ webhooks: { lossRate: 1 } });
    const token = await fixture.join(room, 'bob');
    const [ada, bob] = [await fixture.livekit.connect(room.token), await fixture.livekit.connect(token)];
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ state: 'live', count: 2 }));
    expect((await intervals(room.sid)).map(({ openedBy }) => openedBy)).toEqual(['reconciler', 'reconciler']);
    const { verifiedAt } = await fixture.state(room.sid);
    await fixture.livekit.leave(bob.sid);
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ count: 1 }));
    await expectTruth(fixture.stack, fixture.livekit, room.sid, { ...EXACT, earlySeconds: 60 });
    // Both may have joined within the same second, so the order of rows is open.
    const row = new Map((await intervals(room.sid)).map((it) => [it.connectionSid, it]));
    expect(row.get(ada.sid)).toMatchObject({ left: null });
    expect(row.get(bob.sid)).toMatchObject({ closedBy: 'reconciler' });
    expect(row.get(bob.sid)?.left).toBeGreaterThanOrEqual(Math.floor((verifiedAt?.getTime() ?? NaN) / 1000));
  });

  it('verify a live room repeatedly, and publish each time up to when', async () => {
    const room = await fixture.newRoom();
    await fixture.livekit.connect(room.token);
    const checkpoints = await eventually(async () => {
      const facts = await fixture.facts(roomCheckpoint, room.sid);
      expect(facts.length).toBeGreaterThanOrEqual(3);
      return facts;
    });
    const times = checkpoints.map(({ verifiedAt }) => Date.parse(verifiedAt));
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    expect(checkpoints.at(-1)).toMatchObject({ version: 1, unseen: [], roomId: room.roomId });
  });

  it('that are unavailable close no connection', async () => {
    const { room } = await fixture.classOf(['TEACHER', 'STUDENT']);
    await fixture.livekit.faults({ lists: { mode: 'unavailable' } });
    const { verifiedAt } = await fixture.state(room.sid);
    await eventually(async () => expect(await fixture.isRetried(room.sid)).toBe(true));
    expect(await fixture.state(room.sid)).toMatchObject({ count: 2, verifiedAt });
    await fixture.livekit.clearFaults();
    await eventually(async () => expect(await fixture.isRetried(room.sid)).toBe(false));
    await eventually(async () => expect((await fixture.state(room.sid)).verifiedAt).not.toEqual(verifiedAt));
    await expectTruth(fixture.stack, fixture.livekit, room.sid);
  });
});

describe('a killed process', () => {
  it.each(byForm({ short: ['before-commit'], long: ['after-commit', 'before-commit'] }))(
    '%s of a webhook applies it once',
    async (place) => {
      const { sid } = await fixture.newRoom();
      await fixture.livekit.faults({ lists: { mode: 'unavailable' } });
      // Otherwise this webhook could kill the process while it starts.
      await eventually(() => expect(fixture.received).toContain(`room_started ${sid}`));
      await handled();
      await fixture.stack.app('room').restart({ FAILPOINTS: `room.webhook.${place}=crash` });
      const [pa, at] = [newPA(), now() - 60];
      await sendWebhook('participant_joined', sid, pa, at);
      await fixture.stack.app('room').exited;
      expect(await intervals(sid)).toHaveLength(place === 'after-commit' ? 1 : 0);
      await fixture.stack.app('room').start();
      await eventually(async () => expect(await intervals(sid)).toMatchObject([{ connectionSid: pa, joined: at, version: 1 }]));
      await eventually(async () => expect(await fixture.facts(participantConnection, sid)).toMatchObject([{ version: 1, leftAt: null }]));
      expect(await fixture.state(sid)).toMatchObject({ state: 'live', count: 1, version: 1 });
    },
  );
});

describe('the connections of a room', () => {
  it('are read page by page in the order of their sids, only counted ones', async () => {
    const { sid } = await withoutLists();
    const at = now() - 60;
    for (const name of ['PA_b', 'PA_a', 'PA_c']) await sendWebhook('participant_joined', sid, `${name}_${sid}`, at, { uid: name });
    await sendWebhook('participant_connection_aborted', sid, `PA_d_${sid}`, at, { uid: 'shy' });
    await handled();
    const page = async (after?: string) => {
      const { connections } = await fixture.call(roomRpc.connections, { sid, ...(after && { after }), limit: 2 });
      return connections.map(({ uid }) => uid);
    };
    expect(await page()).toEqual(['PA_a', 'PA_b']);
    expect(await page(`PA_b_${sid}`)).toEqual(['PA_c']);
    expect(await page(`PA_c_${sid}`)).toEqual([]);
    const { connections } = await fixture.call(roomRpc.connections, { sid, limit: MAX_LISTED_CONNECTIONS });
    await eventually(async () => expect(new Set(await fixture.facts(participantConnection, sid))).toEqual(new Set(connections)));
    expect(await refusal(fixture.call(roomRpc.connections, { sid: 'RM_0000000000000000', limit: 1 }))).toBe('ROOM_NOT_FOUND');
  });
});
