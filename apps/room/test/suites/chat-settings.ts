import { randomUUID } from 'node:crypto';
import {
  changeRole,
  changeRoom,
  changeRoomInClass,
  type ChatMessage,
  type ClassUpdate,
  listChatMessages,
  sendChatMessage,
} from '@classroom/contracts';
import { eventually } from '@classroom/testing';
import { ClassMember } from '../support/class-member.js';
import { refusal, type RoomFixture } from '../support/room-fixture.js';
import { sharedFixture } from '../support/shared-fixture.js';

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const send = (member: ClassMember, text: string, id?: string) => member.act(sendChatMessage, { text, ...(id && { id }) });
const textsOf = (messages: readonly ChatMessage[] = []) => messages.map(({ text }) => text);
const older = (sid: string, seconds: number) => fixture.age(sid, seconds, 'chat_messages.sent_at');

describe('the chat settings of a room', () => {
  it('are given at creation, changed by the backend or a teacher, and known to everyone at once', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT'], { chat: { slowModeSeconds: 20 } });
    const [teacher, student] = people;
    expect((await student.state()).room?.chat).toEqual({ mode: 'ALL', slowModeSeconds: 20 });
    const changed = await teacher.act(changeRoomInClass, { change: { settings: { chat: { mode: 'OFF' } } } });
    expect(changed.chat).toEqual({ mode: 'OFF', slowModeSeconds: 20 });
    await eventually(async () => expect((await student.updates()).at(-1)?.room?.chat).toEqual(changed.chat));
    const { chat } = await fixture.asBackend(changeRoom, { roomId: room.roomId, change: { settings: { chat: { slowModeSeconds: 0 } } } });
    expect(chat).toEqual({ mode: 'OFF', slowModeSeconds: 0 });
    expect((await student.state()).room).toMatchObject({ title: 'A class', chat });
    const wrong = { mode: 'NEVER' as 'OFF', slowModeSeconds: 3601 };
    expect(await refusal(fixture.asBackend(changeRoom, { roomId: room.roomId, change: { settings: { chat: wrong } } }))).toBe(
      'VALIDATION_FAILED change.settings.chat.mode change.settings.chat.slowModeSeconds',
    );
  });

  it('OFF silence students, but not teachers, moderators and admins, until they are changed', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT', 'MODERATOR', 'ADMIN'], { chat: { mode: 'OFF' } });
    const [teacher, student, moderator, admin] = people;
    expect(await refusal(send(student, 'no'))).toBe('CHAT_OFF');
    for (const member of [teacher, moderator, admin]) await send(member, 'yes');
    expect(textsOf((await student.state()).messages)).toEqual(['yes', 'yes', 'yes']);
    await teacher.act(changeRoomInClass, { change: { settings: { chat: { mode: 'ALL' } } } });
    await send(student, 'now');
    expect(textsOf((await teacher.state()).messages).at(-1)).toBe('now');
  });

  it('do not reject a message that was accepted before, and is sent again', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    const id = randomUUID();
    const sent = await send(student, 'once', id);
    await teacher.act(changeRoomInClass, { change: { settings: { chat: { mode: 'OFF' } } } });
    expect(await send(student, 'once', id)).toEqual(sent);
  });
});

describe('with the chat to the teachers', () => {
  it('a student’s message reaches its author and those who manage participants, and no other student in any way', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT', 'MODERATOR', 'ADMIN'], { chat: { mode: 'TEACHERS' } });
    const [teacher, author, other, moderator, admin] = people;
    const secret = `secret ${randomUUID()}`;
    const sent = await send(author, secret);
    expect(sent).toMatchObject({ text: secret, audience: 'TEACHERS' });
    const open = await send(teacher, 'to all');
    expect(open).not.toHaveProperty('audience');
    for (const member of [teacher, author, moderator, admin]) {
      expect((await member.state()).messages).toEqual([sent, open]);
      expect((await member.act(listChatMessages, { limit: 10 })).messages).toEqual([sent, open]);
    }
    const late = await fixture.member(room, 'late');
    for (const member of [other, late]) {
      expect((await member.state()).messages).toEqual([open]);
      expect((await member.act(listChatMessages, { limit: 10 })).messages).toEqual([open]);
      expect((await member.state(1)).messages).toEqual([open]);
    }
    // The packets are the same for everyone in class, and name who has to request the rest.
    const packets = await eventually(async () => {
      const updates = await other.updates();
      // Packets may overlap.
      expect(new Set(updates.flatMap(({ messages = [] }) => messages.map(({ id }) => id)))).toEqual(new Set([open.id]));
      return updates;
    });
    expect(packets.some(({ hidden }: ClassUpdate) => hidden === 'TEACHERS')).toBe(true);
    expect(JSON.stringify([packets, await teacher.updates()])).not.toContain(secret);
  });

  it('a role decides at the moment of reading what its participant gets', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT'], { chat: { mode: 'TEACHERS' } });
    const [, author, other] = people;
    await send(author, 'secret');
    const become = (role: 'MODERATOR' | 'STUDENT') => fixture.asBackend(changeRole, { roomId: room.roomId, uid: other.uid, role });
    await become('MODERATOR');
    expect(textsOf((await other.state()).messages)).toEqual(['secret']);
    await become('STUDENT');
    expect(textsOf((await other.state()).messages)).toEqual([]);
  });

  it('messages stay private when the chat is opened again, and no other student can use the id of one', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT'], { chat: { mode: 'TEACHERS' } });
    const [teacher, author, other] = people;
    const { id } = await send(author, 'secret');
    await teacher.act(changeRoomInClass, { change: { settings: { chat: { mode: 'ALL' } } } });
    await send(author, 'open');
    expect(textsOf((await other.state()).messages)).toEqual(['open']);
    expect(await refusal(send(other, 'mine', id))).toBe('VALIDATION_FAILED id');
  });
});

describe('slow mode', () => {
  it('accepts one message of a student in its time, and says when the next is accepted', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT'], { chat: { slowModeSeconds: 60 } });
    const [teacher, a, b] = people;
    const rejected = async (member: ClassMember) => {
      const error = await send(member, 'too early').then(
        () => undefined,
        (it: { code: string; details: { path: string; message: string }[] }) => it,
      );
      expect(error).toMatchObject({ code: 'RATE_LIMITED', details: [{ path: 'retryAfter', message: expect.stringMatching(/^\d+$/) }] });
      return Number(error?.details[0]?.message);
    };
    await send(a, 'first');
    await send(b, 'of another');
    await older(room.sid, 20);
    const wait = await rejected(a);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(40);
    for (const text of ['one', 'two', 'three']) await send(teacher, text);
    await older(room.sid, 40);
    await send(a, 'second');
    await rejected(a);
    await teacher.act(changeRoomInClass, { change: { settings: { chat: { slowModeSeconds: 0 } } } });
    await send(a, 'third');
  });

  it('accepts only one of many messages that a student sends at the same time', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT'], { chat: { slowModeSeconds: 60 } });
    const [teacher, student] = people;
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        send(student, `${n}`).then(
          () => 'OK',
          ({ code }) => code as string,
        ),
      ),
    );
    expect(outcomes.sort()).toEqual(['OK', ...Array<string>(7).fill('RATE_LIMITED')]);
    expect((await teacher.state()).messages).toHaveLength(1);
  });
});

describe('the permission to chat of a participant', () => {
  const open = async (room: Parameters<RoomFixture['join']>[0] & { sid: string; token: string }, permissions?: { chat?: boolean }) =>
    ClassMember.open(fixture, room, 'bob', await fixture.join(room, 'bob', 'STUDENT', permissions));

  it('is what the latest token says, whatever the role is', async () => {
    const { room } = await fixture.classOf(['TEACHER']);
    const silent = await open(room, { chat: false });
    expect(silent.session.permissions).toMatchObject({ chat: false, publish: false });
    expect(await refusal(send(silent, 'no'))).toBe('FORBIDDEN');
    // It applies to a session that is open already.
    await fixture.join(room, 'bob');
    await send(silent, 'yes');
    await fixture.join(room, 'bob', 'STUDENT', { chat: false });
    expect(await refusal(send(silent, 'no'))).toBe('FORBIDDEN');
    expect((await open(room, {})).session.permissions).toMatchObject({ chat: true });
  });
});
