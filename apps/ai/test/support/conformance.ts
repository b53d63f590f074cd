import { AppError } from '@classroom/contracts';
import { inParallel } from '@classroom/platform';
import type { AiProvider, ChatAnswer, ChatRequest } from '../../src/models/ai-provider.js';

export const ask = (question: string, changes: Partial<ChatRequest> = {}): ChatRequest => ({
  instructions: 'You are the tutor.\n# Material\nPhotosynthesis turns light, water and carbon dioxide into sugar and oxygen.',
  turns: [{ question: 'My name is Ada.', answer: 'Good to meet you.' }],
  question,
  maxOutputTokens: 500,
  ...changes,
});
export const QUESTION = 'What does photosynthesis make of light and water?';

export const never = (): AbortSignal => new AbortController().signal;

export async function allOf(answer: ChatAnswer): Promise<string[]> {
  const words: string[] = [];
  for await (const word of answer) words.push(word);
  return words;
}

/** Returns the error that `work` rejects with, and throws if it succeeds. */
export async function failureOf(work: Promise<unknown>): Promise<AppError> {
  try {
    await work;
  } catch (error) {
    return error as AppError;
  }
  throw new Error('it did not fail');
}

/**
 * Tests that every provider must pass.
 * @param provider creates a new provider for each test
 */
export function itChats(provider: () => AiProvider): void {
  it('streams an answer word by word, and tells what it used', async () => {
    const started = performance.now();
    const answer = await provider().chat(ask(QUESTION), never());
    expect(answer.firstTokenMs).toBeGreaterThan(0);
    expect(answer.firstTokenMs).toBeLessThanOrEqual(performance.now() - started);
    const words = await allOf(answer);
    expect(words.length).toBeGreaterThan(3);
    expect(words.join('').toLowerCase()).toContain('photosynthesis');
    const { inputTokens, outputTokens, audioSeconds, characters } = answer.used();
    expect(inputTokens).toBeGreaterThan(20);
    expect(outputTokens).toBeGreaterThan(3);
    expect({ audioSeconds, characters }).toEqual({ audioSeconds: 0, characters: 0 });
    expect(answer.by).toEqual({ provider: expect.any(String), model: expect.any(String) });
  });

  it('counts as it goes, also what is cut off by leaving', async () => {
    const answer = await provider().chat(ask(QUESTION), never());
    const counts: number[] = [];
    for await (const word of answer) {
      expect(word).not.toBe('');
      counts.push(answer.used().outputTokens);
      if (counts.length === 3) break;
    }
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts[0]).toBeGreaterThan(0);
    const used = answer.used();
    expect(used).toMatchObject({ outputTokens: counts[2], isEstimated: true });
    expect(used.inputTokens).toBeGreaterThan(20);
  });

  it('ends with its signal: before, and in the middle of an answer', async () => {
    const gone = new AbortController();
    gone.abort(new Error('the client is gone'));
    expect((await failureOf(provider().chat(ask(QUESTION), gone.signal))).message).toBe('the client is gone');

    const leaving = new AbortController();
    const answer = await provider().chat(ask(QUESTION), leaving.signal);
    const words: string[] = [];
    const failure = await failureOf(
      (async () => {
        for await (const word of answer) {
          words.push(word);
          leaving.abort(new Error('the client left'));
        }
      })(),
    );
    expect(failure.message).toBe('the client left');
    expect(words).toHaveLength(1);
    expect(answer.used()).toMatchObject({ isEstimated: true, outputTokens: expect.any(Number) });
  });

  it('answers several at once, each its own', async () => {
    const one = provider();
    const answers: string[] = [];
    // More calls would exceed the time limits of this suite on a busy machine.
    await inParallel(
      Array.from({ length: 20 }, (_, index) => index),
      5,
      async (index) => {
        const material = `# Material\nThe secret of class ${index} is canary${index}.`;
        answers[index] = (
          await allOf(await one.chat(ask(`What is the secret, canary${index}?`, { instructions: material }), never()))
        ).join('');
      },
    );
    expect(answers).toHaveLength(20);
    answers.forEach((text, index) => expect(text.match(/canary\d+/g)?.every((found) => found === `canary${index}`)).toBe(true));
  });
}
