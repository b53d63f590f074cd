import { randomUUID } from 'node:crypto';
import {
  type ChatMessage,
  chatMessageDeleted,
  chatMessageReported,
  deleteChatMessage,
  deleteRoom,
  interactionRpc,
  listChatMessages,
  reportChatMessage,
  sendChatMessage,
} from '@classroom/contracts';
import { eventually, inLongForm, rowsWith } from '@classroom/testing';
import type { ClassMember } from '../support/class-member.js';
import { refusal, type NewRoom, type RoomFixture } from '../support/room-fixture.js';
import { sharedFixture } from '../support/shared-fixture.js';

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const send = (member: ClassMember, text: string, id?: string) => member.act(sendChatMessage, { text, ...(id && { id }) });
const chatOf = (room: NewRoom, cursor?: string, limit = 200) =>
  fixture.asBackend(interactionRpc.chatPage, { roomId: room.roomId, limit, ...(cursor && { cursor }) });
/** The messages in the packets that a participant received. */
const received = async (member: ClassMember) => (await member.updates()).flatMap(({ messages = [] }) => messages);

describe('a deleted message', () => {
  it('leaves a tombstone for everyone, and its text nowhere', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT']);
    const [teacher, author, other] = people;
    const text = `rude ${randomUUID()}`;
    const id = randomUUID();
    const sent = await send(author, text, id);
    await send(teacher, 'between');
    expect(await rowsWith(fixture.stack, text)).toEqual({ 'room.chat_messages': 1 });
    const { version } = await other.state();
    const tombstone = await teacher.act(deleteChatMessage, { messageId: sent.id });
    expect(tombstone).toEqual({ ...sent, text: '', deletedAt: expect.any(String), deletedBy: teacher.uid });
    expect(await rowsWith(fixture.stack, text)).toEqual({});

    // A page that has the message learns of it, by a packet and by its next request; a new page gets the tombstone in its place.
    expect(await other.state(version)).toMatchObject({ version: version + 1, messages: [tombstone] });
    await eventually(async () => expect(await received(other)).toContainEqual(tombstone));
    for (const member of [teacher, author, other, await fixture.member(room, 'late')]) {
      expect((await member.state()).messages).toEqual([tombstone, expect.objectContaining({ text: 'between' })]);
      expect((await member.act(listChatMessages, { limit: 10 })).messages[0]).toEqual(tombstone);
    }
    expect((await chatOf(room)).messages[0]).toEqual(tombstone);
    // The author's page repeats its request.
    expect(await send(author, text, id)).toEqual(tombstone);
    expect(await rowsWith(fixture.stack, text)).toEqual({});
    const published = await eventually(async () => {
      const facts = await fixture.facts(chatMessageDeleted, room.sid);
      expect(facts).toHaveLength(1);
      return facts;
    });
    const { organizationId } = fixture;
    const { sid, roomId } = room;
    const { deletedAt } = tombstone;
    expect(published).toEqual([{ organizationId, sid, roomId, messageId: id, uid: author.uid, deletedBy: teacher.uid, deletedAt }]);
  });

  it('is deleted once, also by many at the same time', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT', 'MODERATOR']);
    const [teacher, author, moderator] = people;
    const { id: messageId } = await send(author, 'rude');
    const deletions = [teacher, moderator, teacher, moderator].map((member) => member.act(deleteChatMessage, { messageId }));
    const [first, ...others] = await Promise.all(deletions);
    for (const it of others) expect(it).toEqual(first);
    const { roomId } = room;
    expect(await fixture.asBackend(deleteChatMessage, { roomId, messageId })).toEqual(first);
    expect((await author.state()).version).toBe(3);
    await eventually(async () => expect(await fixture.facts(chatMessageDeleted, room.sid)).toHaveLength(1));
  });

  it('is also one that the backend deletes, during the class and after it', async () => {
    const { room, people } = await fixture.classOf(['STUDENT']);
    const [author] = people;
    const { roomId } = room;
    const [one, two] = [await send(author, 'one'), await send(author, 'two')];
    const remove = (messageId: string) => fixture.asBackend(deleteChatMessage, { roomId, messageId });
    expect(await remove(one.id)).toMatchObject({ text: '', deletedBy: null });
    expect((await author.state()).messages).toMatchObject([{ text: '', deletedBy: null }, { text: 'two' }]);
    await fixture.asBackend(deleteRoom, { roomId });
    await remove(two.id);
    expect((await chatOf(room)).messages.map(({ text }) => text)).toEqual(['', '']);
    await eventually(async () =>
      expect((await fixture.facts(chatMessageDeleted, room.sid)).map(({ deletedBy }) => deletedBy)).toEqual(['', '']),
    );
    expect(await refusal(remove(randomUUID()))).toBe('CHAT_MESSAGE_NOT_FOUND');
    expect(await refusal(fixture.asBackend(deleteChatMessage, { roomId: 'never', messageId: two.id }))).toBe('ROOM_NOT_FOUND');
  });

  it('of another room or organization is not found', async () => {
    const [one, other] = [await fixture.classOf(['TEACHER', 'STUDENT']), await fixture.classOf(['TEACHER'])];
    const { id: messageId } = await send(one.people[1], 'mine');
    for (const contract of [deleteChatMessage, reportChatMessage])
      expect(await refusal(other.people[0].act(contract, { messageId }))).toBe('CHAT_MESSAGE_NOT_FOUND');
    const { roomId } = one.room;
    const foreign = { organizationId: `org_${randomUUID()}`, roomId, messageId };
    expect(await refusal(fixture.call(deleteChatMessage, foreign))).toBe('ROOM_NOT_FOUND');
    expect(await refusal(fixture.asBackend(deleteChatMessage, { roomId: other.room.roomId, messageId }))).toBe('CHAT_MESSAGE_NOT_FOUND');
    expect((await chatOf(one.room)).messages).toMatchObject([{ text: 'mine' }]);
  });

  it('to the teachers is a tombstone for its author, and no other student learns of it', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT'], { chat: { mode: 'TEACHERS' } });
    const [teacher, author, other] = people;
    const { id: messageId } = await send(author, 'secret');
    const { version } = await author.state();
    const tombstone = await teacher.act(deleteChatMessage, { messageId });
    expect((await author.state(version)).messages).toEqual([tombstone]);
    expect((await other.state(version)).messages).toEqual([]);
    await eventually(async () =>
      expect((await other.updates()).at(-1)).toMatchObject({ version: version + 1, messages: [], hidden: 'AUTHORS' }),
    );
  });

  inLongForm(it)(
    'is among the changes of a page that missed more than fit: it gets the newest messages and forgets the others',
    async () => {
      const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
      const [teacher] = people;
      await fixture.fillChat(room, 2, 251, (n) => `text ${n}`);
      const first = await chatOf(room);
      const second = await chatOf(room, first.nextCursor ?? '');
      const sent = [...first.messages, ...second.messages];
      expect(sent.map(({ version }) => version)).toEqual(Array.from({ length: 250 }, (_, n) => n + 2));
      const remove = async (from: number, to: number) => {
        for (const { id } of sent.slice(from - 2, to - 1)) await teacher.act(deleteChatMessage, { messageId: id });
      };
      await remove(2, 21);
      const few = await teacher.state(251);
      expect([few.messages?.length, few.messages?.every(({ deletedAt }) => deletedAt), few.hasOlderMessages]).toEqual([
        20,
        true,
        undefined,
      ]);
      await remove(22, 201);
      const many = await teacher.state(251);
      expect([many.messages?.length, many.messages?.[0]?.version, many.hasOlderMessages]).toEqual([200, 52, true]);
      expect(many.messages?.filter(({ deletedAt }) => deletedAt)).toHaveLength(150);
    },
  );
});

describe('a reported message', () => {
  it('shows teachers how often it was reported, once for each participant, and students nothing', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT', 'STUDENT']);
    const [teacher, author, a, b] = people;
    const sent = await send(author, 'rude');
    const { version } = await teacher.state();
    const report = (member: ClassMember) => member.act(reportChatMessage, { messageId: sent.id });
    const reports = await Promise.all([report(a), report(a), report(a)]);
    expect(reports).toEqual(Array(3).fill({ messageId: sent.id, reportedAt: expect.any(String) }));
    expect(new Set(reports.map(({ reportedAt }) => reportedAt)).size).toBe(1);
    expect((await teacher.state(version)).messages).toEqual([{ ...sent, reports: 1 }]);
    await report(b);
    expect((await teacher.state()).messages).toEqual([{ ...sent, reports: 2 }]);
    for (const member of [author, a, b]) {
      expect((await member.state()).messages).toEqual([sent]);
      expect((await member.state(version)).messages).toEqual([]);
    }
    await eventually(async () => {
      const updates = await a.updates();
      expect(updates.at(-1)).toMatchObject({ version: version + 2, hidden: 'TEACHERS' });
      expect(JSON.stringify(updates)).not.toContain('reports');
    });
    expect((await chatOf(room)).messages).toEqual([{ ...sent, reports: 2 }]);
    const facts = await eventually(async () => {
      const found = await fixture.facts(chatMessageReported, room.sid);
      expect(found).toHaveLength(2);
      return found;
    });
    expect(facts.map(({ uid, reportedBy }) => [uid, reportedBy])).toEqual([
      [author.uid, a.uid],
      [author.uid, b.uid],
    ]);
    expect(JSON.stringify(facts)).not.toContain('rude');
  });

  it('that was deleted can no longer be reported, but an earlier report is repeated', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT']);
    const [teacher, a, b] = people;
    const { id: messageId } = await send(teacher, 'rude');
    const first = await a.act(reportChatMessage, { messageId });
    await teacher.act(deleteChatMessage, { messageId });
    expect(await a.act(reportChatMessage, { messageId })).toEqual(first);
    expect(await refusal(b.act(reportChatMessage, { messageId }))).toBe('CHAT_MESSAGE_NOT_FOUND');
    expect((await teacher.state()).messages).toMatchObject([{ text: '', reports: 1 }]);
    expect((await b.state()).messages?.[0]).not.toHaveProperty('reports');
  });

  it('to the teachers is not found by another student', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT'], { chat: { mode: 'TEACHERS' } });
    const [teacher, author, other] = people;
    const { id: messageId } = await send(author, 'secret');
    expect(await refusal(other.act(reportChatMessage, { messageId }))).toBe('CHAT_MESSAGE_NOT_FOUND');
    await teacher.act(reportChatMessage, { messageId });
    // Its author learns nothing of the report.
    expect((await author.state()).messages?.[0]).not.toHaveProperty('reports');
    expect(await send(author, 'secret', messageId)).not.toHaveProperty('reports');
  });

  it('is one of at most ten of a participant in a minute', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    await fixture.fillChat(room, 1001, 1011, () => 'text');
    const { messages } = await chatOf(room);
    const report = ({ id }: ChatMessage) => student.act(reportChatMessage, { messageId: id });
    for (const message of messages.slice(0, 10)) await report(message);
    const last = messages[10] as ChatMessage;
    expect(await refusal(report(last))).toBe('RATE_LIMITED retryAfter');
    await teacher.act(reportChatMessage, { messageId: last.id });
    await fixture.age(room.sid, 61, 'chat_reports.reported_at');
    await report(last);
  });
});

describe('the chat for the backend', () => {
  it('is read page by page, the earliest message first, with private and deleted messages, also after the class', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT'], { chat: { mode: 'TEACHERS' } });
    const [teacher, student] = people;
    for (let n = 1; n <= 4; n++) await send(n % 2 ? teacher : student, `message ${n}`);
    await fixture.asBackend(deleteRoom, { roomId: room.roomId });
    const first = await chatOf(room, undefined, 3);
    expect(first).toMatchObject({
      messages: [{ text: 'message 1' }, { text: 'message 2', audience: 'TEACHERS' }, { text: 'message 3' }],
      nextCursor: expect.any(String),
    });
    expect(await chatOf(room, first.nextCursor ?? '', 3)).toMatchObject({ messages: [{ text: 'message 4' }], nextCursor: null });
    expect(await refusal(chatOf(room, 'x'))).toBe('VALIDATION_FAILED cursor');
    expect(await refusal(fixture.asBackend(interactionRpc.chatPage, { roomId: 'never', limit: 1 }))).toBe('ROOM_NOT_FOUND');
    const file = await fixture.textForBackend(interactionRpc.exportChat, { roomId: room.roomId, isTable: false });
    expect(file).toContain(`Room ID,${room.roomId}\r\nRoom Title,"A class"\r\n`);
    expect(file.match(/message \d/g)).toEqual(['message 1', 'message 2', 'message 3', 'message 4']);
    expect(await refusal(fixture.textForBackend(interactionRpc.exportChat, { roomId: 'never', isTable: true }))).toBe('ROOM_NOT_FOUND');
  });

  it('with the longest messages is returned in pages that fit into a message, each once', async () => {
    const room = await fixture.newRoom();
    await fixture.fillChat(room, 2, 301, () => '😀'.repeat(2000), '課'.repeat(256));
    const seen: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await chatOf(room, cursor);
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(512 * 1024);
      seen.push(...page.messages.map(({ version }) => version));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(Array.from({ length: 300 }, (_, n) => n + 2));
    const file = await fixture.textForBackend(interactionRpc.exportChat, { roomId: room.roomId, isTable: true });
    expect(file.split('\r\n')).toHaveLength(302);
  });
});
