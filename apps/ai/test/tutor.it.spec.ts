import {
  accountChanged,
  answerQuestion,
  askTeacher,
  erasureRpc,
  getTutorCosts,
  getTutorDialogue,
  listOpenQuestions,
  resolveQuestion,
  setRoomContext,
  tutorRpc,
  tutorSummary,
  tutorUsage,
  updateAiSettings,
  type ClassroomCaller,
} from '@classroom/contracts';
import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { inLongForm, eventually, publishFact, RecordedOpenAi, unhandled } from '@classroom/testing';
import { NO_ANSWER_MARKER } from '../src/models/ai-provider.js';
import { writeWav } from '../src/inputs/wav.js';
import { AiFixture, lastOf, newOrganizationId, messagesSentTo, whole } from './support/ai-fixture.js';

describe('the tutor', () => {
  let fixture: AiFixture;
  let embedder: RecordedOpenAi;
  beforeAll(async () => {
    embedder = new RecordedOpenAi();
    const { url } = await embedder.start();
    fixture = await AiFixture.start({}, AiFixture.embedding(url));
  });
  afterAll(async () => {
    await fixture?.stop();
    await embedder?.stop();
  });
  beforeEach(() => {
    fixture.model.reset();
    fixture.peers.areNamesUnavailable = false;
  });

  /** Creates a class of a new organization. */
  function newClass(overrides: Parameters<AiFixture['peers']['room']>[1] = {}) {
    const organizationId = newOrganizationId();
    const room = fixture.peers.room(organizationId, overrides);
    const asks = (studentUid: string, text: string) => whole(fixture.tutor({ organizationId, roomId: room.roomId, studentUid, text }));
    return { organizationId, room, roomId: room.roomId, asks };
  }
  const offline = (organizationId: string) =>
    fixture.call(updateAiSettings, { organizationId, changes: { chat: { provider: 'offline', model: 'offline' } } });
  const isSummary = (body: Record<string, unknown>) => JSON.stringify(body['messages']).includes('You tell a teacher');

  it('knows its class: the room’s data, topic and notes', async () => {
    const { organizationId, roomId, asks } = newClass();
    const set = await fixture.call(setRoomContext, {
      organizationId,
      roomId,
      context: { topic: 'Photosynthesis', notes: 'Chlorophyll is green.' },
    });
    expect(set).toMatchObject({ roomId, topic: 'Photosynthesis', notes: 'Chlorophyll is green.' });
    expect(await fixture.call(setRoomContext, { organizationId, roomId, context: { notes: 'Chlorophyll is very green.' } })).toMatchObject({
      topic: 'Photosynthesis',
    });
    expect(await fixture.call(setRoomContext, { organizationId, roomId, context: { topic: null } })).toMatchObject({
      topic: null,
      notes: 'Chlorophyll is very green.',
    });
    await fixture.call(setRoomContext, { organizationId, roomId, context: { topic: 'Photosynthesis' } });
    const { begun } = await asks('mia', 'What is it about?');
    expect(begun.questionId).toBeDefined();
    const messages = messagesSentTo(fixture.model.asked()[0]);
    for (const fact of [
      'Biology 8b',
      'How plants live.',
      'Ms Teacher',
      'running for 10 minutes',
      'Photosynthesis',
      'very green',
      'grade: 8',
      'at most 30',
    ]) {
      expect(messages).toContain(fact);
    }
  });

  it('includes the questions of other students without their names', async () => {
    const { room, asks } = newClass();
    fixture.peers.names.set(room.sid, ['Anna Schmidt', 'Ben Kühn', '王小明']);
    fixture.model.behave({ answer: 'Good question, Anna. As Ben said, light feeds plants.' });
    await asks('uid-anna', 'I am Anna Schmidt and Kühn says light feeds plants?');
    await asks('uid-wang', '王小明 here. uid-anna told me that light is warm?');
    fixture.model.reset();
    await asks('uid-ben', 'Does light feed plants?');
    const messages = messagesSentTo(fixture.model.asked()[0]);
    expect(messages).toContain('light feeds plants');
    expect(messages).toContain('light is warm');
    // A model obeys its instructions, so nothing that students said stands there.
    const [instructions] = (fixture.model.asked()[0]?.body['messages'] ?? []) as { role: string; content: string }[];
    expect(instructions?.role).toBe('system');
    expect(instructions?.content).not.toMatch(/light/i);
    expect(messages).not.toMatch(/Anna|Schmidt|Ben\b|Kühn|小明|uid-anna|uid-wang|uid-ben/i);
    expect(messages).toContain('Never tell who else is in the class');
  });

  it('leaves out the questions of other students if their names cannot be fetched', async () => {
    const { asks } = newClass();
    fixture.peers.areNamesUnavailable = true;
    await asks('anna', 'Anna wonders: is light warm?');
    await asks('ben', 'Is light warm?');
    expect(messagesSentTo(fixture.model.asked()[1])).not.toContain('wonders');
  });

  it('keeps organizations, rooms and students apart', async () => {
    const one = newClass();
    const other = newClass();
    await one.asks('mia', 'canary of one');
    await one.asks('ben', 'what did I ask?');
    await other.asks('mia', 'what did I ask?');
    const [, inClass, elsewhere] = fixture.model.asked();
    // The instructions and Ben's question: Mia's question is part of the class material, not of Ben's dialogue.
    expect(inClass?.body['messages']).toHaveLength(2);
    expect(messagesSentTo(elsewhere)).not.toContain('canary');
    await expect(
      fixture.tutor({ organizationId: other.organizationId, roomId: one.roomId, studentUid: 'mia', text: 'Hi' }).next(),
    ).rejects.toMatchObject({ code: 'ROOM_NOT_FOUND' });
    await expect(fixture.call(tutorSummary, { organizationId: other.organizationId, roomId: one.roomId })).rejects.toMatchObject({
      code: 'ROOM_NOT_FOUND',
    });
  });

  it('knows the documents of the class, and none of another', async () => {
    const [one, other] = [newClass(), newClass()];
    fixture.peers.documents.set(one.roomId, [{ title: 'Leaves', page: 3, text: 'Stomata let air in.' }]);
    await one.asks('mia', 'What are stomata?');
    await other.asks('mia', 'What are stomata?');
    const [here, elsewhere] = fixture.model.asked();
    expect(messagesSentTo(here)).toContain('“Leaves”, page 3: Stomata let air in.');
    expect(messagesSentTo(elsewhere)).not.toContain('Leaves');
  });

  it('remembers what a student asked in an earlier class', async () => {
    const { organizationId, asks } = newClass();
    await asks('mia', 'What is a cell?');
    const later = fixture.peers.room(organizationId);
    await whole(fixture.tutor({ organizationId, roomId: later.roomId, studentUid: 'mia', text: 'And now?' }));
    await whole(fixture.tutor({ organizationId, roomId: later.roomId, studentUid: 'ben', text: 'And I?' }));
    const [, forMia, forBen] = fixture.model.asked();
    expect(messagesSentTo(forMia)).toContain('What is a cell?');
    expect(messagesSentTo(forBen)).not.toContain('What is a cell?');
  });

  it('accepts a spoken question, and refuses one without speech', async () => {
    const { organizationId, roomId } = newClass();
    const wav = writeWav({ samples: Buffer.alloc(32_000), sampleRate: 16_000 });
    const ask = async () =>
      fixture.tutor({
        organizationId,
        roomId,
        studentUid: 'mia',
        audio: await fixture.upload(organizationId, wav),
        responseModality: 'both',
      });
    const { begun, audio } = await whole(await ask());
    expect(begun).toMatchObject({ requestModality: 'audio', responseModality: 'both' });
    expect(audio.length).toBeGreaterThan(0);
    expect(messagesSentTo(fixture.model.asked()[0])).toContain('This is what was said.');
    fixture.model.behave({ answer: ' ' }, '/v1/audio/transcriptions');
    await expect((await ask()).next()).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  describe('in class', () => {
    let caller: ClassroomCaller;
    let teacher: ClassroomCaller;
    beforeEach(() => {
      const { room } = newClass();
      caller = fixture.peers.caller(room, 'mia');
      teacher = fixture.peers.caller(room, 'ms-teacher');
      fixture.peers.teachers.add('ms-teacher');
    });
    const other = (uid: string): ClassroomCaller => ({ ...caller, uid });
    const open = async () => (await fixture.call(listOpenQuestions, { caller: teacher })).questions;

    it('shows a student only their own dialogue', async () => {
      await whole(fixture.ask(caller, { text: 'What is light?' }));
      await whole(fixture.ask(other('ben'), { text: 'What is dark?' }));
      const dialogue = await fixture.call(getTutorDialogue, { caller });
      expect(dialogue).toMatchObject({ canSpeak: true, canListen: true, isOffline: false });
      expect(dialogue.turns).toMatchObject([
        { dialogIndex: 0, question: 'What is light?', answer: 'You asked: What is light?', isForTeacher: false },
      ]);
    });

    it('hides the unknown mark, and hands the question to the teacher once, however many students ask it', async () => {
      fixture.model.behave({ answer: `${NO_ANSWER_MARKER} I don’t know when. Ask your teacher.`, tokenDelayMs: 2 });
      const { text } = await whole(fixture.ask(caller, { text: 'When is the exam?' }));
      expect(text).toBe('I don’t know when. Ask your teacher.');
      await whole(fixture.ask(other('ben'), { text: 'when is the exam' }));
      await whole(fixture.ask(other('zoe'), { text: 'Where is it?' }));
      const questions = await open();
      expect(questions).toMatchObject([
        { question: 'When is the exam?', studentUid: 'mia', reason: 'unknown', frequency: 2 },
        { question: 'Where is it?', studentUid: 'zoe', reason: 'unknown', frequency: 1 },
      ]);
      const left = await fixture.call(resolveQuestion, { caller: teacher, questionId: questions[0]?.questionId ?? '' });
      expect(left.questions.map(({ question }) => question)).toEqual(['Where is it?']);
    });

    it('hands a failed question to the teacher, but not one that its student cancelled', async () => {
      fixture.model.behave({ answer: 'one two three', breakOffAfter: 1 });
      await expect(whole(fixture.ask(caller, { text: 'Broken?' }))).rejects.toMatchObject({ code: 'AI_UNAVAILABLE' });
      fixture.model.behave({ answer: 'word '.repeat(100), tokenDelayMs: 20 });
      const stream = fixture.ask(other('ben'), { text: 'Hung up?' });
      await stream.next();
      await stream.return(undefined);
      await eventually(async () => {
        const chats = (await fixture.usageRows(caller.organizationId)).filter(({ task }) => task === 'chat');
        expect(chats.map(({ outcome }) => outcome)).toEqual(['failed', 'cut_off']);
      });
      expect(await open()).toMatchObject([{ question: 'Broken?', reason: 'failed' }]);
    });

    it('hands a question to the teacher only for the student who asked it', async () => {
      const { begun } = await whole(fixture.ask(caller, { text: 'Why?' }));
      const questionId = begun.questionId ?? '';
      await expect(fixture.call(askTeacher, { caller: other('ben'), questionId })).rejects.toMatchObject({ code: 'QUESTION_NOT_FOUND' });
      await expect(fixture.call(askTeacher, { caller, questionId: 'no-uuid' })).rejects.toMatchObject({ code: 'QUESTION_NOT_FOUND' });
      expect(await fixture.call(askTeacher, { caller, questionId })).toEqual({ questionId });
      expect((await fixture.call(getTutorDialogue, { caller })).turns[0]?.isForTeacher).toBe(true);
      expect(await open()).toMatchObject([{ questionId, reason: 'asked' }]);
      await expect(fixture.call(listOpenQuestions, { caller })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(fixture.call(resolveQuestion, { caller, questionId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
      const elsewhere = fixture.peers.caller(fixture.peers.room(newOrganizationId()), 'ms-teacher');
      await expect(fixture.call(resolveQuestion, { caller: elsewhere, questionId })).rejects.toMatchObject({ code: 'QUESTION_NOT_FOUND' });
      expect((await fixture.call(resolveQuestion, { caller: teacher, questionId })).questions).toEqual([]);
    });

    it('shows a teacher’s answer in writing to those who asked, also after another teacher resolved the question, until that teacher is erased', async () => {
      const turnOf = async (uid: string) => (await fixture.call(getTutorDialogue, { caller: other(uid) })).turns.at(-1);
      const { begun } = await whole(fixture.ask(other('mia'), { text: 'Why?' }));
      const equal = await whole(fixture.ask(other('ben'), { text: 'why' }));
      await whole(fixture.ask(other('eve'), { text: 'Why?' }));
      const questionId = begun.questionId ?? '';
      await fixture.call(askTeacher, { caller: other('mia'), questionId });
      await fixture.call(askTeacher, { caller: other('ben'), questionId: equal.begun.questionId ?? '' });
      await fixture.call(resolveQuestion, { caller: teacher, questionId });
      expect(await turnOf('mia')).not.toHaveProperty('teacherAnswer');
      const answered = await fixture.call(answerQuestion, { caller: teacher, questionId, answer: 'Because of light.' });
      expect(answered.questions).toEqual([]);
      const teacherAnswer = { text: 'Because of light.', name: 'Name of ms-teacher', answeredAt: expect.any(String) };
      for (const uid of ['mia', 'ben']) expect(await turnOf(uid)).toMatchObject({ isForTeacher: false, teacherAnswer });
      // Who did not ask the teacher has the tutor's answer.
      expect(await turnOf('eve')).not.toHaveProperty('teacherAnswer');
      const { organizationId } = caller;
      const erasure = { erasureId: `era_${randomUUID()}`, organizationId, subject: { uid: 'ms-teacher' }, readThrough: 0 };
      expect((await fixture.call(erasureRpc.ai, erasure)).counts).toMatchObject({ 'resolved questions': 2 });
      expect(await turnOf('mia')).not.toHaveProperty('teacherAnswer');
    });
  });

  inLongForm(it)('hands a question to the teacher if the process was killed during the answer', async () => {
    const { organizationId, roomId, room } = newClass();
    fixture.model.behave({ answer: 'word '.repeat(400), tokenDelayMs: 50 });
    const stream = fixture.tutor({ organizationId, roomId, studentUid: 'mia', text: 'Will I be heard?' });
    await stream.next();
    const ai = fixture.stack.app('ai');
    await ai.kill();
    stream.return(undefined).catch(() => undefined);
    await ai.start();
    fixture.peers.teachers.add('ms-teacher');
    const caller = fixture.peers.caller(room, 'ms-teacher');
    await eventually(async () => {
      const { questions } = await fixture.call(listOpenQuestions, { caller });
      expect(questions).toMatchObject([{ question: 'Will I be heard?', reason: 'failed' }]);
    });
    expect(await fixture.usageRows(organizationId)).toMatchObject([{ outcome: 'cut_off', model: 'chat-model', kind: 'tutor' }]);
  });

  describe('erased during an answer', () => {
    const erase = (organizationId: string, uid: string) =>
      fixture.call(erasureRpc.ai, { erasureId: `era_${randomUUID()}`, organizationId, subject: { uid }, readThrough: 0 });
    const rowsWith = (organizationId: string, uid: string) =>
      fixture.stack.rows(
        `SELECT 'usage' FROM ai.usage WHERE organization_id = $1 AND student_uid = $2
          UNION ALL SELECT 'chats' FROM ai.chats WHERE organization_id = $1 AND student_uid = $2
          UNION ALL SELECT 'questions' FROM ai.questions WHERE organization_id = $1 AND student_uid = $2`,
        [organizationId, uid],
      );

    it('leaves a student’s tokens and cost without the student', async () => {
      const { organizationId, roomId, asks } = newClass();
      await asks('ben', 'And I?');
      fixture.model.behave({ answer: 'word '.repeat(60), tokenDelayMs: 20 });
      const answer = fixture.tutor({ organizationId, roomId, studentUid: 'mia', text: 'What is light?' });
      await answer.next();
      expect((await erase(organizationId, 'mia')).counts).toMatchObject({ 'AI dialogues': 1 });
      expect(await lastOf(answer)).toMatchObject({ type: 'usage' });
      const chats = (await fixture.usageRows(organizationId)).filter(({ task }) => task === 'chat');
      expect(chats.map(({ outcome }) => outcome)).toEqual(['finished', 'finished']);
      await eventually(async () => expect((await fixture.usageRows(organizationId)).length).toBe(4));
      expect(await rowsWith(organizationId, 'mia')).toEqual([]);
      expect(await rowsWith(organizationId, 'ben')).not.toEqual([]);
    });

    it('leaves no summary of a class with the student’s questions', async () => {
      const { organizationId, roomId, asks } = newClass();
      await asks('mia', 'What is light?');
      await asks('ben', 'What is dark?');
      fixture.model.behave({ answer: 'word '.repeat(60), tokenDelayMs: 20 });
      const summary = fixture.call(tutorSummary, { organizationId, roomId });
      await eventually(() => expect(fixture.model.asked().some(({ body }) => isSummary(body))).toBe(true));
      await erase(organizationId, 'mia');
      await asks('ben', 'What is grey?');
      await summary;
      expect(await fixture.stack.rows('SELECT 1 FROM ai.class_summaries WHERE organization_id = $1', [organizationId])).toEqual([]);
    });
  });

  describe('the summary of a class', () => {
    it('groups equal questions, also by meaning, counts them, and is written once until a new question', async () => {
      const { organizationId, roomId, asks } = newClass();
      let written = 0;
      fixture.model.behave(({ body }) =>
        isSummary(body) ? { answer: `They asked about light (${++written}).` } : { answer: 'Light is energy.' },
      );
      await asks('a', 'What is the speed of light in water?');
      await asks('b', 'what is the speed of light in water');
      await asks('c', 'In water what is the speed of light?');
      await asks('d', 'When is the break?');
      await eventually(async () => {
        const [row] = await fixture.stack.rows<{ left: number }>(
          'SELECT count(*)::int AS left FROM ai.questions WHERE organization_id = $1 AND embedding IS NULL',
          [organizationId],
        );
        expect(row?.left).toBe(0);
      });
      const summaries = await Promise.all([1, 2, 3].map(() => fixture.call(tutorSummary, { organizationId, roomId })));
      for (const { summary, topQueries } of summaries) {
        expect(summary).toBe('They asked about light (1).');
        expect(topQueries).toEqual([
          { question: 'What is the speed of light in water?', answer: 'Light is energy.', frequency: 3 },
          { question: 'When is the break?', answer: 'Light is energy.', frequency: 1 },
        ]);
      }
      await asks('d', 'Another one?');
      expect((await fixture.call(tutorSummary, { organizationId, roomId })).summary).toBe('They asked about light (2).');
      expect(written).toBe(2);
    });

    it('states counts if no model answers, and that a class has no questions', async () => {
      const { organizationId, roomId, asks } = newClass();
      expect(await fixture.call(tutorSummary, { organizationId, roomId })).toEqual({
        summary: expect.stringContaining('No student'),
        topQueries: [],
      });
      await asks('a', 'What is light?');
      fixture.model.behave({ status: 400 });
      expect((await fixture.call(tutorSummary, { organizationId, roomId })).summary).toBe('1 student asked 1 question, each once.');
    });

    it('can be read without credits', async () => {
      const { organizationId, roomId, asks } = newClass();
      await asks('a', 'What is light?');
      fixture.peers.exhausted.add(organizationId);
      const account = { organizationId, version: 1, remainingCredits: 0, isOverconsumed: false, isExhausted: true };
      await publishFact(fixture.stack, accountChanged, organizationId, account);
      await eventually(async () => expect(await unhandled(fixture.stack, 'aiCreditStatus')).toBe(0));
      await expect(asks('a', 'And dark?')).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
      expect((await fixture.call(tutorSummary, { organizationId, roomId })).topQueries).toHaveLength(1);
    });
  });

  it('adds up the questions and costs of its students, page by page', async () => {
    const { organizationId, roomId, room, asks } = newClass();
    for (const uid of ['b', 'a', 'B', 'a', 'c']) await asks(uid, `Question of ${uid}`);
    await eventually(async () => expect((await fixture.usageRows(organizationId)).length).toBe(10));
    const first = await fixture.call(getTutorCosts, { organizationId, roomId, limit: 2 });
    expect(first.students.map(({ studentUid, interactions }) => [studentUid, interactions])).toEqual([
      ['B', 1],
      ['a', 2],
    ]);
    const cursor = first.pagination.nextCursor ?? '';
    const second = await fixture.call(getTutorCosts, { organizationId, roomId, limit: 2, cursor });
    expect(second.students.map(({ studentUid }) => studentUid)).toEqual(['b', 'c']);
    expect(second.pagination).toEqual({ nextCursor: null, hasMore: false });
    const students = [...first.students, ...second.students];
    const sum = students.reduce((total, { cost }) => total.plus(cost), new Decimal(0));
    expect(sum.toNumber()).toBe(first.total.cost);
    expect(first.total.interactions).toBe(5);
    const usage = await fixture.call(tutorUsage, { organizationId, roomId });
    expect(usage).toEqual({ inputTokens: first.total.inputTokens, outputTokens: first.total.outputTokens });
    const count = async (of: string) =>
      (await fixture.call(tutorRpc.countQuestions, { organizationId: of, sid: room.sid, uids: ['a', 'c', 'zoe'] })).students;
    expect((await count(organizationId)).sort((one, other) => one.uid.localeCompare(other.uid))).toEqual([
      { uid: 'a', questions: 2 },
      { uid: 'c', questions: 1 },
    ]);
    expect(await count(newOrganizationId())).toEqual([]);
    await expect(fixture.call(getTutorCosts, { organizationId, roomId, limit: 2, cursor: '%' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  it('answers from the class’s own material if no model is configured, and states it', async () => {
    const { organizationId, roomId, asks, room } = newClass();
    await offline(organizationId);
    await fixture.call(setRoomContext, {
      organizationId,
      roomId,
      context: { notes: 'Chlorophyll makes leaves green. Roots drink water.' },
    });
    const { text, begun } = await asks('mia', 'What makes leaves green?');
    expect(begun.provider).toBe('offline');
    expect(text).toMatch(/No AI model is configured/);
    expect(text).toContain('Chlorophyll makes leaves green');
    expect(text).not.toContain('Roots');
    await asks('mia', 'Who won the cup of 1954?');
    fixture.peers.teachers.add('ms-teacher');
    const { questions } = await fixture.call(listOpenQuestions, { caller: fixture.peers.caller(room, 'ms-teacher') });
    expect(questions.map(({ question, reason }) => [question, reason])).toEqual([['Who won the cup of 1954?', 'unknown']]);
    expect((await fixture.call(tutorSummary, { organizationId, roomId })).summary).toContain('1 student asked 2 questions');
    expect(fixture.model.asked()).toEqual([]);
  });
});
