import { eventually, RecordedOpenAi, sleep, tokensOf, type RecordedFile } from '@classroom/testing';
import { NO_ANSWER_MARKER, type AiProvider } from '../src/models/ai-provider.js';
import type { Choice } from '../src/providers/sdk-models.js';
import { concatAudio, readWav, writeWav } from '../src/inputs/wav.js';
import { absent, ADAPTERS, build, DEFAULT_RETRY_POLICY, KEY, LIMITS, registry } from './support/adapters.js';
import { allOf, ask, failureOf, itChats, never, QUESTION } from './support/conformance.js';

const server = new RecordedOpenAi();
const other = new RecordedOpenAi();
beforeAll(async () => {
  await Promise.all([server.start(), other.start()]);
});
afterAll(async () => {
  await Promise.all([server.stop(), other.stop()]);
});
beforeEach(() => {
  server.reset();
  other.reset();
});

const OFFLINE: Choice = { provider: 'offline', model: 'offline' };

describe.each(ADAPTERS)('$provider', ({ provider: name, path }) => {
  const choice = (): Choice => ({ provider: name, model: 'model-1', baseUrl: server.url, apiKey: KEY });
  const provider = (): AiProvider => build({ chat: choice() });
  const asked = () => server.asked(path);

  itChats(provider);

  it('sends instructions, dialogue, question, limit and key, and takes the provider’s token count', async () => {
    server.behave({ answer: 'one two three four' });
    const answer = await provider().chat(ask(QUESTION), never());
    expect(await allOf(answer)).toEqual(['one', ' two', ' three', ' four']);
    expect(answer.by).toEqual({ provider: name, model: 'model-1' });
    const request = ask(QUESTION);
    const words = [request.instructions, 'My name is Ada.', 'Good to meet you.', QUESTION].map((text) => tokensOf(text).length);
    expect(answer.used()).toMatchObject({ inputTokens: words.reduce((a, b) => a + b), outputTokens: 4, isEstimated: false });
    const [sent] = asked();
    expect(JSON.stringify(sent?.headers)).toContain(KEY);
    expect(JSON.stringify(sent?.body)).toContain('500');
  });

  it('passes an image on unchanged', async () => {
    const bytes = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1');
    await allOf(await provider().chat(ask('What is this?', { image: { bytes, mimeType: 'image/png' } }), never()));
    const sent = JSON.stringify(asked()[0]?.body);
    expect(sent).toContain(bytes.toString('base64'));
    expect(sent).toContain('image/png');
  });

  it('does not send an image to a model without vision, and marks its answer', async () => {
    const image = { bytes: Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1'), mimeType: 'image/png' };
    const withVision = await provider().chat(ask('What is this?', { image }), never());
    const withoutVision = await build({ chat: { ...choice(), vision: false } }).chat(ask('What is this?', { image }), never());
    const unasked = await build({ chat: { ...choice(), vision: false } }).chat(ask('What is this?'), never());
    for (const answer of [withVision, withoutVision, unasked]) await allOf(answer);
    expect([withVision.isImageIgnored, withoutVision.isImageIgnored, unasked.isImageIgnored]).toEqual([false, true, false]);
    expect(JSON.stringify(asked()[1]?.body)).not.toContain(image.bytes.toString('base64'));
  });

  it('closes the provider’s connection when the client disconnects, before and during the answer', async () => {
    for (const firstTokenDelayMs of [300, 0]) {
      server.reset();
      server.behave({ answer: 'word '.repeat(500), firstTokenDelayMs, tokenDelayMs: 20 });
      const leaving = new AbortController();
      const work = (async () => {
        const answer = await provider().chat(ask(QUESTION), leaving.signal);
        await allOf(answer);
      })();
      const failed = failureOf(work);
      await eventually(() => expect(asked()).toHaveLength(1));
      await sleep(100);
      leaving.abort(new Error('gone'));
      expect((await failed).message).toBe('gone');
      await eventually(() => expect(asked()[0]?.abortedAt).toBeDefined());
    }
  });

  it('closes the provider’s connection if the reader leaves the loop, or disconnects without reading', async () => {
    server.behave({ answer: 'word '.repeat(500), tokenDelayMs: 20 });
    for await (const word of await provider().chat(ask(QUESTION), never())) if (word) break;
    await eventually(() => expect(asked()[0]?.abortedAt).toBeDefined());

    const leaving = new AbortController();
    const unread = await provider().chat(ask(QUESTION), leaving.signal);
    leaving.abort();
    await eventually(() => expect(asked()[1]?.abortedAt).toBeDefined());
    expect(unread.used().inputTokens).toBeGreaterThan(20);
  });

  it.each([[500], [503], [429]])('retries after %i before the first token', async (status) => {
    server.behave([{ status }, { status }, { answer: 'at last' }]);
    expect((await allOf(await provider().chat(ask(QUESTION), never()))).join('')).toBe('at last');
    expect(asked()).toHaveLength(3);
  });

  it('gives up after the last retry, and does not retry a 400', async () => {
    server.behave({ status: 500 });
    expect(await failureOf(provider().chat(ask(QUESTION), never()))).toMatchObject({ code: 'AI_UNAVAILABLE', kind: 'unavailable' });
    expect(asked()).toHaveLength(3);
    server.reset();
    server.behave({ status: 400 });
    expect(await failureOf(provider().chat(ask(QUESTION), never()))).toMatchObject({
      code: 'AI_UNAVAILABLE',
      message: 'The AI provider refused the request',
    });
    expect(asked()).toHaveLength(1);
  });

  it.each([400, 413, 415, 422])('names the picture that the provider refuses with %i, and asks once', async (status) => {
    server.behave({ status });
    const image = { bytes: Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1'), mimeType: 'image/png' };
    const refused = { code: 'VALIDATION_FAILED', details: [{ path: 'image', message: 'was refused by the AI provider' }] };
    expect(await failureOf(provider().chat(ask('What is this?', { image }), never()))).toMatchObject(refused);
    expect(asked()).toHaveLength(1);
    const blind = build({ chat: { ...choice(), vision: false } });
    expect(await failureOf(blind.chat(ask('What is this?', { image }), never()))).toMatchObject({ code: 'AI_UNAVAILABLE' });
  });

  it('fails without a retry if the provider breaks off after the first token, and still counts the usage', async () => {
    for (const behaviour of [{ breakOffAfter: 3 }, { endAfter: 3 }]) {
      server.reset();
      server.behave({ answer: 'one two three four five', tokenDelayMs: 5, ...behaviour });
      const answer = await provider().chat(ask(QUESTION), never());
      const words: string[] = [];
      const failure = await failureOf(
        (async () => {
          for await (const word of answer) words.push(word);
        })(),
      );
      expect(failure).toMatchObject({ code: 'AI_UNAVAILABLE' });
      expect(words.join('')).toBe('one two three');
      expect(answer.used()).toMatchObject({ isEstimated: true, outputTokens: 4 });
      expect(asked()).toHaveLength(1);
    }
  });

  it('fails with AI_UNAVAILABLE on invalid JSON', async () => {
    server.behave({ answer: 'one two three four five', isMalformed: true });
    const answer = await provider().chat(ask(QUESTION), never());
    expect(await failureOf(allOf(answer))).toMatchObject({ code: 'AI_UNAVAILABLE' });
  });

  it('uses the fallback only before the first token, and without the first provider’s key', async () => {
    other.behave({ answer: 'I stand in' });
    server.behave([
      { status: 500 },
      { status: 500 },
      { status: 500 },
      { status: 404 },
      { answer: 'one two three', breakOffAfter: 2, tokenDelayMs: 5 },
    ]);
    const both = build({ chat: choice(), chatFallback: { provider: 'openai-compatible', model: 'second', baseUrl: other.url } });
    for (const requests of [3, 4]) {
      const answer = await both.chat(ask(QUESTION), never());
      expect((await allOf(answer)).join('')).toBe('I stand in');
      expect(answer.by).toEqual({ provider: 'openai-compatible', model: 'second' });
      expect(asked()).toHaveLength(requests);
    }
    const broken = await both.chat(ask(QUESTION), never());
    expect(await failureOf(allOf(broken))).toMatchObject({ code: 'AI_UNAVAILABLE' });
    expect(broken.by.model).toBe('model-1');
    expect(other.requests).toHaveLength(2);
    // The fallback has no key of its own, and does not receive the first choice's key.
    expect(JSON.stringify(other.requests)).not.toContain(KEY);
  });

  it('opens the circuit of a model that fails too often, and closes it after a successful trial call', async () => {
    server.behave({ status: 500 });
    const one = provider();
    await failureOf(one.chat(ask(QUESTION), never()));
    await failureOf(one.chat(ask(QUESTION), never()));
    const before = asked().length;
    expect(before).toBe(5);
    expect((await failureOf(one.chat(ask(QUESTION), never()))).cause).toMatchObject({ reason: 'circuit_open' });
    expect(asked()).toHaveLength(before);

    await sleep(DEFAULT_RETRY_POLICY.halfOpenAfterMs + 50);
    server.behave({ answer: 'here again', firstTokenDelayMs: 100 });
    const trial = one.chat(ask(QUESTION), never());
    // Other calls do not wait for the outcome of the trial call.
    expect((await failureOf(one.chat(ask(QUESTION), never()))).cause).toMatchObject({ reason: 'circuit_open' });
    expect((await allOf(await trial)).join('')).toBe('here again');
    expect(await allOf(await one.chat(ask(QUESTION), never()))).toHaveLength(2);
  });

  it('does not count a refused request as a failure of the model', async () => {
    server.behave({ status: 400 });
    const one = provider();
    for (let times = 0; times < 8; times++) await failureOf(one.chat(ask(QUESTION), never()));
    expect(asked()).toHaveLength(8);
  });

  it('reports ECONNREFUSED if no process listens at the address', async () => {
    const stopped = new RecordedOpenAi();
    const { url } = await stopped.start();
    await stopped.stop();
    const unreachable = build({ chat: { provider: name, model: 'model-1', baseUrl: url, apiKey: KEY } });
    expect((await failureOf(unreachable.chat(ask(QUESTION), never()))).cause).toMatchObject({
      reason: 'unreachable',
      code: 'ECONNREFUSED',
    });
  });
});

describe('openai-compatible', () => {
  const choice = (model = 'model-1'): Choice => ({ provider: 'openai-compatible', model, baseUrl: server.url, apiKey: KEY });

  it('estimates the usage if the provider reports none', async () => {
    server.behave({ answer: 'four words of answer', hasNoUsage: true });
    const answer = await build({ chat: choice() }).chat(ask(QUESTION), never());
    await allOf(answer);
    expect(answer.used()).toMatchObject({ isEstimated: true, outputTokens: 5 });
  });

  it('counts reasoning as activity, and leaves it out of the answer', async () => {
    server.behave({ answer: 'so it is', reasoning: 'let me think about this for a while', tokenDelayMs: 200 });
    const limits = { ...LIMITS, firstTokenMs: 1_000 };
    const answer = await build({ chat: choice() }, limits).chat(ask(QUESTION), never());
    expect((await allOf(answer)).join('')).toBe('so it is');
    expect(answer.firstTokenMs).toBeGreaterThan(limits.firstTokenMs);
  });

  const wav = writeWav({ samples: Buffer.alloc(32_000), sampleRate: 16_000 });

  it('transcribes, speaks and embeds', async () => {
    const one = build({ chat: OFFLINE, speechToText: choice('whisper-1'), textToSpeech: choice('tts-1'), embedding: choice('embed-1') });
    expect(['chat', 'chatFallback', 'speechToText', 'textToSpeech', 'embedding'].map((task) => one.can(task as 'chat'))).toEqual([
      true,
      false,
      true,
      true,
      true,
    ]);

    const heard = await one.transcribe(wav, never());
    expect(heard).toMatchObject({ text: 'This is what was said.', by: { model: 'whisper-1' }, used: { audioSeconds: 1 } });
    const [asked] = server.asked('/v1/audio/transcriptions');
    const file = asked?.body['file'] as RecordedFile | undefined;
    expect(file?.bytes).toEqual(wav);

    const speech = await one.synthesize('Good morning.', 'nova', never());
    expect(speech.used).toMatchObject({ characters: 13 });
    expect(readWav(writeWav(speech.audio)).durationSeconds).toBeCloseTo(0.26);
    expect(server.asked('/v1/audio/speech')[0]?.body).toMatchObject({
      model: 'tts-1',
      voice: 'nova',
      input: 'Good morning.',
      response_format: 'wav',
    });
    expect(concatAudio([speech.audio, speech.audio]).samples).toHaveLength(2 * speech.audio.samples.length);

    const embedded = await one.embed(['what is a cell', 'What is a cell?', 'who teaches'], never());
    const [a = [], b = [], c = []] = embedded?.vectors ?? [];
    const similarity = (x: number[], y: number[]) => x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
    expect(similarity(a, b)).toBeCloseTo(1);
    expect(similarity(a, c)).toBeLessThan(0.5);
    expect(embedded?.used).toMatchObject({ inputTokens: 10, isEstimated: false });
    expect((await one.voices()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  it('names the sound that the provider refuses, and asks once', async () => {
    server.behave({ status: 415 }, '/v1/audio/transcriptions');
    const one = build({ chat: OFFLINE, speechToText: choice('whisper-1') });
    expect(await failureOf(one.transcribe(wav, never()))).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'audio' }] });
    expect(server.asked('/v1/audio/transcriptions')).toHaveLength(1);
  });

  it.each(['/v1/audio/transcriptions', '/v1/audio/speech', '/v1/embeddings'])(
    'retries %s, gives up after the last retry, and closes the connection when the caller disconnects',
    async (path) => {
      const call = (signal: AbortSignal): Promise<unknown> => {
        const one = build({ chat: OFFLINE, speechToText: choice(), textToSpeech: choice(), embedding: choice() });
        if (path.endsWith('speech')) return one.synthesize('x', undefined, signal);
        return path.endsWith('embeddings') ? one.embed(['x'], signal) : one.transcribe(wav, signal);
      };
      server.behave([{ status: 500 }, {}], path);
      await call(never());
      expect(server.asked(path)).toHaveLength(2);

      for (const behaviour of [{ status: 500 }, { isMalformed: true }, { breakOffAfter: 0 }]) {
        server.behave(behaviour, path);
        expect(await failureOf(call(never()))).toMatchObject({ code: 'AI_UNAVAILABLE' });
      }

      server.reset();
      server.behave({ isSilent: true }, path);
      const leaving = new AbortController();
      const failed = failureOf(call(leaving.signal));
      await eventually(() => expect(server.asked(path)).toHaveLength(1));
      leaving.abort(new Error('gone'));
      expect((await failed).message).toBe('gone');
      await eventually(() => expect(server.asked(path)[0]?.abortedAt).toBeDefined());
    },
  );
});

it('google transcribes with its chat model', async () => {
  server.behave({ answer: 'What is a cell?' });
  const one = build({ chat: OFFLINE, speechToText: { provider: 'google', model: 'model-1', baseUrl: server.url, apiKey: KEY } });
  const wav = writeWav({ samples: Buffer.alloc(32_000), sampleRate: 16_000 });
  const heard = await one.transcribe(wav, never());
  expect(heard).toMatchObject({ text: 'What is a cell?', used: { audioSeconds: 1, outputTokens: 4 } });
  expect(JSON.stringify(server.requests[0]?.body)).toContain(wav.toString('base64'));
});

describe('offline', () => {
  const provider = () => build({ chat: OFFLINE });
  itChats(provider);

  it('states that no model is configured, and marks what it does not know', async () => {
    const one = provider();
    expect(one.isOffline).toBe(true);
    const answer = await one.chat(ask(QUESTION), never());
    expect((await allOf(answer)).join('')).toMatch(/^No AI model is configured.*sugar and oxygen\.$/);
    expect(answer.by.provider).toBe('offline');
    expect(answer.used().isEstimated).toBe(true);
    const instructions = `Begin with ${NO_ANSWER_MARKER} where you don't know.\n# Material\nNothing much.`;
    const unknown = (await allOf(await one.chat(ask('Who was Kepler?', { instructions }), never()))).join('');
    expect(unknown.startsWith(NO_ANSWER_MARKER)).toBe(true);
    const remembered = (await allOf(await one.chat(ask('What is my name?'), never()))).join('');
    expect(remembered).toContain('My name is Ada.');
    expect((await allOf(await one.chat(ask(QUESTION, { maxOutputTokens: 16 }), never()))).join('').length).toBeLessThanOrEqual(64);
  });

  it('speaks, in several languages', async () => {
    const one = provider();
    const voices = await one.voices();
    expect(voices.filter(({ isDefault }) => isDefault)).toEqual([{ voiceName: 'English_(America)', language: 'en-us', isDefault: true }]);
    const english = await one.synthesize('Good morning, class.', undefined, never());
    const german = await one.synthesize('Guten Morgen.', 'German', never());
    const byLanguage = await one.synthesize('[[ Guten ]] Morgen.', 'de', never());
    for (const { audio, used } of [english, german, byLanguage]) {
      expect(used.audioSeconds).toBeGreaterThan(0.4);
      expect(used.audioSeconds).toBeLessThan(5);
      expect(audio.samples.some((byte) => byte !== 0)).toBe(true);
    }
    expect(english.by).toEqual({ provider: 'offline', model: 'espeak-ng' });
    expect(english.used.characters).toBe(20);
    expect(await failureOf(one.synthesize('x', 'unknown', never()))).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'voiceName' }],
    });
    await one.checkVoice('German');
  });

  it('stops speaking when its signal is aborted', async () => {
    const leaving = new AbortController();
    const one = provider();
    await one.voices();
    const failed = failureOf(one.synthesize('and so on '.repeat(3_000), undefined, leaving.signal));
    await sleep(30);
    leaving.abort(new Error('gone'));
    expect((await failed).message).toBe('gone');
  });

  it('transcribes with the embedded recognizer', async () => {
    const { audio } = await provider().synthesize('What is the capital city of France?', undefined, never());
    const recognizer = provider();
    const heard = await recognizer.transcribe(writeWav(audio), never());
    expect(heard.by).toEqual({ provider: 'offline', model: 'pocketsphinx' });
    expect(heard.text).toMatch(/^[a-z' ]{5,}$/);
    expect(heard.text).toContain('city');
    expect(recognizer.can('speechToText')).toBe(true);
  });

  it('reports that the recognizer is missing', async () => {
    const without = registry({ pocketsphinx: absent });
    await without.prepare();
    const withoutSpeech = without.build({ chat: OFFLINE });
    expect(await failureOf(withoutSpeech.transcribe(Buffer.alloc(0), never()))).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringContaining('no speech-to-text model is configured'),
      details: [{ path: 'audio' }],
    });
    expect(withoutSpeech.can('speechToText')).toBe(false);
  });

  it('embeds nothing', async () => {
    expect(await provider().embed(['x'], never())).toBeUndefined();
  });

  it('reports that the synthesizer is missing', async () => {
    const without = registry({ espeak: absent }).build({ chat: OFFLINE });
    expect(await without.voices()).toEqual([]);
    expect(without.can('textToSpeech')).toBe(false);
    expect(await failureOf(without.synthesize('x', undefined, never()))).toMatchObject({ code: 'AI_UNAVAILABLE' });
  });
});
