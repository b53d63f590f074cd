import { join } from 'node:path';
import { type AiFixture, schoolWithModels, type School, startOwnAiFixture } from './ai-fixture.js';

interface Mixed {
  answered: number;
  hungUp: number;
  asked: number;
  marks: number;
  foreign: string[];
  failures: string[];
}

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { mixCalls, SCHOOLS } = require(join(__dirname, '..', '..', 'bench', 'ai', 'mixed-calls.ts')) as {
  SCHOOLS: number;
  mixCalls(plan: { gateway: string; schools: School[]; provider: AiFixture['provider']; calls: number }): Promise<Mixed>;
};

/** Per chat enough calls to be summarized. `node tools/bootstrap.cjs test/bench/ai/isolation.ts` makes ten times as many. */
const CALLS = 1_000;

describe('concurrent questions of organizations, rooms, students and chats', () => {
  let fixture: AiFixture;

  beforeAll(async () => {
    // So small that each chat is summarized repeatedly.
    fixture = await startOwnAiFixture({ AI_CONTEXT_TOKENS: '1000' });
  });
  afterAll(() => fixture?.stop());

  it('share no text, and each gets its own answer', async () => {
    const schools: School[] = [];
    for (let at = 0; at < SCHOOLS; at++) schools.push(await schoolWithModels(fixture));
    const { foreign, failures, answered, hungUp, asked, marks } = await mixCalls({
      gateway: fixture.stack.urls.gateway,
      schools,
      provider: fixture.provider,
      calls: CALLS,
    });
    expect({ foreign, failures }).toEqual({ foreign: [], failures: [] });
    expect(answered + hungUp).toBe(CALLS);
    // There was enough to mix up: each request contained more than its own question, and summaries were made.
    expect(marks).toBeGreaterThan(asked * 3);
    expect(asked).toBeGreaterThan(answered);
  });

  it('are detected as mixed up if two organizations are the same', async () => {
    const school = await schoolWithModels(fixture);
    const { foreign } = await mixCalls({
      gateway: fixture.stack.urls.gateway,
      schools: [school, school],
      provider: fixture.provider,
      calls: 50,
    });
    expect(foreign.length).toBeGreaterThan(10);
  });
});
