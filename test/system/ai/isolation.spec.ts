import { join } from 'node:path';
import { type AiBench, schoolWithModels, type School, startOwnAiBench } from './ai-bench.js';

interface Mixed {
  answered: number;
  hungUp: number;
  asked: number;
  told: number;
  foreign: string[];
  failures: string[];
}

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { mixCalls, SCHOOLS } = require(join(__dirname, '..', '..', 'bench', 'ai', 'mixed-calls.ts')) as {
  SCHOOLS: number;
  mixCalls(plan: { gateway: string; schools: School[]; provider: AiBench['provider']; calls: number }): Promise<Mixed>;
};

/** `node tools/bootstrap.cjs test/bench/ai/isolation.ts` makes ten times as many. */
const CALLS = 1_000;

describe('concurrent questions of organizations, rooms, students and chats', () => {
  let bench: AiBench;

  beforeAll(async () => {
    // So small that each chat is summarized repeatedly.
    bench = await startOwnAiBench({ AI_CONTEXT_TOKENS: '1000' });
  });
  afterAll(() => bench?.stop());

  it('share no text, and each gets its own answer', async () => {
    const schools: School[] = [];
    for (let at = 0; at < SCHOOLS; at++) schools.push(await schoolWithModels(bench));
    const { foreign, failures, answered, hungUp, asked, told } = await mixCalls({
      gateway: bench.stack.urls.gateway,
      schools,
      provider: bench.provider,
      calls: CALLS,
    });
    expect({ foreign, failures }).toEqual({ foreign: [], failures: [] });
    expect(answered + hungUp).toBe(CALLS);
    // There was enough to mix up: each request contained more than its own question, and summaries were made.
    expect(told).toBeGreaterThan(asked * 3);
    expect(asked).toBeGreaterThan(answered);
  });

  it('are detected as mixed up if two organizations are the same', async () => {
    const school = await schoolWithModels(bench);
    const { foreign } = await mixCalls({
      gateway: bench.stack.urls.gateway,
      schools: [school, school],
      provider: bench.provider,
      calls: 50,
    });
    expect(foreign.length).toBeGreaterThan(10);
  });
});
