import { eventually, type Query, tokensOf } from '@classroom/testing';
import { type AiFixture, newClass, PRICES, schoolWithModels, startAiFixture } from './ai-fixture.js';
import { ndjsonLines, sseData } from './answers.js';
import { spoken, SPOKEN_TEXT } from './questions.js';
import { RawPost } from './raw-post.js';

interface Usage {
  inputTokens: number;
  outputTokens: number;
}

const sum = (all: Usage[]): Usage => ({
  inputTokens: all.reduce((total, { inputTokens }) => total + inputTokens, 0),
  outputTokens: all.reduce((total, { outputTokens }) => total + outputTokens, 0),
});
const costOf = ({ inputTokens, outputTokens }: Usage) =>
  (inputTokens * Number(PRICES.perMillionInputTokens) + outputTokens * Number(PRICES.perMillionOutputTokens)) / 1e6;

describe('the AI usage of an organization', () => {
  let fixture: AiFixture;

  beforeAll(async () => {
    fixture = await startAiFixture();
  });
  afterAll(() => fixture?.stop());

  it('equals the sums of its answers, its rooms, its students, and the provider’s reports', async () => {
    const school = await schoolWithModels(fixture);
    const { api } = school;
    fixture.provider.behave({ answer: SPOKEN_TEXT }, '/v1/audio/transcriptions');
    const rooms = [await newClass(school), await newClass(school)];
    const audio = (await spoken(SPOKEN_TEXT)).toString('base64');
    const agent: Promise<Usage>[] = [];
    const tutor: Promise<Usage>[][] = [[], []];
    for (let at = 0; at < 20; at++) {
      const body = {
        chatId: `chat-${at % 4}`,
        message: `Question ${at} `.repeat(at + 1),
        responseType: at % 5 === 0 ? 'both' : 'text',
        ...(at % 7 === 0 ? { audio } : {}),
      };
      agent.push(
        at % 2
          ? api.post('/v1/ai-agent/chat', body).then(({ body: { usage } }) => usage)
          : api.post('/v1/ai-agent/chat/stream', body).then(({ text }) => ndjsonLines(text).at(-2).usage),
      );
      const [room, questions] = [rooms[at % 2], tutor[at % 2]];
      const asked = room?.ask(`student-${at % 3}`, `What is ${at}?`, at % 6 === 0 ? { audio, responseModality: 'both' } : {});
      questions?.push(
        at % 4 < 2
          ? api.post('/v1/ai-tutor/chat', asked).then(({ body: { usage } }) => usage)
          : api.post('/v1/ai-tutor/chat/stream', asked).then(({ text }) => sseData(text).at(-1).usage),
      );
    }
    const ofAgent = sum(await Promise.all(agent));
    const ofRooms = await Promise.all(tutor.map(async (questions) => sum(await Promise.all(questions))));
    const ofTutor = sum(ofRooms);
    const all = sum([ofAgent, ofTutor]);

    const requested = fixture.provider.asked().map(({ body, tokensSent }) => {
      const messages = body['messages'] as { content: string | { text?: string }[] }[];
      const text = messages.map(({ content }) =>
        typeof content === 'string' ? content : content.map(({ text: words = '' }) => words).join(''),
      );
      return { inputTokens: text.reduce((total, words) => total + tokensOf(words).length, 0), outputTokens: tokensSent };
    });
    expect(sum(requested)).toEqual(all);

    const { summary, breakdown } = (await api.get('/v1/ai-agent/usage/summary')).body.data;
    expect(breakdown.aiAgent).toMatchObject({ sessions: 4, ...ofAgent });
    expect(breakdown.aiTutor).toMatchObject({ interactions: 20, ...ofTutor });
    expect(summary).toMatchObject({ totalInputTokens: all.inputTokens, totalOutputTokens: all.outputTokens });
    expect(breakdown.aiAgent.cost).toBeCloseTo(costOf(ofAgent), 9);
    expect(breakdown.aiTutor.cost).toBeCloseTo(costOf(ofTutor), 9);
    expect(summary.totalTokenCost).toBeCloseTo(costOf(all), 9);
    for (const [at, room] of rooms.entries()) {
      expect((await api.get(`/v1/ai-tutor/usage/${room.roomId}`)).body.usage).toEqual(ofRooms[at]);
      const { students, total } = (await api.get(`/v1/ai-tutor/usage/${room.roomId}/students`)).body.data;
      expect(sum(students)).toEqual(ofRooms[at]);
      expect(total).toMatchObject({ interactions: 10, ...ofRooms[at] });
    }
  });

  it('is limited to a time range, both ends included, and to this organization', async () => {
    const [school, other] = [await schoolWithModels(fixture), await schoolWithModels(fixture)];
    await school.api.post('/v1/ai-agent/chat', { chatId: 'a', message: 'Hello', responseType: 'text' });
    const used = async (query: Query, { api } = school) => {
      const { status, body } = await api.get(`/v1/ai-agent/usage/summary${query}`);
      return status === 200 ? body.data.breakdown.aiAgent.sessions : status;
    };
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    expect(await used('')).toBe(1);
    expect(await used('', other)).toBe(0);
    expect(await used(`?startDate=${day(0)}&endDate=${day(0)}`)).toBe(1);
    expect(await used(`?startDate=${day(1)}`)).toBe(0);
    expect(await used(`?endDate=${day(-1)}`)).toBe(0);
    expect(await used(`?startDate=${encodeURIComponent(new Date(Date.now() + 60_000).toISOString())}`)).toBe(0);
    expect(await used(`?startDate=${day(1)}&endDate=${day(0)}`)).toBe(400);
    expect(await used('?startDate=yesterday')).toBe(400);
  });

  it('includes an answer that was cut off by its reader or its provider', async () => {
    const { api, value } = await schoolWithModels(fixture, 'cut off');
    fixture.provider.behave({ answer: 'one two three four five six seven', breakOffAfter: 4 }, '/v1/chat/completions');
    await api.post('/v1/ai-agent/chat', { chatId: 'a', message: 'Hello', responseType: 'text' });
    const afterBreak = (await api.get('/v1/ai-agent/usage/summary')).body.data.summary;
    expect(afterBreak.totalOutputTokens).toBeGreaterThan(0);
    fixture.provider.behave({ answer: 'one two three four five six seven', stallAfter: 4 }, '/v1/chat/completions');
    const reader = new RawPost(
      `${fixture.stack.urls.gateway}/v1/ai-agent/chat/stream`,
      { 'VF-ORG-ID': value },
      { chatId: 'b', message: 'Hello', responseType: 'text' },
    );
    await reader.sees('three');
    reader.hangUp();
    await eventually(async () => {
      const { totalOutputTokens } = (await api.get('/v1/ai-agent/usage/summary')).body.data.summary;
      expect(totalOutputTokens).toBeGreaterThan(afterBreak.totalOutputTokens);
    });
  });
});
