import { randomUUID } from 'node:crypto';
import { RoomEvent } from '@livekit/rtc-node';
import type { ClassUpdate } from '@classroom/contracts';
import {
  ApiClient,
  eventually,
  first,
  newOrganization,
  newRoom,
  person,
  present,
  rowsWith,
  RtcParticipant,
  sharedStack,
  type RunningStack,
} from '@classroom/testing';

/** Moderation of the chat, as a backend and the participants use it, delivered over a real LiveKit. */
describe('the chat of a class', () => {
  let stack: RunningStack;
  let api: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    ({ api } = await newOrganization(stack));
  });

  afterAll(() => RtcParticipant.disposeAll());

  async function enter(roomId: string, uid: string, role: string, permissions?: object) {
    const { token } = (await api.post(`/v1/room/${roomId}/join`, { participant: { ...person(uid, role), permissions } })).body.data;
    const session = (await api.bearer(token).post('/v1/classroom/session')).body.data;
    return { session, api: api.bearer(session.classroomToken as string) };
  }

  /** Everything that LiveKit delivers to a participant, as text. */
  async function packetsTo(livekitToken: string): Promise<string[]> {
    const rtc = await RtcParticipant.connect(stack.urls.livekitPublic, livekitToken);
    const packets: string[] = [];
    rtc.room.on(RoomEvent.DataReceived, (payload) => packets.push(Buffer.from(payload).toString()));
    return packets;
  }

  async function classOf(settings: object = {}) {
    const { roomId } = await newRoom(api, { settings });
    const [teacher, author, other] = [
      await enter(roomId, 't', 'TEACHER'),
      await enter(roomId, 'a', 'STUDENT'),
      await enter(roomId, 'b', 'STUDENT'),
    ];
    return { roomId, teacher, author, other };
  }

  type Member = Awaited<ReturnType<typeof enter>>;
  const send = async ({ api: member }: Member, text: string) => (await member.post('/v1/classroom/chat', { text })).body.data;
  const messagesOf = async ({ api: member }: Member) => (await member.get('/v1/classroom/state')).body.data.messages;
  const eventsOf = async (roomId: string, type: string) => {
    const { events } = (await api.get(`/v1/events?types=${type}&limit=1000`)).body.data;
    return events.filter(({ data }) => 'roomId' in data && data.roomId === roomId);
  };

  it('loses the text of a message that a teacher deletes, in every answer, packet and event', async () => {
    const { roomId, teacher, author, other } = await classOf();
    const packets = await packetsTo(other.session.livekitToken);
    const text = `rude ${randomUUID()}`;
    const { id } = await send(author, text);
    await eventually(() => expect(packets.join('')).toContain(text));
    packets.length = 0;
    expect(await author.api.delete(`/v1/classroom/chat/${id}`)).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } });
    const { status, body } = await teacher.api.delete(`/v1/classroom/chat/${id}`);
    expect([status, body]).toMatchObject([200, { message: 'Message deleted', data: { id, text: '', uid: 'a', deletedBy: 't' } }]);
    expect((await teacher.api.delete(`/v1/classroom/chat/${id}`)).body).toEqual(body);
    await eventually(() => expect(packets.join('')).toContain('"deletedBy":"t"'));
    for (const member of [teacher, author, other]) expect(await messagesOf(member)).toEqual([body.data]);
    const [event] = await eventually(async () => {
      const events = await eventsOf(roomId, 'chat.message_deleted');
      expect(events).toHaveLength(1);
      return events;
    });
    expect(event?.data).toMatchObject({ roomId, messageId: id, uid: 'a', deletedBy: 't', deletedAt: body.data.deletedAt });
    const answers = await Promise.all([
      api.get(`/v1/room/${roomId}/chat`),
      api.get(`/v1/room/${roomId}/chat?export=csv`),
      api.get('/v1/events?limit=1000'),
      other.api.get('/v1/classroom/chat'),
    ]);
    expect(packets.join('') + answers.map((it) => it.text).join('')).not.toContain(text);
    expect(await rowsWith(stack, text)).toEqual({});
  });

  it('is reported to the teachers and to the backend', async () => {
    const { roomId, teacher, author, other } = await classOf();
    const { id } = await send(author, 'rude');
    const report = () => other.api.post(`/v1/classroom/chat/${id}/report`);
    const { status, body } = await report();
    expect([status, body]).toMatchObject([200, { message: 'Message reported', data: { messageId: id, reportedAt: expect.any(String) } }]);
    expect((await report()).body).toEqual(body);
    expect(await messagesOf(teacher)).toMatchObject([{ id, reports: 1 }]);
    expect(first(present(await messagesOf(author)))).not.toHaveProperty('reports');
    await eventually(async () =>
      expect(await eventsOf(roomId, 'chat.message_reported')).toMatchObject([{ data: { messageId: id, uid: 'a', reportedBy: 'b' } }]),
    );
    for (const unknown of [randomUUID(), 'no-uuid']) {
      const answer = await other.api.post(`/v1/classroom/chat/${unknown}/report`);
      expect([answer.status, answer.body.error]).toEqual(
        unknown === 'no-uuid' ? [400, 'VALIDATION_FAILED'] : [404, 'CHAT_MESSAGE_NOT_FOUND'],
      );
    }
  });

  it('to the teachers does not reach another student’s browser', async () => {
    const { teacher, author, other } = await classOf({ chat: { mode: 'TEACHERS' } });
    const packets = await packetsTo(other.session.livekitToken);
    const secret = `secret ${randomUUID()}`;
    await send(author, secret);
    const open = await send(teacher, 'for everyone');
    await eventually(() => expect(packets.join('')).toContain('for everyone'));
    expect(await messagesOf(teacher)).toMatchObject([{ text: secret, audience: 'TEACHERS' }, { id: open.id }]);
    expect(await messagesOf(author)).toHaveLength(2);
    expect(await messagesOf(other)).toEqual([open]);
    expect((await other.api.get('/v1/classroom/chat')).body.data.messages).toEqual([open]);
    expect(packets.join('')).not.toContain(secret);
    const announced = packets.map((packet) => (JSON.parse(packet) as ClassUpdate).hidden);
    expect(announced).toContain('TEACHERS');
  });

  it('is closed, opened and slowed down by teacher and backend, with effect on the next message', async () => {
    const { roomId, teacher, author, other } = await classOf({ chat: { mode: 'OFF' } });
    const refused = async ({ api: member }: Member) => {
      const { status, body, headers } = await member.post('/v1/classroom/chat', { text: 'Hello' });
      return [status, body.error, headers.get('retry-after')];
    };
    expect(await refused(author)).toEqual([403, 'CHAT_OFF', null]);
    expect((await author.api.patch('/v1/classroom/room', { settings: { chat: { mode: 'ALL' } } })).status).toBe(403);
    expect((await teacher.api.patch('/v1/classroom/room', { settings: { maxParticipants: 5 } })).status).toBe(403);
    const opened = await teacher.api.patch('/v1/classroom/room', { settings: { chat: { mode: 'ALL' } } });
    expect(opened.body.data.chat).toEqual({ mode: 'ALL', slowModeSeconds: 0 });
    await send(author, 'one');
    await send(author, 'two');
    const slowed = await api.patch(`/v1/room/${roomId}`, { settings: { chat: { slowModeSeconds: 600 } } });
    expect(slowed.body.data.chat).toEqual({ mode: 'ALL', slowModeSeconds: 600 });
    const { status, body, headers } = await author.api.post('/v1/classroom/chat', { text: 'too early' });
    const seconds = headers.get('retry-after');
    expect([status, body]).toMatchObject([429, { error: 'RATE_LIMITED', details: [{ path: 'retryAfter', message: seconds }] }]);
    expect(Number(seconds)).toBeGreaterThan(500);
    expect(Number(seconds)).toBeLessThanOrEqual(600);
    await send(other, 'first of another');
    for (const text of ['a', 'b']) expect(await send(teacher, text)).toMatchObject({ text });
    const invalid = await api.patch(`/v1/room/${roomId}`, { settings: { chat: { mode: 'off', slowModeSeconds: -1 } } });
    expect([invalid.status, invalid.body.details.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      ['settings.chat.mode', 'settings.chat.slowModeSeconds'],
    ]);
  });

  it('is read only by a participant whose token says so', async () => {
    const { roomId, author } = await classOf();
    const silent = await enter(roomId, 's', 'STUDENT', { chat: false });
    expect([author.session.permissions.chat, silent.session.permissions.chat]).toEqual([true, false]);
    expect((await silent.api.post('/v1/classroom/chat', { text: 'no' })).body.error).toBe('FORBIDDEN');
    await send(author, 'yes');
    expect(await messagesOf(silent)).toMatchObject([{ text: 'yes' }]);
  });

  it('is read by the backend in pages and as CSV, and moderated, also after the class', async () => {
    const { roomId, teacher, author } = await classOf();
    for (const text of ['=HYPERLINK("x")', 'two', 'three']) await send(author, text);
    await send(teacher, 'four');
    await api.delete(`/v1/room/${roomId}`);
    const first = (await api.get(`/v1/room/${roomId}/chat?limit=3`)).body.data;
    expect(first.messages).toMatchObject([{ text: '=HYPERLINK("x")', uid: 'a' }, { text: 'two' }, { text: 'three' }]);
    const second = (await api.get(`/v1/room/${roomId}/chat?limit=3&cursor=${first.nextCursor}`)).body.data;
    expect(second).toMatchObject({ messages: [{ text: 'four', role: 'TEACHER' }], nextCursor: null });
    const { id } = present(first.messages[1]);
    expect((await api.delete(`/v1/room/${roomId}/chat/${id}`)).body.data).toMatchObject({ id, text: '', deletedBy: null });
    const csv = await api.get(`/v1/room/${roomId}/chat?export=csv`);
    expect([csv.status, csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="chat.csv"',
    ]);
    const lines = csv.text.split('\r\n').slice(5, -1);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain(`,"'=HYPERLINK(""x"")",Everyone,0,,,`);
    expect(lines[1]).toMatch(/,STUDENT,,Everyone,0,.+,Backend,/);
    const other = (await newOrganization(stack)).api;
    for (const path of [`/v1/room/${roomId}/chat`, `/v1/room/${roomId}/chat?export=csv`])
      expect((await other.get(path)).body.error).toBe('ROOM_NOT_FOUND');
    expect((await other.delete(`/v1/room/${roomId}/chat/${id}`)).body.error).toBe('ROOM_NOT_FOUND');
    const key = (await api.post('/v1/api-keys', { name: 'Reader', scopes: ['chat:read'] })).body.data.secret as string;
    const reader = new ApiClient(stack.urls.gateway).bearer(key);
    expect((await reader.get(`/v1/room/${roomId}/chat`)).status).toBe(200);
    expect((await reader.delete(`/v1/room/${roomId}/chat/${id}`)).body.error).toBe('FORBIDDEN');
  });
});
