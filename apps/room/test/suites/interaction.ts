import { randomUUID } from 'node:crypto';
import {
  closePoll,
  createPoll,
  deleteRoom,
  interactionRpc,
  listChatMessages,
  lowerAllHands,
  lowerHand,
  raiseHand,
  sendChatMessage,
  votePoll,
  type pollReport,
} from '@classroom/contracts';
import { addPolls, eventually, inLongForm } from '@classroom/testing';
import type { z } from 'zod';
import type { ClassMember } from '../support/class-member.js';
import { nameOf, refusal, type NewRoom, type RoomFixture } from '../support/room-fixture.js';
import { sharedFixture } from '../support/shared-fixture.js';

let fixture: RoomFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});

const uidsOf = (people: { uid: string }[]) => people.map(({ uid }) => uid);

describe('hands', () => {
  it('are ordered by when they were raised; raising again keeps the place', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT']);
    const [teacher, first, second] = people;
    const raise = async (member: ClassMember, raised = true) => uidsOf((await member.act(raiseHand, { raised })).hands);
    expect(await raise(second)).toEqual([second.uid]);
    expect(await raise(first)).toEqual([second.uid, first.uid]);
    expect(await raise(second)).toEqual([second.uid, first.uid]);
    // A class begins at version 1; the repeated one is no change.
    expect(await teacher.state()).toMatchObject({ version: 3, hands: [{ uid: second.uid, name: nameOf(second.uid) }, { uid: first.uid }] });
    await eventually(async () => expect(uidsOf((await teacher.updates()).at(-1)?.hands ?? [])).toEqual([second.uid, first.uid]));
    expect(await raise(second, false)).toEqual([first.uid]);
    expect(await raise(second, false)).toEqual([first.uid]);
    expect(await raise(second)).toEqual([first.uid, second.uid]);
    expect((await teacher.state()).version).toBe(5);
  });

  it('are lowered one by one or all together, and only a change has a version', async () => {
    const { people } = await fixture.classOf(['MODERATOR', 'STUDENT', 'STUDENT', 'STUDENT']);
    const [moderator, ...students] = people;
    for (const student of students) await student.act(raiseHand, { raised: true });
    const lower = async (uid: string) => uidsOf((await moderator.act(lowerHand, { uid })).hands);
    expect(await lower('student-2')).toEqual(['student-1', 'student-3']);
    expect(await lower('student-2')).toEqual(['student-1', 'student-3']);
    expect((await moderator.state()).version).toBe(5);
    expect(await moderator.act(lowerAllHands, {})).toEqual({ hands: [] });
    expect(await moderator.act(lowerAllHands, {})).toEqual({ hands: [] });
    expect(await moderator.state()).toMatchObject({ version: 6, hands: [] });
  });
});

describe('a poll', () => {
  const reportOf = async ({ roomId }: Pick<NewRoom, 'roomId'>) =>
    JSON.parse(await fixture.textForBackend(interactionRpc.exportPolls, { roomId })) as z.infer<typeof pollReport>[];
  const ask = (teacher: ClassMember, question = 'Ready?') => teacher.act(createPoll, { question, options: ['Yes', 'No', 'Maybe'] });

  it('counts one vote for each participant, whichever of many arrives first', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT']);
    const [teacher, a, b] = people;
    const poll = await ask(teacher);
    expect(poll).toEqual({
      pollId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      question: 'Ready?',
      options: ['Yes', 'No', 'Maybe'].map((text) => ({ text, votes: 0 })),
      status: 'open',
      totalVotes: 0,
      createdBy: { uid: teacher.uid, name: nameOf(teacher.uid) },
      createdAt: expect.any(String),
      closedAt: null,
    });
    const { pollId } = poll;
    const vote = (member: ClassMember, option: number) => member.act(votePoll, { pollId, option });
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        vote(a, n % 2).then(
          () => 'OK',
          ({ code }) => code as string,
        ),
      ),
    );
    expect(outcomes.sort()).toEqual([...Array<string>(6).fill('ALREADY_VOTED'), ...Array<string>(6).fill('OK')]);
    const { ownVotes, polls } = await a.state();
    expect(Object.keys(ownVotes)).toEqual([pollId]);
    expect(polls).toMatchObject([{ totalVotes: 1 }]);
    expect((await b.state()).ownVotes).toEqual({});
    expect(await vote(b, 2)).toMatchObject({ option: 2, poll: { totalVotes: 2, options: [{}, {}, { text: 'Maybe', votes: 1 }] } });
    expect(await refusal(vote(b, 3))).toBe('VALIDATION_FAILED option');
    // Created, two votes: the repeated ones are no change.
    expect((await b.state()).version).toBe(4);
    await eventually(async () => expect((await teacher.updates()).at(-1)?.polls).toMatchObject([{ pollId, totalVotes: 2 }]));
  });

  it('accepts no vote after it was closed, except one that was given before', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT']);
    const [teacher, a, b] = people;
    const { pollId } = await ask(teacher);
    await a.act(votePoll, { pollId, option: 1 });
    const closed = await teacher.act(closePoll, { pollId });
    expect(closed).toMatchObject({ status: 'closed', totalVotes: 1, closedAt: expect.any(String) });
    expect(await teacher.act(closePoll, { pollId })).toEqual(closed);
    expect(await a.act(votePoll, { pollId, option: 1 })).toEqual({ poll: closed, option: 1 });
    expect(await refusal(a.act(votePoll, { pollId, option: 0 }))).toBe('ALREADY_VOTED');
    expect(await refusal(b.act(votePoll, { pollId, option: 0 }))).toBe('POLL_CLOSED');
    expect(await teacher.state()).toMatchObject({ version: 4, polls: [{ totalVotes: 1, status: 'closed' }] });
  });

  it('that hides its result shows it to those who manage polls, and to all once it is closed, as it does the correct answer', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT', 'MODERATOR']);
    const [teacher, student, moderator] = people;
    const options = ['5', '6', '7'];
    expect(await refusal(teacher.act(createPoll, { question: '3 and 4?', options, correctOption: 3 }))).toBe(
      'VALIDATION_FAILED correctOption',
    );
    const { pollId, ...poll } = await teacher.act(createPoll, { question: '3 and 4?', options, hideResult: true, correctOption: 0 });
    expect([poll.hideResult, poll.correctOption]).toEqual([true, undefined]);
    const voted = await student.act(votePoll, { pollId, option: 1 });
    const seenBy = async (member: ClassMember) => {
      const [seen] = (await member.state()).polls ?? [];
      return [seen?.options.map(({ votes }) => votes), seen?.totalVotes, seen?.correctOption];
    };
    expect([voted.poll.options.map(({ votes }) => votes), await seenBy(student)]).toEqual([
      [0, 0, 0],
      [[0, 0, 0], 1, undefined],
    ]);
    for (const member of [teacher, moderator]) expect(await seenBy(member)).toEqual([[0, 1, 0], 1, undefined]);
    // A push reaches everyone: it has no votes, and says who has to fetch them.
    await eventually(async () =>
      expect((await student.updates()).findLast(({ polls }) => polls)).toMatchObject({ hidden: 'TEACHERS', polls: [{ totalVotes: 1 }] }),
    );
    expect(JSON.stringify(await student.updates())).not.toContain('"votes":1');
    await teacher.act(closePoll, { pollId });
    for (const member of people) expect(await seenBy(member)).toEqual([[0, 1, 0], 1, 0]);
    expect(await reportOf(room)).toMatchObject([{ hideResult: true, correctOption: 0, votes: [{ option: 1 }] }]);
  });

  inLongForm(it)('can be created a hundred times in a class, and not once more', async () => {
    const { people } = await fixture.classOf(['TEACHER']);
    const [teacher] = people;
    for (let n = 1; n <= 99; n++) await ask(teacher, `Question ${n}`);
    await ask(teacher, 'The last');
    expect(await refusal(ask(teacher))).toBe('TOO_MANY_POLLS');
    const { polls = [], version } = await teacher.state();
    expect([polls.length, polls[0]?.question, polls.at(-1)?.question, version]).toEqual([100, 'Question 1', 'The last', 101]);
  });

  it('is reported to the backend with each vote in the order of time, also after the class', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT', 'STUDENT']);
    const [teacher, a, b] = people;
    const { pollId } = await ask(teacher);
    await ask(teacher, 'Second?');
    await b.act(votePoll, { pollId, option: 0 });
    await a.act(votePoll, { pollId, option: 1 });
    await fixture.asBackend(deleteRoom, { roomId: room.roomId });
    expect(await reportOf(room)).toMatchObject([
      {
        question: 'Ready?',
        totalVotes: 2,
        votes: [
          { uid: b.uid, option: 0 },
          { uid: a.uid, name: nameOf(a.uid), option: 1, votedAt: expect.any(String) },
        ],
      },
      { question: 'Second?', votes: [] },
    ]);
    expect(await reportOf(await fixture.newRoom())).toEqual([]);
    expect(await refusal(reportOf({ roomId: 'never' }))).toBe('ROOM_NOT_FOUND');
  });

  inLongForm(it)('with the votes of 5,000 participants with the longest names is reported, each vote once', async () => {
    const [name, votes] = ['課'.repeat(256), 5_000];
    const room = await fixture.newRoom();
    await addPolls(fixture.stack, room.sid, new Date(), name, votes);
    const counted = (await reportOf(room)).map(({ question, votes: all }) => [question, all.length, new Set(uidsOf(all)).size]);
    expect(counted).toEqual([
      ['Which 1', votes, votes],
      ['Which 2', 0, 0],
      ['Which 3', votes, votes],
    ]);
  });
});

describe('the chat', () => {
  const sendChat = (member: ClassMember, text: string, id?: string) => member.act(sendChatMessage, { text, ...(id && { id }) });

  it('keeps a message once for its id, which no other participant can take over', async () => {
    const { people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    const id = randomUUID();
    const first = await sendChat(teacher, 'Hello <b>all</b> 👋', id);
    expect(first).toEqual({
      id,
      uid: teacher.uid,
      name: nameOf(teacher.uid),
      role: 'TEACHER',
      text: 'Hello <b>all</b> 👋',
      sentAt: expect.any(String),
      version: 2,
    });
    expect(await sendChat(teacher, 'Another text', id)).toEqual(first);
    expect(await refusal(sendChat(student, 'Stolen', id))).toBe('VALIDATION_FAILED id');
    expect(await student.state()).toMatchObject({ version: 2, messages: [first] });
    await eventually(async () => expect((await student.updates()).flatMap(({ messages }) => messages ?? [])).toEqual([first]));
  });

  it('accepts ten messages of a participant in ten seconds, and not one more', async () => {
    const { room, people } = await fixture.classOf(['TEACHER', 'STUDENT']);
    const [teacher, student] = people;
    for (let n = 0; n < 10; n++) await sendChat(student, `${n}`);
    expect(await refusal(sendChat(student, 'one more'))).toBe('RATE_LIMITED retryAfter');
    await sendChat(teacher, 'Others may still write');
    /** Sets the age of the first message; the others are new. */
    const older = (seconds: number) =>
      fixture.stack.rows(
        'UPDATE room.chat_messages SET sent_at = now() - make_interval(secs => CASE version WHEN 2 THEN $2::float8 ELSE 0 END) WHERE sid = $1',
        [room.sid, seconds],
      );
    await older(7);
    expect(await refusal(sendChat(student, 'still one more'))).toBe('RATE_LIMITED retryAfter');
    await older(10.1);
    expect((await sendChat(student, 'later')).version).toBe(13);
  });

  it('is the same for late participants after a restart, and is read backwards page by page', async () => {
    const { room, people } = await fixture.classOf(['TEACHER']);
    const [teacher] = people;
    for (let n = 1; n <= 7; n++) await sendChat(teacher, `message ${n}`);
    await fixture.stack.app('room').restart();
    const late = await fixture.member(room, 'late');
    const { messages = [], hasOlderMessages } = await late.state();
    expect([messages.map(({ text }) => text), hasOlderMessages]).toEqual([
      Array.from({ length: 7 }, (_, n) => `message ${n + 1}`),
      undefined,
    ]);
    const page = (limit: number, before?: number) => late.act(listChatMessages, { limit, ...(before && { before }) });
    expect(await page(3)).toEqual({ messages: messages.slice(4), hasMore: true });
    expect(await page(3, messages[4]?.version)).toEqual({ messages: messages.slice(1, 4), hasMore: true });
    expect(await page(3, messages[1]?.version)).toEqual({ messages: messages.slice(0, 1), hasMore: false });
    expect(await page(7)).toEqual({ messages, hasMore: false });
  });

  it('returns at most 200 messages and as many of the longest as fit, and the others page by page', async () => {
    const { room, people } = await fixture.classOf(['STUDENT']);
    const [student] = people;
    await fixture.fillChat(room, 1, 200, () => 'short');
    expect((await student.state()).hasOlderMessages).toBeUndefined();
    await fixture.fillChat(room, 201, 201, () => 'short');
    const newest = await student.state();
    expect([newest.messages?.length, newest.messages?.[0]?.version, newest.hasOlderMessages]).toEqual([200, 2, true]);
    // Characters of four and six bytes in JSON.
    await fixture.fillChat(room, 202, 401, (n) => (n % 2 === 0 ? '😀' : '\u0001').repeat(2000));
    const { messages = [], hasOlderMessages } = await student.state();
    expect([messages.at(-1)?.version, hasOlderMessages]).toEqual([401, true]);
    expect(Buffer.byteLength(JSON.stringify(messages))).toBeLessThanOrEqual(256 * 1024 + 1);
    const seen = messages.map(({ version }) => version);
    for (let hasMore = true; hasMore;) {
      const page = await student.act(listChatMessages, { limit: 200, before: seen[0] });
      seen.unshift(...page.messages.map(({ version }) => version));
      ({ hasMore } = page);
    }
    expect(seen).toEqual(Array.from({ length: 401 }, (_, n) => n + 1));
  });
});
