import { z } from 'zod';
import { defineRpc } from '@classroom/contracts';
import { RpcFixture } from './support/rpc-fixture.js';

/** Milliseconds without an answer after which a call ends. */
const SILENCE_MS = 1_000;
let count = 0;

/** A call that waited for its timeout would not end within a test's. */
const newContract = (timeoutMs = 60_000) =>
  defineRpc({
    service: 'room',
    rpc: `process.report-${(count += 1)}`,
    input: z.object({}),
    output: z.object({ name: z.string() }),
    timeoutMs,
  });

describe('a call of all processes', () => {
  let fixture: RpcFixture;

  beforeAll(async () => {
    fixture = await RpcFixture.start({});
  });
  afterAll(() => fixture?.stop());

  /** @param when resolves when the process answers */
  function process(contract: ReturnType<typeof newContract>, name: string, when: () => Promise<unknown> = async () => undefined) {
    const handle = () => when().then(() => ({ name }));
    return fixture.server.serve(contract, handle, { queue: null });
  }
  const after = (ms: number) => () => new Promise((resolve) => setTimeout(resolve, ms));
  const namesOf = async (contract: ReturnType<typeof newContract>, silenceMs = SILENCE_MS) =>
    (await fixture.client.callAll(contract, silenceMs)).map(({ name }) => name).sort();

  it('has the answers of late processes, and ends when no more arrive', async () => {
    const contract = newContract();
    const ended = Promise.withResolvers<void>();
    process(contract, 'first');
    process(contract, 'late', after(SILENCE_MS * 0.5));
    process(contract, 'later', after(SILENCE_MS * 1.2));
    process(contract, 'hangs', () => ended.promise);
    expect(await namesOf(contract)).toEqual(['first', 'late', 'later']);
    ended.resolve();
  });

  it('waits for a process that answered the last time, until its timeout', async () => {
    const contract = newContract(3_000);
    const ended = Promise.withResolvers<void>();
    let pause: () => Promise<unknown> = async () => undefined;
    process(contract, 'quick');
    process(contract, 'busy', () => pause());
    expect(await namesOf(contract)).toEqual(['busy', 'quick']);
    pause = after(500);
    expect(await namesOf(contract, 100)).toEqual(['busy', 'quick']);
    pause = () => ended.promise;
    expect(await namesOf(contract, 100)).toEqual(['quick']);
    ended.resolve();
  });

  it('ends at once if there is no process', async () => {
    expect(await namesOf(newContract())).toEqual([]);
  });
});
