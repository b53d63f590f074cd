import { randomUUID } from 'node:crypto';
import {
  accountChanged,
  AppError,
  billingRpc,
  changeRoom,
  createRoom,
  deleteRoom,
  getRoom,
  getRoomStatus,
  joinRoom,
  roomCreated,
  roomRpc,
  roomUpdated,
} from '@classroom/contracts';
import { connect } from '@classroom/persistence';
import { eventually, publishFact, roomsNamed } from '@classroom/testing';
import { ago, refusal, type RoomFixture } from '../support/room-fixture.js';
import { sharedFixture } from '../support/shared-fixture.js';
import { claimsOf } from '../support/claims-of.js';

const HOUR_S = 3_600;
/** The settings of a room for which they were not given. */
const DEFAULTS = { budget: null, permissions: {}, waitingRoom: 'OFF', duplicateJoin: 'replace', muteOnJoin: false };
const UNSCHEDULED = { startsAt: null, endsAt: null, joinBefore: 600, maxDuration: null };

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
// Some tests change it, and some count what it has.
beforeEach(() => {
  fixture.organizationId = `org_${randomUUID()}`;
});

const input = (roomId: string = randomUUID()) => ({
  organizationId: fixture.organizationId,
  roomId,
  title: 'Algebra',
  participant: { uid: 'ada', name: 'Ada', role: 'TEACHER' as const },
});
const create = (roomId?: string, more: object = {}) => fixture.call(createRoom, { ...input(roomId), ...more });

describe('a new room', () => {
  it('exists in LiveKit with its limits, is described with the defaults, and is published once', async () => {
    const { room, isReplayed } = await create();
    expect(isReplayed).toBe(false);
    expect(room.sid).toMatch(/^RM_[A-Za-z0-9]{16}$/);
    expect(await fixture.admin.listRooms([room.sid])).toMatchObject([
      { name: room.sid, maxParticipants: 1000, emptyTimeout: 7 * 86_400, departureTimeout: 360 },
    ]);
    expect(await fixture.asBackend(getRoomStatus, { roomId: room.roomId })).toEqual({
      exists: true,
      isActive: false,
      roomId: room.roomId,
      title: 'Algebra',
      participantCount: 0,
      hasTeacher: false,
      isRecording: false,
      createdAt: (await fixture.state(room.sid)).createdAt.toISOString(),
      startedAt: null,
    });
    await eventually(async () =>
      expect(await fixture.facts(roomCreated, room.sid)).toEqual([
        {
          organizationId: fixture.organizationId,
          ...room,
          title: 'Algebra',
          createdAt: expect.any(String),
          autoRecord: false,
        },
      ]),
    );
  });

  it('ends unused after exactly 30 days, by its row', async () => {
    const { room } = await create();
    const { createdAt, dueAt } = await fixture.state(room.sid);
    expect((dueAt?.getTime() ?? 0) - createdAt.getTime()).toBe(30 * 86_400_000);
  });

  it('has a join token of one hour in the fragment of its link, with the grants of the role', async () => {
    const { room, token, iframeUrl, expiresAt } = await create();
    expect(iframeUrl).toMatch(new RegExp(`^https?://.+/r/${room.sid}#token=${token.replaceAll('.', '\\.')}$`));
    const claims = claimsOf(token);
    expect(claims).toMatchObject({ sub: 'ada', name: 'Ada' });
    const joinUntil = String(Date.parse(expiresAt));
    expect(claims.attributes).toEqual({ role: 'TEACHER', use: 'join', issuedAt: expect.stringMatching(/^\d{13}$/), joinUntil });
    expect(new Date((claims.exp ?? 0) * 1000).toISOString()).toBe(expiresAt);
    const issuedAt = Number(claims.attributes['issuedAt']) / 1000;
    expect(Math.abs((claims.exp ?? 0) - issuedAt - HOUR_S)).toBeLessThanOrEqual(1);
    expect(claims.video).toEqual({
      room: room.sid,
      roomJoin: true,
      roomAdmin: false,
      canSubscribe: true,
      canPublish: true,
      canPublishData: false,
      canUpdateOwnMetadata: false,
      canPublishSources: ['camera', 'microphone', 'screen_share', 'screen_share_audio'],
    });
  });

  it('is described to other services with its teachers, its metadata and its limits', async () => {
    const more = { roomDescription: 'About x', metadata: { grade: 7 }, settings: { maxParticipants: 9, emptyTimeout: 45 } };
    const { room } = await create(undefined, more);
    await fixture.join(room, 'eve', 'TEACHER');
    await fixture.join(room, 'bob', 'STUDENT');
    expect(await fixture.asBackend(roomRpc.describe, { roomId: room.roomId })).toEqual({
      ...room,
      title: 'Algebra',
      state: 'created',
      startedAt: null,
      endedAt: null,
      roomDescription: 'About x',
      metadata: { grade: 7 },
      settings: { maxParticipants: 9, emptyTimeout: 45 },
      teachers: ['Ada', 'Name of eve'],
      mayUseAi: true,
      isAttendanceEvaluated: false,
    });
    expect(await fixture.call(roomRpc.locate, { sid: room.sid })).toEqual({
      isOver: false,
      organizationId: fixture.organizationId,
      roomId: room.roomId,
    });
    expect(await refusal(fixture.call(roomRpc.locate, { sid: 'RM_0000000000000000' }))).toBe('ROOM_NOT_FOUND');
    expect(await refusal(fixture.asBackend(roomRpc.describe, { roomId: 'never' }))).toBe('ROOM_NOT_FOUND');
  });

  it('is refused with the names of the invalid fields', async () => {
    expect(await refusal(create('a/b'))).toBe('VALIDATION_FAILED roomId');
    expect(await refusal(create(undefined, { title: ' ' }))).toBe('VALIDATION_FAILED title');
    const settings = { maxParticipants: 5001, emptyTimeout: 1801 };
    expect(await refusal(create(undefined, { settings }))).toBe('VALIDATION_FAILED settings.maxParticipants settings.emptyTimeout');
  });
});

describe('a whole room', () => {
  const chat = { mode: 'TEACHERS', slowModeSeconds: 5 } as const;
  const recording = { ask: 'join', without: 'mute', version: '1', text: 'May we?' };

  it('has everything that was given for it and what happened, also after the class', async () => {
    const settings = { maxParticipants: 9, emptyTimeout: 45, autoRecord: true, chat, consent: { recording, ai: false } };
    const customization = { showLobby: false, theme: 'dark' };
    const { room } = await create(undefined, { roomDescription: 'About x', metadata: { grade: 7 }, customization, settings });
    const whole = {
      ...room,
      title: 'Algebra',
      roomDescription: 'About x',
      metadata: { grade: 7 },
      customization: { ...customization, showVideoControls: true },
      settings: { ...settings, ...DEFAULTS, ...UNSCHEDULED, attendance: null },
      rosterSize: 0,
      status: 'created',
      participantCount: 0,
      hasTeacher: false,
      isRecording: false,
      createdAt: (await fixture.state(room.sid)).createdAt.toISOString(),
      startedAt: null,
      endedAt: null,
      endReason: null,
    };
    const { roomId } = room;
    expect(await fixture.asBackend(getRoom, { roomId })).toEqual(whole);
    const { endedAt } = await fixture.asBackend(deleteRoom, { roomId });
    expect(await fixture.asBackend(getRoom, { roomId })).toEqual({ ...whole, status: 'finished', endedAt, endReason: 'deleted' });
  });

  it('is found by its organization alone', async () => {
    const { room } = await create();
    expect(await refusal(fixture.asBackend(getRoom, { roomId: 'never' }))).toBe('ROOM_NOT_FOUND');
    fixture.organizationId = `org_${randomUUID()}`;
    expect(await refusal(fixture.asBackend(getRoom, { roomId: room.roomId }))).toBe('ROOM_NOT_FOUND');
  });
});

describe('a roomId', () => {
  it('is used once, also after its room has ended and by requests at the same time', async () => {
    const roomId = randomUUID();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => refusal(create(roomId)).catch(() => 'created')));
    expect(outcomes.sort()).toEqual([...Array<string>(7).fill('ROOM_ID_ALREADY_USED'), 'created']);
    await fixture.asBackend(deleteRoom, { roomId });
    expect(await refusal(create(roomId))).toBe('ROOM_ID_ALREADY_USED');
    expect(await roomsNamed(fixture.stack, roomId)).toHaveLength(1);
  });

  it('is free in another organization', async () => {
    const roomId = randomUUID();
    const first = await create(roomId);
    fixture.organizationId = `org_${randomUUID()}`;
    expect((await create(roomId)).room.sid).not.toBe(first.room.sid);
  });

  it('is free again after LiveKit refused the room, which is then deleted from LiveKit', async () => {
    const roomId = randomUUID();
    await fixture.livekit.faults({ api: { mode: 'unavailable', methods: ['CreateRoom'] } });
    expect(await refusal(create(roomId))).toBe('SERVICE_UNAVAILABLE');
    expect(await fixture.asBackend(getRoomStatus, { roomId })).toEqual({ exists: false, isActive: false, roomId });
    await fixture.livekit.clearFaults();
    const { room } = await create(roomId);
    await eventually(async () =>
      expect(await roomsNamed(fixture.stack, roomId)).toMatchObject([
        { state: 'abandoned', media: 'closed' },
        { state: 'created', media: 'open' },
      ]),
    );
    expect(await fixture.isInLiveKit(room.sid)).toBe(true);
  });
});

describe('a repeated creation', () => {
  const key = (bodyHash = 'one') => ({ idempotency: { key: randomUUID(), bodyHash } });

  it('returns the first room, also with another roomId in flight at the same time and after the class', async () => {
    const roomId = randomUUID();
    const idempotency = key();
    const both = await Promise.all([create(roomId, idempotency), create(roomId, idempotency)]);
    expect(new Set(both.map(({ room }) => room.sid)).size).toBe(1);
    expect(both.map(({ isReplayed }) => isReplayed).sort()).toEqual([false, true]);
    await fixture.asBackend(deleteRoom, { roomId });
    const late = await create(roomId, idempotency);
    expect(late).toMatchObject({ isReplayed: true, room: both[0]?.room, token: expect.any(String) });
    await eventually(async () => expect(await fixture.facts(roomCreated, late.room.sid)).toHaveLength(1));
  });

  it('is refused for another body, and its key counts only within the organization', async () => {
    const { idempotency } = key();
    const { room } = await create(undefined, { idempotency });
    expect(await refusal(create(undefined, { idempotency: { ...idempotency, bodyHash: 'two' } }))).toBe('IDEMPOTENCY_CONFLICT');
    fixture.organizationId = `org_${randomUUID()}`;
    expect((await create(undefined, { idempotency })).room.sid).not.toBe(room.sid);
  });

  it('continues a creation that a killed process began, without a second room', async () => {
    const roomId = randomUUID();
    const { idempotency } = key();
    await fixture.stack.app('room').restart({ FAILPOINTS: 'room.create.after-livekit=crash' });
    const interrupted = refusal(fixture.call(createRoom, { ...input(roomId), idempotency }, 2_000));
    await fixture.stack.app('room').exited;
    // Young enough for the sweep to leave it to the retry, however long the start takes.
    const [begun] = await roomsNamed(fixture.stack, roomId);
    await fixture.setTime(begun?.sid ?? '', 'rooms.created_at', ago(-3_600));
    await fixture.stack.app('room').start();
    expect(await interrupted).toBe('SERVICE_UNAVAILABLE');
    expect(await roomsNamed(fixture.stack, roomId)).toMatchObject([{ state: 'creating' }]);
    expect(await fixture.asBackend(getRoomStatus, { roomId })).toMatchObject({ exists: false });
    expect(await create(roomId, { idempotency })).toMatchObject({ isReplayed: true });
    expect(await roomsNamed(fixture.stack, roomId)).toMatchObject([{ state: 'created', media: 'open' }]);
  });
});

describe('credits', () => {
  const overconsumed = async (version: number, isOverconsumed: boolean) => {
    const { organizationId } = fixture;
    await publishFact(fixture.stack, accountChanged, organizationId, {
      organizationId,
      version,
      remainingCredits: isOverconsumed ? -1 : 1,
      isOverconsumed,
      isExhausted: isOverconsumed,
    });
  };
  const creditStatus = () =>
    fixture.stack.rows('SELECT version::int, is_overconsumed AS refused FROM room.credit_status WHERE organization_id = $1', [
      fixture.organizationId,
    ]);

  it('refuse a room if billing confirms a negative balance, and only then', async () => {
    let isOverconsumed = true;
    const asked: string[] = [];
    const billing = fixture.answer(billingRpc.creditStatus, ({ organizationId }) => {
      asked.push(organizationId);
      return { isOverconsumed, isExhausted: true };
    });
    await create();
    expect(asked).toEqual([]);
    await overconsumed(2, true);
    await eventually(async () => expect(await creditStatus()).toEqual([{ version: 2, refused: true }]));
    expect(await refusal(create())).toBe('INSUFFICIENT_CREDITS');
    expect(asked).toEqual([fixture.organizationId]);
    isOverconsumed = false;
    await create();
    // A late older fact changes nothing; a newer one does.
    await overconsumed(1, false);
    await overconsumed(3, false);
    await eventually(async () => expect(await creditStatus()).toEqual([{ version: 3, refused: false }]));
    await create();
    expect(asked).toHaveLength(2);
    billing.unsubscribe();
  });

  it('do not refuse a room while billing is unreachable or answers with an error', async () => {
    await overconsumed(1, true);
    await eventually(async () => expect(await creditStatus()).toHaveLength(1));
    await create();
    const billing = fixture.answer(billingRpc.creditStatus, () => {
      throw new AppError('ORGANIZATION_NOT_FOUND');
    });
    await create();
    billing.unsubscribe();
  });
});

describe('a change by the backend', () => {
  const change = (roomId: string, what: object) => fixture.asBackend(changeRoom, { roomId, change: what });

  it('replaces what is given and keeps the rest, and is published', async () => {
    const { sid, roomId } = await fixture.newRoom({ maxParticipants: 5, emptyTimeout: 60, roomDescription: 'Old' });
    const rules = { waitingRoom: 'OFF', duplicateJoin: 'replace', muteOnJoin: false, permissions: {} };
    const common = { chat: { mode: 'ALL', slowModeSeconds: 0 }, consent: { recording: null, ai: true }, ...rules };
    const look = { customization: { showLobby: true, showVideoControls: true, theme: 'auto' }, metadata: null, autoRecord: false };
    const limits = { maxParticipants: 5, emptyTimeout: 90 };
    const details = {
      title: 'Geometry',
      roomDescription: 'Old',
      ...limits,
      ...common,
      ...look,
      ...UNSCHEDULED,
      waitingRoom: 'OFF',
      budget: null,
      attendance: null,
      classEndsAt: null,
    };
    expect(await change(roomId, { title: 'Geometry', settings: { emptyTimeout: 90 } })).toEqual(details);
    expect(await change(roomId, { roomDescription: null })).toEqual({ ...details, roomDescription: null });
    await eventually(async () =>
      expect((await fixture.facts(roomUpdated, sid)).map(({ title }) => title)).toEqual(['Geometry', 'Geometry']),
    );
  });

  it('of metadata, look and automatic recording replaces what is given, and publishes whether to record if that is part of it', async () => {
    const given = { metadata: { grade: 7 }, customization: { showLobby: false, theme: 'dark' }, autoRecord: true };
    const { sid, roomId } = await fixture.newRoom(given);
    const change1 = { metadata: { grade: 8 }, customization: { theme: 'light' }, settings: { autoRecord: false } };
    const look = { showLobby: false, showVideoControls: true, theme: 'light' };
    expect(await change(roomId, change1)).toMatchObject({ metadata: { grade: 8 }, customization: look, autoRecord: false });
    expect(await change(roomId, { metadata: null, settings: { emptyTimeout: 9 } })).toMatchObject({ metadata: null, customization: look });
    expect(await fixture.asBackend(getRoom, { roomId })).toMatchObject({
      metadata: null,
      customization: look,
      settings: { autoRecord: false },
    });
    await eventually(async () =>
      expect((await fixture.facts(roomUpdated, sid)).map(({ autoRecord }) => autoRecord)).toEqual([false, undefined]),
    );
  });

  it('of the limit of participants recreates the room in LiveKit only if it is raised', async () => {
    const { sid, roomId } = await fixture.newRoom({ maxParticipants: 5 });
    const inLiveKit = async () => (await fixture.admin.listRooms([sid]))[0];
    const before = await inLiveKit();
    await change(roomId, { settings: { maxParticipants: 4 } });
    expect(await inLiveKit()).toMatchObject({ sid: before?.sid, maxParticipants: 5 });
    await change(roomId, { settings: { maxParticipants: 6 } });
    const after = await inLiveKit();
    expect(after).toMatchObject({ maxParticipants: 6 });
    expect(after?.sid).not.toBe(before?.sid);
  });

  it('is refused after the class, for another organization, and without a field', async () => {
    const { roomId } = await fixture.newRoom();
    expect(await refusal(change(roomId, {}))).toMatch('VALIDATION_FAILED');
    expect(await refusal(change(roomId, { settings: { maxParticipants: 0 } }))).toBe('VALIDATION_FAILED change.settings.maxParticipants');
    expect(await refusal(change('never', { title: 'x' }))).toBe('ROOM_NOT_FOUND');
    await fixture.asBackend(deleteRoom, { roomId });
    expect(await refusal(change(roomId, { title: 'x' }))).toBe('ROOM_ENDED reason');
    fixture.organizationId = `org_${randomUUID()}`;
    expect(await refusal(change(roomId, { title: 'x' }))).toBe('ROOM_NOT_FOUND');
  });
});

describe('a repeated join', () => {
  it('locks the room before the person, in the order of every other transaction', async () => {
    const room = await fixture.newRoom();
    await fixture.join(room, 'bob');
    const source = await connect({ schema: 'room', url: fixture.stack.urls.postgresAdmin, poolSize: 1 });
    try {
      const other = source.createQueryRunner();
      await other.startTransaction();
      await other.query(`SELECT 1 FROM room.participants WHERE sid = $1 AND uid = 'bob' FOR UPDATE`, [room.sid]);
      const participant = { uid: 'bob', name: 'Robert', role: 'STUDENT' as const };
      const joined = fixture.asBackend(joinRoom, { roomId: room.roomId, participant });
      const lockRoom = () => fixture.stack.rows('SELECT 1 FROM room.rooms WHERE sid = $1 FOR UPDATE NOWAIT', [room.sid]);
      await eventually(() => expect(lockRoom()).rejects.toMatchObject({ code: '55P03' }));
      await other.rollbackTransaction();
      expect((await joined).iframeUrl).toContain(room.sid);
    } finally {
      await source.destroy();
    }
  });
});
