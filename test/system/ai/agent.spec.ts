import { randomUUID } from 'node:crypto';
import { Bucket, eventually, present, type RecordedFile, sleep, tokensOf } from '@classroom/testing';
import { type AiFixture, offlineSchool, schoolWithModels, type School, startAiFixture } from './ai-fixture.js';
import { ndjsonLines, probeWav, textOf } from './answers.js';
import { ABOUT_FACTS, FACTS, picture, spoken, SPOKEN_TEXT } from './questions.js';

/** An organization with its own model, and one that gets the installation's offline provider. Callers see the same behavior. */
const KINDS = ['openai-compatible', 'offline'] as const;

describe('the agent', () => {
  let fixture: AiFixture;
  const schools = {} as Record<(typeof KINDS)[number], School>;

  beforeAll(async () => {
    fixture = await startAiFixture();
    schools['openai-compatible'] = await schoolWithModels(fixture);
    schools.offline = await offlineSchool(fixture);
    fixture.provider.behave(
      { answer: (request) => `So it is. ${FACTS} ${String(request.body['model'])} said so.`, tokenDelayMs: 5 },
      '/v1/chat/completions',
    );
  });
  afterAll(() => fixture?.stop());

  describe.each(KINDS)('with a model that is %s', (kind) => {
    const ask = (body: object) => schools[kind].api.post('/v1/ai-agent/chat', { chatId: randomUUID(), message: ABOUT_FACTS, ...body });
    const stream = (body: object) =>
      schools[kind].api.post('/v1/ai-agent/chat/stream', { chatId: randomUUID(), message: ABOUT_FACTS, ...body });

    it('answers in text and speech by default', async () => {
      const { status, body, headers } = await ask({});
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        text: expect.stringMatching(/\w/),
        audio: expect.any(String),
        dialogIndex: 0,
        usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number), latencyMs: expect.any(Number) },
      });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('x-ai-provider')).toBe(kind);
      expect(body.usage.inputTokens).toBeGreaterThan(0);
      expect(body.usage.outputTokens).toBeGreaterThan(0);
      const { codec, seconds } = await probeWav(present(body.audio));
      expect(codec).toBe('pcm_s16le');
      expect(seconds).toBeGreaterThan(0.2);
    });

    test.each([
      ['responseType', { responseType: 'text' }, false],
      ['its alias', { responseModality: 'text' }, false],
      ['responseType before its alias', { responseType: 'audio', responseModality: 'text' }, true],
    ])('speaks only if requested: %s', async (_, wanted, isSpoken) => {
      const { status, body } = await ask(wanted);
      expect(status).toBe(200);
      expect(typeof body.text).toBe('string');
      expect('audio' in body).toBe(isSpoken);
    });

    it('numbers a chat’s turns from 0, in direct chat and stream', async () => {
      const chatId = randomUUID();
      const indexes = [];
      for (const responseType of ['text', 'text'] as const) indexes.push((await ask({ chatId, responseType })).body.dialogIndex);
      await stream({ chatId, responseType: 'text' });
      indexes.push((await ask({ chatId, responseType: 'text' })).body.dialogIndex);
      expect(indexes).toEqual([0, 1, 3]);
    });

    it('streams lines of text, then usage, then done', async () => {
      const { status, text, headers } = await stream({ responseType: 'text' });
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('application/x-ndjson');
      expect(headers.get('x-accel-buffering')).toBe('no');
      expect(headers.get('x-ai-provider')).toBe(kind);
      expect(headers.get('ratelimit')).toMatch(/^"organization";r=\d+;t=\d+$/);
      const lines = ndjsonLines(text);
      const [done, usage, ...words] = lines.toReversed();
      expect(done).toEqual({ type: 'done' });
      expect(usage).toEqual({ type: 'usage', usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) } });
      expect(words.length).toBeGreaterThan(1);
      for (const word of words) expect(word).toEqual({ type: 'text', text: expect.any(String) });
      expect(textOf(lines)).toMatch(/\w/);
    });

    it('streams the audio of each sentence while the model still sends text', async () => {
      const chatId = randomUUID();
      await ask({ chatId, message: FACTS, responseType: 'text' });
      const { text } = await stream({ chatId, responseType: 'both' });
      const lines = ndjsonLines(text);
      const types = lines.map(({ type }) => type);
      expect(types.at(-1)).toBe('done');
      const sounds = lines.filter(({ type }) => type === 'audio');
      expect(sounds.length).toBeGreaterThan(1);
      // The offline provider returns all words at once.
      if (kind !== 'offline') expect(types.indexOf('audio')).toBeLessThan(types.lastIndexOf('text'));
      for (const sound of sounds) {
        expect(sound).toEqual({ type: 'audio', audio: expect.any(String), mimeType: 'audio/wav' });
        expect((await probeWav(sound.audio)).codec).toBe('pcm_s16le');
      }
    });

    it('has voices with one default, and speaks with the requested one', async () => {
      const { status, body } = await schools[kind].api.get('/v1/ai-agent/voices');
      expect(status).toBe(200);
      const voices = body.data.voices as { voiceName: string; language: string; isDefault: boolean }[];
      expect(voices.filter(({ isDefault }) => isDefault)).toHaveLength(1);
      expect(new Set(voices.map(({ voiceName }) => voiceName)).size).toBe(voices.length);
      const other = voices.find(({ isDefault }) => !isDefault)?.voiceName;
      const spoken = await ask({ voiceName: other, responseType: 'audio' });
      expect(spoken.status).toBe(200);
      await probeWav(present(spoken.body.audio));
    });

    it('replays the answer of a direct chat for its Idempotency-Key, and refuses to repeat a stream', async () => {
      const key = { 'Idempotency-Key': randomUUID() };
      const body = { chatId: randomUUID(), message: ABOUT_FACTS, responseType: 'both' };
      const first = await schools[kind].api.post('/v1/ai-agent/chat', body, key);
      const again = await schools[kind].api.post('/v1/ai-agent/chat', body, key);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.text).toBe(first.text);
      const streamKey = { 'Idempotency-Key': randomUUID() };
      const streamed = await schools[kind].api.post('/v1/ai-agent/chat/stream', body, streamKey);
      expect(streamed.status).toBe(200);
      const refused = await schools[kind].api.post('/v1/ai-agent/chat/stream', body, streamKey);
      expect([refused.status, refused.body.error]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
      expect((await ask({ chatId: body.chatId })).body.dialogIndex).toBe(2);
    });
  });

  describe('with an online model', () => {
    const ask = (body: object) =>
      schools['openai-compatible'].api.post('/v1/ai-agent/chat', { chatId: randomUUID(), responseType: 'text', message: 'Hello', ...body });
    const lastAsked = () => fixture.provider.asked().at(-1)?.body['messages'] as { role: string; content: Part[] | string }[];

    it('sends it the dialogue so far, in order, and nothing of other chats', async () => {
      const chatId = randomUUID();
      await ask({ message: 'The password of another chat is swordfish' });
      const first = await ask({ chatId, message: 'My dog is called Waldi' });
      await ask({ chatId, message: 'What is my dog called?' });
      const spoken = lastAsked()
        .filter(({ role }) => role !== 'system')
        .map(({ role, content }) => [role, wordsOf(content)]);
      expect(spoken).toEqual([
        ['user', 'My dog is called Waldi'],
        ['assistant', first.body.text],
        ['user', 'What is my dog called?'],
      ]);
    });

    it('reports exactly the usage that the model reported', async () => {
      const { body } = await ask({ message: 'One two three' });
      const asked = fixture.provider.asked().at(-1);
      const prompt = lastAsked().reduce((sum, { content }) => sum + tokensOf(wordsOf(content)).length, 0);
      expect(body.usage).toMatchObject({ inputTokens: prompt, outputTokens: asked?.tokensSent });
    });

    it('has a spoken question transcribed first, and answers it together with the text', async () => {
      const wav = await spoken(SPOKEN_TEXT);
      fixture.provider.behave({ answer: SPOKEN_TEXT }, '/v1/audio/transcriptions');
      const { status, text } = await ask({ message: 'Listen', audio: wav.toString('base64') });
      expect([status, text]).toEqual([200, expect.any(String)]);
      const heard = fixture.provider.asked('/v1/audio/transcriptions').at(-1)?.body['file'] as RecordedFile;
      expect(heard.bytes.equals(wav)).toBe(true);
      expect(wordsOf(lastAsked().at(-1)?.content ?? '')).toContain(SPOKEN_TEXT);
    });

    it('passes an image on unchanged', async () => {
      const png = picture();
      const { status } = await ask({ message: 'What is this?', image: png.toString('base64'), imageMimeType: 'image/png' });
      expect(status).toBe(200);
      const content = lastAsked().at(-1)?.content as Part[];
      const url = content.find(({ type }) => type === 'image_url')?.image_url?.url ?? '';
      expect(url.startsWith('data:image/png;base64,')).toBe(true);
      expect(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64').equals(png)).toBe(true);
    });

    it('accepts many recordings at the same time', async () => {
      const audio = (await spoken(SPOKEN_TEXT)).toString('base64');
      const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => ask({ message: `Listen ${at}`, audio })));
      expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
    });

    it('leaves no audio and no images in the storage', async () => {
      await eventually(async () => expect([...(await Bucket.of(fixture.stack).list('ai-inputs/')).keys()]).toEqual([]));
    });

    it('answers the turns of a chat one after the other, in order of arrival, in direct chat and stream', async () => {
      const chatId = randomUUID();
      const before = fixture.provider.asked().length;
      const { api } = schools['openai-compatible'];
      const turns = [];
      for (let at = 0; at < 6; at++) {
        turns.push(
          api.post(at % 2 ? '/v1/ai-agent/chat/stream' : '/v1/ai-agent/chat', { chatId, message: `Question ${at}`, responseType: 'text' }),
        );
        await sleep(30);
      }
      const answers = await Promise.all(turns);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
      expect([0, 2, 4].map((at) => answers[at]?.body)).toMatchObject([0, 2, 4].map((dialogIndex) => ({ dialogIndex })));
      const asked = fixture.provider.asked().slice(before);
      for (const [at, request] of asked.entries()) {
        if (at > 0) expect(request.at).toBeGreaterThanOrEqual(asked[at - 1]?.finishedAt ?? Infinity);
        expect(JSON.stringify(request.body['messages'])).toContain(`Question ${at}`);
      }
    });
  });
});

interface Part {
  type: string;
  text?: string;
  image_url?: { url: string };
}

const wordsOf = (content: Part[] | string) => (typeof content === 'string' ? content : content.map(({ text = '' }) => text).join(''));
