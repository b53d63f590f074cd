import {
  changeRoom,
  changeRoomInClass,
  endClass,
  getRoomStatus,
  raiseHand,
  recordingActive,
  recordingCompleted,
  recordingFailed,
  roomRpc,
  roomUpdated,
  sendChatMessage,
  sendReaction,
  type ClassUpdate,
} from '@classroom/contracts';
import { eventually, publishFact } from '@classroom/testing';
import type { ClassMember } from '../support/class-member.js';
import { ago, nameOf, refusal, type NewRoom, type RoomFixture } from '../support/room-fixture.js';
import { sharedFixture } from '../support/shared-fixture.js';

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const LOOK = { customization: { showLobby: true, showVideoControls: true, theme: 'auto' as const }, classEndsAt: null };

describe('the state of a class', () => {
  it('is complete after version 0, and without any part where nothing has changed', async () => {
    const { room, people } = await fixture.classOf(['TEACHER'], { roomDescription: 'About x', maxParticipants: 9, emptyTimeout: 45 });
    expect(await people[0].state()).toEqual({
      base: 0,
      version: 1,
      hands: [],
      speakers: [],
      messages: [],
      polls: [],
      reactions: [],
      room: {
        title: 'A class',
        roomDescription: 'About x',
        maxParticipants: 9,
        emptyTimeout: 45,
        chat: { mode: 'ALL', slowModeSeconds: 0 },
        consent: { recording: null, ai: true },
        waitingRoom: 'OFF',
        ...LOOK,
      },
      recording: null,
      ownVotes: {},
    });
    await people[0].act(sendChatMessage, { text: 'Hello' });
    expect(await people[0].state(2)).toEqual({ base: 2, version: 2, ownVotes: {} });
    // Of a class that does not run yet, too.
    expect((await (await fixture.member(room, 'late')).state(0)).version).toBe(2);
  });

  it('after a version contains exactly the parts that changed since', async () => {
    const { people } = await fixture.classOf(['ADMIN', 'STUDENT']);
    const [admin, student] = people;
    const partsAfter = async (version: number) =>
      Object.keys(await student.state(version)).filter((key) => !['base', 'version', 'ownVotes'].includes(key));
    await student.act(raiseHand, { raised: true });
    await student.act(sendChatMessage, { text: 'one' });
    await student.act(sendChatMessage, { text: 'two' });
    await admin.act(changeRoomInClass, { change: { title: 'New' } });
    expect(await partsAfter(2)).toEqual(['messages', 'room']);
    expect((await student.state(3)).messages?.map(({ text }) => text)).toEqual(['two']);
    expect(await partsAfter(4)).toEqual(['room']);
    expect(await partsAfter(5)).toEqual([]);
    expect(await student.state(99)).toMatchObject({ base: 99, version: 5 });
  });

  it('is pushed to every connected participant, each version covered once and in order', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT']);
    const [teacher, a, b] = people;
    for (let n = 0; n < 5; n++) await teacher.act(sendChatMessage, { text: `${n}` });
    await Promise.all([a.act(raiseHand, { raised: true }), b.act(raiseHand, { raised: true })]);
    await eventually(async () => expect((await b.updates()).at(-1)?.version).toBe(8));
    for (const member of people) {
      const updates = await member.updates();
      expect(updates[0]?.base).toBe(1);
      for (const [index, { base, version }] of updates.entries()) {
        expect(base).toBeLessThan(version);
        expect(base).toBeLessThanOrEqual(updates[index - 1]?.version ?? 1);
      }
      const texts = new Map(updates.flatMap(({ messages = [] }) => messages.map(({ version, text }) => [version, text])));
      expect([...texts.values()]).toEqual(['0', '1', '2', '3', '4']);
    }
  });

  it('is announced without its parts if they are larger than a data packet of 14 KiB', async () => {
    const { people } = await fixture.classOf(['ADMIN', 'STUDENT']);
    const [admin, student] = people;
    const chat = { mode: 'ALL' as const, slowModeSeconds: 0 };
    const rules = { chat, consent: { recording: null, ai: true }, waitingRoom: 'OFF' as const };
    const settings = { title: 'A class', maxParticipants: 50, emptyTimeout: 300, ...rules, ...LOOK };
    const bytesOf = (roomDescription: string) =>
      Buffer.byteLength(JSON.stringify({ base: 1, version: 2, room: { ...settings, roomDescription } } satisfies ClassUpdate));
    const emoji = '😀'.repeat(3_500);
    const fits = emoji + 'x'.repeat(14 * 1024 - bytesOf(emoji));
    const last = async () => (await student.updates()).at(-1);
    await admin.act(changeRoomInClass, { change: { roomDescription: fits } });
    await eventually(async () => expect(await last()).toMatchObject({ base: 1, version: 2, room: { roomDescription: fits } }));
    await admin.act(changeRoomInClass, { change: { roomDescription: `${fits}x` } });
    await eventually(async () => expect(await last()).toEqual({ base: 2, version: 3, isPartial: true }));
  });

  it('reaches pages that ask while LiveKit delivers nothing', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    await fixture.livekit.faults({ api: { mode: 'unavailable', methods: ['SendData'] } });
    await teacher.act(sendChatMessage, { text: 'Hello' });
    expect(await student.state(0)).toMatchObject({ version: 2, messages: [{ text: 'Hello' }] });
    await fixture.livekit.clearFaults();
    await teacher.act(sendChatMessage, { text: 'Again' });
    await eventually(async () => expect((await student.updates()).map(({ version }) => version)).toContain(3));
  });
});

describe('reactions', () => {
  const react = (member: ClassMember) => member.act(sendReaction, { emoji: '👏' });
  const older = (room: NewRoom, seconds: number) => fixture.setTime(room.sid, 'reactions.sent_at', ago(seconds));

  it('are shown for ten seconds and kept for a minute', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    const reaction = await react(teacher);
    expect(reaction).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      uid: teacher.uid,
      name: nameOf(teacher.uid),
      emoji: '👏',
      sentAt: expect.any(String),
    });
    expect((await student.state()).reactions).toEqual([reaction]);
    await eventually(async () => expect((await student.updates()).flatMap(({ reactions }) => reactions ?? [])).toEqual([reaction]));
    await older(room, 8);
    expect((await student.state()).reactions).toHaveLength(1);
    await older(room, 10.1);
    expect((await student.state()).reactions).toEqual([]);
    const kept = () => fixture.stack.rows('SELECT 1 FROM room.reactions WHERE sid = $1', [room.sid]);
    await older(room, 50);
    // The sweep that deletes old reactions also ends this room.
    const witness = await fixture.newRoom();
    await fixture.setTime(witness.sid, 'rooms.due_at', ago(0));
    await eventually(async () => expect(await fixture.state(witness.sid)).toMatchObject({ state: 'finished' }));
    expect(await kept()).toHaveLength(1);
    await older(room, 61);
    await eventually(async () => expect(await kept()).toEqual([]));
  });

  it('are limited to eight of a participant in five seconds', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    for (let n = 0; n < 8; n++) await react(student);
    await older(room, 1);
    expect(await refusal(react(student))).toBe('RATE_LIMITED');
    await react(teacher);
    await older(room, 5.1);
    await react(student);
    expect((await student.state()).version).toBe(11);
  });
});

describe('a change in class', () => {
  it('by an ADMIN changes what is given, informs everyone and is published', async () => {
    const { room, people } = await fixture.classOf(['ADMIN', 'STUDENT'], { maxParticipants: 5, emptyTimeout: 60 });
    const [admin, student] = people;
    const common = { chat: { mode: 'ALL', slowModeSeconds: 0 }, consent: { recording: null, ai: true }, waitingRoom: 'OFF' };
    const details = { title: 'New title', roomDescription: 'About y', maxParticipants: 2, emptyTimeout: 60, ...common, ...LOOK };
    const change = { title: 'New title', roomDescription: 'About y', settings: { maxParticipants: 2 } };
    expect(await admin.act(changeRoomInClass, { change })).toEqual(details);
    expect((await student.state(0)).room).toEqual(details);
    await eventually(async () => expect((await student.updates()).at(-1)?.room).toEqual(details));
    await eventually(async () => expect(await fixture.facts(roomUpdated, room.sid)).toMatchObject([{ title: 'New title' }]));
    expect(await refusal(fixture.join(room, 'third'))).toBe('ROOM_FULL');
    expect(await fixture.asBackend(getRoomStatus, { roomId: room.roomId })).toMatchObject({ title: 'New title', participantCount: 2 });
  });

  it('of the look by the backend reaches everyone, without the data of the backend', async () => {
    const { room, people } = await fixture.classOf(['TEACHER'], { metadata: { grade: 7 } });
    const change = { metadata: { grade: 8 }, customization: { theme: 'dark', showVideoControls: false } };
    await fixture.asBackend(changeRoom, { roomId: room.roomId, change });
    const look = { showLobby: true, showVideoControls: false, theme: 'dark' };
    await eventually(async () => expect((await people[0].updates()).at(-1)?.room?.customization).toEqual(look));
    expect(JSON.stringify([await people[0].updates(), await people[0].state(0)])).not.toContain('grade');
  });

  it('of emptyTimeout moves the deadline of an empty room by the difference', async () => {
    const { room, people } = await fixture.classOf(['ADMIN'], { emptyTimeout: 300 });
    await people[0].leave();
    const before = await eventually(async () => {
      const state = await fixture.state(room.sid);
      expect(state).toMatchObject({ count: 0, dueAt: expect.any(Date) });
      return state;
    });
    await people[0].act(changeRoomInClass, { change: { settings: { emptyTimeout: 420 } } });
    const after = await fixture.state(room.sid);
    expect((after.dueAt?.getTime() ?? 0) - (before.dueAt?.getTime() ?? 0)).toBe(120_000);
  });

  it('that raises the limit recreates the room in LiveKit, which accepts more participants', async () => {
    const { room, people } = await fixture.classOf(['ADMIN'], { maxParticipants: 1 });
    const [admin] = people;
    expect(await refusal(fixture.join(room, 'second'))).toBe('ROOM_FULL');
    await admin.act(changeRoomInClass, { change: { settings: { maxParticipants: 2 } } });
    expect(await fixture.livekit.truth(room.sid)).toMatchObject([{ reason: 'ROOM_DELETED' }]);
    await admin.connect();
    await (await fixture.member(room, 'second')).connect();
    await eventually(async () => expect(await fixture.state(room.sid)).toMatchObject({ state: 'live', count: 2 }));
  });
});

describe('a recording', () => {
  const startedAt = '2026-01-01T00:00:00.000Z';
  const note = ({ sid }: NewRoom, status: string, version: number) =>
    fixture.call(roomRpc.noteRecording, { sid, egressId: `EG_${sid}`, status, version, startedAt, isPaused: false });
  const isRecording = async ({ roomId }: NewRoom) => {
    const status = await fixture.asBackend(getRoomStatus, { roomId });
    return status.exists && status.isRecording;
  };

  it('is shown to the class and in the status while it starts or runs; an older state changes nothing', async () => {
    const { room, people } = await fixture.classOf(['TEACHER']);
    const [teacher] = people;
    const steps: [string, number, string | null, boolean][] = [
      ['STARTING', 1, 'STARTING', true],
      ['ACTIVE', 3, 'ACTIVE', true],
      ['STARTING', 2, 'ACTIVE', true],
      ['FAILED', 3, 'ACTIVE', true],
      ['ENDING', 4, 'ENDING', false],
      ['COMPLETED', 5, null, false],
    ];
    for (const [status, version, shown, isOn] of steps) {
      expect(await note(room, status, version)).toEqual({ isLive: true });
      expect([status, (await teacher.state()).recording, await isRecording(room)]).toEqual([
        status,
        shown && { egressId: `EG_${room.sid}`, status: shown },
        isOn,
      ]);
    }
    expect((await teacher.state()).version).toBe(5);
    await eventually(async () => expect((await teacher.updates()).at(-1)?.recording).toBeNull());
  });

  it('is paused until the next one starts', async () => {
    const { room, people } = await fixture.classOf(['TEACHER']);
    const part = (egressId: string, status: string, version: number, more: object) =>
      fixture.call(roomRpc.noteRecording, { sid: room.sid, egressId, status, version, startedAt, isPaused: false, ...more });
    const shown = async () => (await people[0].state()).recording;
    await part('EG_one', 'ACTIVE', 2, {});
    await part('EG_one', 'ENDING', 3, { isPaused: true });
    expect(await shown()).toEqual({ egressId: 'EG_one', status: 'ENDING', paused: true });
    await part('EG_one', 'COMPLETED', 4, { isPaused: true });
    expect([await shown(), await isRecording(room)]).toEqual([{ egressId: 'EG_one', status: 'COMPLETED', paused: true }, false]);
    const later = { startedAt: '2026-01-01T00:10:00.000Z' };
    await part('EG_two', 'STARTING', 1, later);
    expect(await shown()).toEqual({ egressId: 'EG_two', status: 'STARTING' });
    await part('EG_two', 'COMPLETED', 2, later);
    expect(await shown()).toBeNull();
  });

  it('stays with its room: a later state that names another room changes neither', async () => {
    const [{ room, people }, other] = [await fixture.classOf(['TEACHER']), await fixture.classOf(['TEACHER'])];
    await note(room, 'ACTIVE', 1);
    const egressId = `EG_${room.sid}`;
    await fixture.call(roomRpc.noteRecording, { sid: other.room.sid, egressId, status: 'ENDING', version: 2, startedAt, isPaused: false });
    expect([(await people[0].state()).recording, await isRecording(room)]).toEqual([{ egressId, status: 'ACTIVE' }, true]);
    expect([await other.people[0].state(), await isRecording(other.room)]).toMatchObject([{ version: 1, recording: null }, false]);
  });

  it('is learned from facts too, in any order', async () => {
    const { room, people } = await fixture.classOf(['TEACHER']);
    const { organizationId } = fixture;
    const fact = {
      organizationId,
      roomId: room.roomId,
      sid: room.sid,
      startedAt,
      endedAt: null,
      duration: null,
      reason: null,
      health: 'OK',
      isPaused: false,
      isMerged: false,
    };
    await publishFact(fixture.stack, recordingActive, room.sid, { ...fact, egressId: 'EG_a', status: 'ACTIVE', version: 2 });
    await publishFact(fixture.stack, recordingFailed, room.sid, { ...fact, egressId: 'EG_b', status: 'FAILED', version: 1 });
    await eventually(async () => expect((await people[0].state()).version).toBe(3));
    expect([(await people[0].state()).recording, await isRecording(room)]).toEqual([{ egressId: 'EG_a', status: 'ACTIVE' }, true]);
    await publishFact(fixture.stack, recordingCompleted, room.sid, { ...fact, egressId: 'EG_a', status: 'COMPLETED', version: 3 });
    await eventually(async () => expect(await isRecording(room)).toBe(false));
  });

  it('of a room that has ended is not running, and the end says that there was one', async () => {
    const { room, people } = await fixture.classOf(['TEACHER']);
    await note(room, 'ACTIVE', 1);
    expect(await people[0].act(endClass, {})).toMatchObject({ wasRecording: true });
    expect(await isRecording(room)).toBe(false);
    expect(await note(room, 'ACTIVE', 2)).toEqual({ isLive: false });
    expect(await isRecording(room)).toBe(false);
    expect(await note({ ...room, sid: 'RM_0000000000000000' }, 'ACTIVE', 1)).toEqual({ isLive: false });
    expect(await note(await fixture.newRoom(), 'STARTING', 1)).toEqual({ isLive: false });
  });
});
