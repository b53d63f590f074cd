import { metrics, type Attributes, type MeterProvider } from '@opentelemetry/api';

const counted: Attributes[] = [];
const meter = {
  createCounter: () => ({ add: (_: number, attributes: Attributes) => void counted.push(attributes) }),
  createHistogram: () => ({ record: () => undefined }),
};

async function load() {
  counted.length = 0;
  jest.resetModules();
  metrics.setGlobalMeterProvider({ getMeter: () => meter } as unknown as MeterProvider);
  const { Resilience } = await import('./resilience.js');
  const { ModelFailure } = await import('../models/model-failure.js');
  const retryPolicy = { retries: 2, initialDelayMs: 1, maxDelayMs: 50, minimumCalls: 3, halfOpenAfterMs: 60_000 };
  return { model: new Resilience({ provider: 'google', model: 'big' }, retryPolicy), ModelFailure };
}
const outcomes = () => counted.map(({ outcome, provider }) => `${String(provider)} ${String(outcome)}`);
const neverAborted = new AbortController().signal;

describe('attempts at a model are counted', () => {
  it('including those before the successful one', async () => {
    const { model, ModelFailure } = await load();
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      if (tries < 3) throw new ModelFailure(tries === 1 ? 'status' : 'too_slow', { status: 503 });
      return 'a word';
    };
    expect(await model.run(attempt, neverAborted)).toBe('a word');
    expect(outcomes()).toEqual(['google status', 'google too_slow', 'google OK']);
  });

  it('including those that an open circuit rejects', async () => {
    const { model, ModelFailure } = await load();
    const attempt = () => Promise.reject(new ModelFailure('unreachable'));
    await expect(model.run(attempt, neverAborted)).rejects.toThrow();
    await expect(model.run(attempt, neverAborted)).rejects.toThrow();
    expect(outcomes()).toEqual([...Array<string>(3).fill('google unreachable'), 'google circuit_open']);
  });

  it.each([
    ['its caller', () => AbortSignal.abort(), 'google cancelled'],
    ['the time that all attempts have', () => AbortSignal.abort(new DOMException('late', 'TimeoutError')), 'google too_slow'],
  ])('by what ended them: %s', async (_, signal, expected) => {
    const { model } = await load();
    await expect(model.run(async () => 'a word', signal())).rejects.toThrow();
    expect(outcomes()).toEqual([expected]);
  });
});
