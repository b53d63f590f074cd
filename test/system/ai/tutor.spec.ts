import { first, newOrganization, present } from '@classroom/testing';
import {
  type AiFixture,
  type Class,
  inClass,
  newClass,
  offlineSchool,
  schoolWithModels,
  type School,
  startAiFixture,
} from './ai-fixture.js';
import { probeWav, sseData, textOf } from './answers.js';
import { spoken, SPOKEN_TEXT } from './questions.js';

/** An organization with its own model, and one that gets the installation's offline provider. Callers see the same behavior. */
const KINDS = ['openai-compatible', 'offline'] as const;
const NOTE = 'The mitochondrion is the powerhouse of the cell.';
const ABOUT_NOTE = 'What is the powerhouse of the cell?';

describe('the tutor', () => {
  let fixture: AiFixture;
  const schools = {} as Record<(typeof KINDS)[number], School>;

  beforeAll(async () => {
    fixture = await startAiFixture();
    schools['openai-compatible'] = await schoolWithModels(fixture);
    schools.offline = await offlineSchool(fixture);
    // A model that knows only what its request contains.
    const answer = ({ body }: { body: object }) =>
      JSON.stringify(body).includes(NOTE) ? `I was told: ${NOTE} So it is.` : '[unknown] I do not know. Ask the teacher.';
    fixture.provider.behave({ answer, tokenDelayMs: 2 }, '/v1/chat/completions');
    fixture.provider.behave({ answer: ABOUT_NOTE }, '/v1/audio/transcriptions');
  });
  afterAll(() => fixture?.stop());

  describe.each(KINDS)('with a model that is %s', (kind) => {
    let school: School;
    let room: Class;
    const ask = (student: string, text: string, more: object = {}) => school.api.post('/v1/ai-tutor/chat', room.ask(student, text, more));
    const stream = (student: string, text: string, more: object = {}) =>
      school.api.post('/v1/ai-tutor/chat/stream', room.ask(student, text, more));

    beforeEach(async () => {
      school = schools[kind];
      room = await newClass(school);
    });

    const saveNote = async () => {
      const stored = await school.api.post(`/v1/room/${room.roomId}/context`, { topic: 'Cells', notes: NOTE });
      expect([stored.status, stored.body]).toMatchObject([
        200,
        { success: true, data: { roomId: room.roomId, topic: 'Cells', notes: NOTE } },
      ]);
    };

    it('answers from the class’s notes, in text by default', async () => {
      await saveNote();
      const { status, body, headers } = await ask('ada', ABOUT_NOTE);
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        text: expect.stringContaining(NOTE),
        usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
        requestModality: 'text',
        responseModality: 'text',
      });
      expect(headers.get('x-ai-provider')).toBe(kind);
    });

    it('answers without the unknown mark if it does not know the answer', async () => {
      const { status, body } = await ask('ada', 'Who wrote the Zauberberg?');
      expect(status).toBe(200);
      expect(body.text).toMatch(/\w/);
      expect(body.text).not.toContain('[');
    });

    test.each(['audio', 'both'] as const)('speaks if %s is requested', async (responseModality) => {
      await saveNote();
      const { body } = await ask('ada', ABOUT_NOTE, { responseModality });
      expect(body).toMatchObject({ success: true, text: expect.stringContaining(NOTE), requestModality: 'text', responseModality });
      expect((await probeWav(present(body.audio))).codec).toBe('pcm_s16le');
    });

    it('streams events that end in usage and [DONE]', async () => {
      await saveNote();
      const { status, text, headers } = await stream('ada', ABOUT_NOTE);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('text/event-stream');
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('connection')).toBe('keep-alive');
      expect(headers.get('x-accel-buffering')).toBe('no');
      expect(headers.get('x-ai-provider')).toBe(kind);
      const events = sseData(text);
      expect(events.at(-1)).toEqual({ usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) } });
      for (const event of events.slice(0, -1)) expect(event).toEqual({ text: expect.any(String), usage: null });
      expect(events.length).toBeGreaterThan(2);
      expect(textOf(events)).toContain(NOTE);
    });

    it('streams audio between the text', async () => {
      await saveNote();
      const events = sseData((await stream('ada', ABOUT_NOTE, { responseModality: 'both' })).text);
      const sounds = events.filter((event) => 'audio' in event);
      expect(sounds.length).toBeGreaterThan(0);
      for (const sound of sounds) {
        expect(sound).toEqual({ text: '', audio: expect.any(String), mimeType: 'audio/wav', usage: null });
        expect((await probeWav(sound.audio)).codec).toBe('pcm_s16le');
      }
      expect(textOf(events)).toContain(NOTE);
    });

    it('answers before, during and after the class, even for a student who has not joined', async () => {
      await saveNote();
      const statuses = [(await ask('ada', ABOUT_NOTE)).status];
      await inClass(fixture, school, room.roomId, 'teacher', 'TEACHER');
      statuses.push((await ask('ada', ABOUT_NOTE)).status);
      await school.api.delete(`/v1/room/${room.roomId}`);
      statuses.push((await ask('ada', ABOUT_NOTE)).status);
      expect(statuses).toEqual([200, 200, 200]);
    });

    it('counts equal questions, most frequent first', async () => {
      await saveNote();
      for (const [student, text] of [
        ['ada', ABOUT_NOTE],
        ['ben', 'what is the powerhouse of the cell'],
        ['cleo', 'Is there homework?'],
      ] as const)
        await ask(student, text);
      const { status, body } = await school.api.get(`/v1/ai-tutor/summary/${room.roomId}`);
      expect(status).toBe(200);
      expect(body).toEqual({ success: true, summary: expect.stringMatching(/\w/), topQueries: expect.any(Array) });
      expect(body.topQueries).toMatchObject([
        { answer: expect.stringContaining(NOTE), frequency: 2 },
        { question: 'Is there homework?', frequency: 1 },
      ]);
      expect(Object.keys(first(body.topQueries)).sort()).toEqual(['answer', 'frequency', 'question']);
    });

    it('reports the same sums for answers, room, students and organization', async () => {
      await saveNote();
      const before = (await school.api.get('/v1/ai-agent/usage/summary')).body.data;
      const sum = { inputTokens: 0, outputTokens: 0 };
      const add = ({ inputTokens, outputTokens }: typeof sum) => {
        sum.inputTokens += inputTokens;
        sum.outputTokens += outputTokens;
      };
      for (const student of ['ada', 'ben']) {
        add((await ask(student, ABOUT_NOTE)).body.usage);
        add(sseData((await stream(student, 'And who found it?')).text).at(-1).usage);
      }
      expect((await school.api.get(`/v1/ai-tutor/usage/${room.roomId}`)).body).toEqual({ success: true, usage: sum });
      const costs = (await school.api.get(`/v1/ai-tutor/usage/${room.roomId}/students`)).body.data;
      expect(costs.total).toMatchObject({ interactions: 4, ...sum });
      expect(
        costs.students
          .map(({ studentUid, interactions }: { studentUid: string; interactions: number }) => [studentUid, interactions])
          .sort(),
      ).toEqual([
        ['ada', 2],
        ['ben', 2],
      ]);
      const { summary, breakdown } = (await school.api.get('/v1/ai-agent/usage/summary')).body.data;
      expect(breakdown.aiTutor.inputTokens - before.breakdown.aiTutor.inputTokens).toBe(sum.inputTokens);
      expect(breakdown.aiTutor.outputTokens - before.breakdown.aiTutor.outputTokens).toBe(sum.outputTokens);
      expect(breakdown.aiTutor.interactions - before.breakdown.aiTutor.interactions).toBe(4);
      expect(summary.totalInputTokens).toBe(breakdown.aiTutor.inputTokens + breakdown.aiAgent.inputTokens);
      expect(summary.totalTokenCost).toBeCloseTo(breakdown.aiTutor.cost + breakdown.aiAgent.cost, 9);
      const expected = kind === 'offline' ? 0 : (sum.inputTokens * 1000 + sum.outputTokens * 2000) / 1e6;
      expect(costs.total.cost).toBeCloseTo(expected, 9);
    });

    it('answers in class, and hands a question to the teacher on request', async () => {
      const student = await inClass(fixture, school, room.roomId, 'ada');
      const teacher = await inClass(fixture, school, room.roomId, 'meier', 'TEACHER');
      const { status, text } = await student.post('/v1/classroom/tutor/chat/stream', { text: 'Who wrote the Zauberberg?' });
      expect(status).toBe(200);
      const [beginning, ...events] = sseData(text);
      expect(beginning).toEqual({ text: '', usage: null, questionId: expect.any(String), provider: kind });
      expect(textOf(events)).toMatch(/\w/);
      const { data } = (await student.get('/v1/classroom/tutor')).body;
      expect(data).toMatchObject({ isOffline: kind === 'offline', canSpeak: true, canListen: true });
      expect(data.turns).toMatchObject([
        { questionId: beginning.questionId, question: 'Who wrote the Zauberberg?', answer: textOf(events) },
      ]);
      expect((await student.get('/v1/classroom/tutor/questions')).status).toBe(403);
      expect((await student.post(`/v1/classroom/tutor/questions/${beginning.questionId}/ask-teacher`)).status).toBe(200);
      const open = (await teacher.get('/v1/classroom/tutor/questions')).body.data.questions;
      expect(open).toMatchObject([{ questionId: beginning.questionId, studentUid: 'ada', reason: 'asked', frequency: 1 }]);
      const left = await teacher.post(`/v1/classroom/tutor/questions/${beginning.questionId}/resolve`);
      expect([left.status, left.body.data]).toEqual([200, { questions: [] }]);
    });

    test.each([
      ['no organizationId', { organizationId: undefined }, 400, 'organizationId is required'],
      ['no studentUid', { studentUid: undefined }, 400, 'studentUid is required'],
      ['no roomId', { roomId: undefined }, 400, 'roomId is required'],
      ['neither text nor audio', { text: undefined }, 400, 'text or audio is required'],
      ['another organization', { organizationId: 'org_another' }, 401, 'Unauthorized'],
      ['another organization and no such room', { organizationId: 'org_another', roomId: 'nowhere' }, 401, 'Unauthorized'],
      ['no such room', { roomId: 'nowhere' }, 404, 'Room not found'],
    ])('refuses %s', async (_, wrong, status, message) => {
      for (const answer of [await ask('ada', 'Hello', wrong), await stream('ada', 'Hello', wrong)]) {
        expect(answer.status).toBe(status);
        expect(answer.body).toMatchObject({ success: false, message: expect.stringContaining(message), requestId: expect.any(String) });
      }
    });
  });

  describe('with an online model', () => {
    it('sends it the class and only the student’s own dialogue, without names', async () => {
      const school = schools['openai-compatible'];
      const room = await newClass(school, { title: 'Biology 8b', roomDescription: 'All about cells', metadata: { chapter: 'mitosis-7' } });
      await inClass(fixture, school, room.roomId, 'meier', 'TEACHER');
      await inClass(fixture, school, room.roomId, 'zenobia');
      await school.api.post(`/v1/room/${room.roomId}/context`, { notes: NOTE });
      const before = fixture.provider.asked().length;
      const askTutor = (student: string, text: string) => school.api.post('/v1/ai-tutor/chat', room.ask(student, text));
      await askTutor('zenobia', 'My rabbit is called Hoppel. What is a cell?');
      await askTutor('ben', 'What is a nucleus?');
      await askTutor('zenobia', 'And what is my rabbit called?');
      const [first, second, third] = fixture.provider
        .asked()
        .slice(before)
        .map(({ body }) => JSON.stringify(body['messages']));
      for (const part of ['Biology 8b', 'All about cells', 'mitosis-7', 'Name of meier']) expect(first).toContain(part);
      // The questions of the class, without names.
      expect(second).toContain('What is a cell?');
      expect(second).not.toMatch(/zenobia/i);
      expect(third).toContain('My rabbit is called Hoppel');
      expect(third).not.toMatch(/\bben\b/i);
    });

    it('answers a spoken question', async () => {
      const school = schools['openai-compatible'];
      const room = await newClass(school);
      await school.api.post(`/v1/room/${room.roomId}/context`, { notes: NOTE });
      const audio = (await spoken(SPOKEN_TEXT)).toString('base64');
      const { status, body } = await school.api.post(
        '/v1/ai-tutor/chat',
        room.ask('ada', '', { text: undefined, audio, responseModality: 'both' }),
      );
      expect([status, body]).toMatchObject([
        200,
        { requestModality: 'audio', responseModality: 'both', text: expect.stringContaining(NOTE) },
      ]);
      expect((await school.api.post('/v1/ai-tutor/chat', room.ask('ada', 'And this?', { audio }))).body.requestModality).toBe('both');
    });

    it('answers 404 for another organization’s room', async () => {
      const [one, other] = [schools['openai-compatible'], await newOrganization(fixture.stack)];
      const room = await newClass(one);
      const answer = await other.api.post('/v1/ai-tutor/chat', { ...room.ask('ada', 'Hello'), organizationId: other.organizationId });
      expect(answer.status).toBe(404);
      for (const path of ['summary', 'usage']) expect((await other.api.get(`/v1/ai-tutor/${path}/${room.roomId}`)).status).toBe(404);
      expect((await other.api.post(`/v1/room/${room.roomId}/context`, { topic: 'x' })).status).toBe(404);
    });
  });
});
