import { AppError } from '@classroom/contracts';
import { eventually, RecordedOpenAi, sleep } from '@classroom/testing';
import type { AiProvider } from '../src/models/ai-provider.js';
import { ModelFailure } from '../src/models/model-failure.js';
import { ADAPTERS, build, KEY, LIMITS } from './support/adapters.js';
import { allOf, ask, failureOf, never, QUESTION } from './support/conformance.js';

interface Tested {
  server: RecordedOpenAi;
  /** Its requests to the server's chat endpoint. */
  asked: () => ReturnType<RecordedOpenAi['asked']>;
  provider: (limits?: typeof LIMITS) => AiProvider;
}

/** Tests all adapters at once, each with a server of its own, because these tests wait for time limits. */
async function ofEachAdapter(check: (tested: Tested) => Promise<void>): Promise<void> {
  const tests = ADAPTERS.map(async ({ provider, path }) => {
    const server = new RecordedOpenAi();
    const { url: baseUrl } = await server.start();
    const chat = { provider, model: 'model-1', baseUrl, apiKey: KEY };
    try {
      await check({ server, asked: () => server.asked(path), provider: (limits = LIMITS) => build({ chat }, limits) });
    } catch (error) {
      throw new Error(`${provider} failed`, { cause: error });
    } finally {
      await server.stop();
    }
  });
  // All end before the first failure is thrown.
  await Promise.allSettled(tests);
  await Promise.all(tests);
}

it('obeys Retry-After, and gives up if it is too long', () =>
  ofEachAdapter(async ({ server, asked, provider }) => {
    server.behave([{ status: 429, retryAfterSeconds: 1 }, {}]);
    await allOf(await provider().chat(ask(QUESTION), never()));
    const [first, second] = asked();
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
    server.reset();
    server.behave([{ status: 429, retryAfterSeconds: 60 }, {}]);
    await failureOf(provider().chat(ask(QUESTION), never()));
    expect(asked()).toHaveLength(1);
  }));

it('times out if the first token takes too long, and retries', () =>
  ofEachAdapter(async ({ server, asked, provider }) => {
    server.behave([{ isSilent: true }, { firstTokenDelayMs: 60_000 }, { answer: 'in time' }]);
    const answer = await provider({ ...LIMITS, firstTokenMs: 2_000 }).chat(ask(QUESTION), never());
    expect((await allOf(answer)).join('')).toBe('in time');
    await eventually(() => expect(asked().map(({ abortedAt }) => abortedAt !== undefined)).toEqual([true, true, false]));
  }));

it('times out if the next token takes too long', () =>
  ofEachAdapter(async ({ server, asked, provider }) => {
    server.behave({ answer: 'one two three', stallAfter: 2 });
    const answer = await provider({ ...LIMITS, idleMs: 500 }).chat(ask(QUESTION), never());
    const failure = await failureOf(allOf(answer));
    expect(failure.cause).toMatchObject({ reason: 'too_slow' });
    await eventually(() => expect(asked()[0]?.abortedAt).toBeDefined());
  }));

it('times out after its total time, even if the provider keeps sending', () =>
  ofEachAdapter(async ({ server, provider }) => {
    server.behave({ answer: 'word '.repeat(5_000), tokenDelayMs: 10 });
    const failure = await failureOf(
      provider({ ...LIMITS, totalMs: 1_000 })
        .chat(ask(QUESTION), never())
        .then(allOf),
    );
    expect(failure.cause).toMatchObject({ reason: 'too_slow' });
  }));

it('does not count the reader’s pauses as idle time of the provider', () =>
  ofEachAdapter(async ({ server, provider }) => {
    server.behave({ answer: 'one two three', tokenDelayMs: 5 });
    const words: string[] = [];
    const limits = { ...LIMITS, idleMs: 2_000 };
    for await (const word of await provider(limits).chat(ask(QUESTION), never())) {
      words.push(word);
      if (words.length === 1) await sleep(limits.idleMs * 1.3);
    }
    expect(words).toHaveLength(3);
  }));

it('throws errors without question, answer or key', () =>
  ofEachAdapter(async ({ server, provider }) => {
    for (const behaviour of [{ status: 401 }, { isMalformed: true, answer: 'secret-answer word word' }, { isSilent: true }]) {
      server.behave(behaviour);
      const limits = 'isSilent' in behaviour ? { ...LIMITS, firstTokenMs: 100 } : LIMITS;
      const failure = await failureOf(provider(limits).chat(ask('secret-question'), never()).then(allOf));
      expect(failure).toBeInstanceOf(AppError);
      expect(failure.cause).toBeInstanceOf(ModelFailure);
      const messages = JSON.stringify([
        failure,
        failure.message,
        failure.stack,
        failure.cause,
        (failure.cause as Error).stack,
        (failure.cause as Error).cause ?? null,
      ]);
      expect(messages).not.toMatch(/secret-|sk-canary|recorded failure/);
    }
  }));
