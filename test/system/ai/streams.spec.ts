import { randomUUID } from 'node:crypto';
import { eventually, type RecordedRequest, sleep } from '@classroom/testing';
import { type AiFixture, newClass, schoolWithModels, type School, startAiFixture } from './ai-fixture.js';
import { ndjsonLines, sseData } from './answers.js';
import { EagerProvider } from './eager-provider.js';
import { FACTS } from './questions.js';
import { RawPost } from './raw-post.js';

describe('a streamed answer', () => {
  let fixture: AiFixture;
  let school: School;

  beforeAll(async () => {
    fixture = await startAiFixture();
    school = await schoolWithModels(fixture);
  });
  afterAll(() => fixture?.stop());
  beforeEach(() => fixture.provider.reset());

  const post = (path: string, body: object) => new RawPost(`${fixture.stack.urls.gateway}${path}`, { 'VF-ORG-ID': school.value }, body);
  const agent = (more: object = {}, path = '/v1/ai-agent/chat/stream') =>
    post(path, { chatId: randomUUID(), message: 'Hello', responseType: 'text', ...more });
  const tutor = async (more: object = {}) => post('/v1/ai-tutor/chat/stream', (await newClass(school)).ask('ada', 'Hello', more));
  const asked = (): Promise<RecordedRequest> =>
    eventually(() => {
      const request = fixture.provider.asked().at(-1);
      if (!request) throw new Error('the provider was not asked');
      return request;
    });

  describe.each([
    ['lines of JSON', async () => agent()],
    ['server-sent events', async () => tutor()],
  ])('as %s', (_, ask) => {
    it('begins with the provider’s first token, neither earlier nor later', async () => {
      fixture.provider.behave({ firstTokenDelayMs: 700, tokenDelayMs: 100, answer: 'one two three four five' });
      const reader = await ask();
      const began = await reader.sees('HTTP/1.1 200 OK');
      const word = await reader.sees('one');
      const { firstTokenAt = Infinity } = await asked();
      expect(began).toBeGreaterThan(firstTokenAt - 1);
      expect(word).toBeGreaterThan(firstTokenAt - 1);
      reader.hangUp();
    });

    it('delivers each token when the provider sends it', async () => {
      const words = ['one', 'two', 'three', 'four', 'five', 'six'];
      fixture.provider.behave({ tokenDelayMs: 250, answer: words.join(' ') });
      const reader = await ask();
      const times: number[] = [];
      for (const word of words) times.push(await reader.sees(word));
      const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0));
      // If two had arrived together, the pause between them would be zero.
      for (const pause of pauses) expect(pause).toBeGreaterThan(5);
      reader.hangUp();
    });
  });

  describe('whose reader disconnects ends the provider’s request', () => {
    const TALKING = { answer: Array.from({ length: 2_000 }, (_, at) => `word${at}`).join(' '), tokenDelayMs: 20 };

    test.each([
      ['while lines are sent', TALKING, () => agent(), (reader: RawPost) => reader.sees('word3')],
      ['while events are sent', TALKING, () => tutor(), (reader: RawPost) => reader.sees('word3')],
      ['before the first token', { ...TALKING, firstTokenDelayMs: 60_000 }, () => agent(), asked],
      ['before the provider answered', { isSilent: true }, () => agent(), asked],
      ['while nothing is sent', { ...TALKING, stallAfter: 3 }, () => agent(), (reader: RawPost) => reader.sees('word2')],
      ['in direct chat', TALKING, () => agent({}, '/v1/ai-agent/chat'), asked],
      ['in direct chat before the first token', { ...TALKING, firstTokenDelayMs: 60_000 }, () => agent({}, '/v1/ai-agent/chat'), asked],
    ])('%s', async (name, behaviour, ask, isReady) => {
      fixture.provider.behave(behaviour, '/v1/chat/completions');
      const reader = await ask();
      await isReady(reader);
      await asked();
      await sleep(100);
      const at = reader.hangUp();
      const request = await asked();
      await eventually(() => expect(request.abortedAt).toBeDefined());
      const took = (request.abortedAt ?? Infinity) - at;
      process.stdout.write(`hang-up ${name}: seen by the provider after ${took.toFixed(1)} ms\n`);
    });

    it('while it is converted to speech', async () => {
      fixture.provider.behave({ answer: `${FACTS} ${FACTS}` }, '/v1/chat/completions');
      fixture.provider.behave({ firstTokenDelayMs: 60_000 }, '/v1/audio/speech');
      const reader = agent({ responseType: 'both' });
      await reader.sees('ground');
      const speaking = await eventually(() => {
        const [request] = fixture.provider.asked('/v1/audio/speech');
        if (!request) throw new Error('nothing is spoken');
        return request;
      });
      const at = reader.hangUp();
      await eventually(() => expect(speaking.abortedAt).toBeDefined());
      const took = (speaking.abortedAt ?? Infinity) - at;
      process.stdout.write(`hang-up while it is spoken: seen by the provider after ${took.toFixed(1)} ms\n`);
    });

    it('and the next turn of the chat includes the partial answer', async () => {
      const chatId = randomUUID();
      fixture.provider.behave(TALKING);
      const reader = agent({ chatId });
      await reader.sees('word3');
      reader.hangUp();
      fixture.provider.behave({ answer: 'I am here.' });
      const next = await school.api.post('/v1/ai-agent/chat', { chatId, message: 'And now?', responseType: 'text' });
      expect([next.status, next.body]).toMatchObject([200, { text: 'I am here.', dialogIndex: 1 }]);
      expect(JSON.stringify(fixture.provider.asked().at(-1)?.body['messages'])).toContain('word3');
    });

    it('and its usage is counted', async () => {
      const { value, api } = await schoolWithModels(fixture);
      fixture.provider.behave(TALKING);
      const reader = new RawPost(
        `${fixture.stack.urls.gateway}/v1/ai-agent/chat/stream`,
        { 'VF-ORG-ID': value },
        { chatId: 'c', message: 'Hello', responseType: 'text' },
      );
      await reader.sees('word3');
      reader.hangUp();
      await eventually(async () => {
        const { summary } = (await api.get('/v1/ai-agent/usage/summary')).body.data;
        expect(summary.totalSessions).toBe(1);
        expect(summary.totalOutputTokens).toBeGreaterThan(2);
        expect(summary.totalTokenCost).toBeGreaterThan(0);
      });
    });
  });

  it('pauses while its reader does not read, and continues when it reads again', async () => {
    const most = 20_000;
    const provider = new EagerProvider(most);
    try {
      const { value } = await schoolWithModels({ ...fixture, providerUrl: await provider.start() }, 'eager');
      const body = { chatId: 'long', message: 'Hello', responseType: 'text' };
      const reader = new RawPost(`${fixture.stack.urls.gateway}/v1/ai-agent/chat/stream`, { 'VF-ORG-ID': value }, body);
      await reader.sees('"text"');
      reader.pause();
      const waitUntilStalled = () =>
        eventually(async () => {
          const before = provider.words;
          await sleep(1_500);
          expect(provider.words).toBe(before);
          return before;
        });
      const held = await waitUntilStalled();
      process.stdout.write(`a reader that takes nothing: the provider stalled after ${(held * 4) / 1000} of ${(most * 4) / 1000} MB\n`);
      expect(held).toBeLessThan(most / 2);
      reader.resume();
      await eventually(() => expect(provider.words).toBeGreaterThan(held));
      reader.hangUp();
    } finally {
      provider.stop();
    }
  });

  it.each([
    ['lines', () => agent(), (body: string) => ndjsonLines(body)],
    ['events', () => tutor(), (body: string) => sseData(body)],
  ])('that breaks off ends its %s with an error', async (_, ask, parse) => {
    fixture.provider.behave({ answer: 'one two three four five six', breakOffAfter: 3 });
    const reader = await ask();
    await reader.sees('\r\n0\r\n\r\n');
    const events = parse(reader.body);
    expect(reader.body).toContain('two');
    expect(events.at(-1)).toMatchObject({ error: 'AI_UNAVAILABLE', message: expect.any(String) });
    expect(reader.body).not.toMatch(/"done"|inputTokens/);
  });
});
