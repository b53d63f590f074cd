import { agentChat, agentChatStream, agentRpc, AppError, createVideo, type AiEvent } from '@classroom/contracts';
import { eventually, type ApiClient } from '@classroom/testing';
import { dataOf, GatewayFixture } from './support/gateway-fixture.js';

const CHAT = { chatId: 'parent-88', message: 'When?' };
const BEGUN: AiEvent = {
  type: 'begun',
  provider: 'offline',
  model: 'm',
  dialogIndex: 3,
  requestModality: 'text',
  responseModality: 'both',
  questionId: 'q',
};
const USAGE: AiEvent = { type: 'usage', usage: { inputTokens: 12, outputTokens: 5, latencyMs: 340 } };

describe('the gateway repeats the answer for an Idempotency-Key', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await GatewayFixture.start({ env: { gateway: { KEPT_ANSWERS_MIB: '1' } } });
  });
  beforeEach(() => gateway.reset());
  afterAll(() => gateway?.stop());

  /** The agent answers with this text. */
  const model = (answer: string) =>
    gateway.stream(agentRpc.chat, async function* () {
      for (const event of [BEGUN, { type: 'text', text: answer } satisfies AiEvent, USAGE]) yield `${JSON.stringify(event)}\n`;
    });
  const HEADERS = ['idempotency-replayed', 'retry-after'];
  const outcomeOf = ({ status, body, headers }: Awaited<ReturnType<ApiClient['post']>>) =>
    [status, body?.message, ...HEADERS.map((name) => headers.get(name))] as unknown[];
  const GONE = [409, 'The answer to this Idempotency-Key was given and is not kept', null, null];

  it('of a whole answer, but not for another question', async () => {
    const inputs = model('Soon.');
    const ask = (message: string) => gateway.backend.post(agentChat.path, { ...CHAT, message }, { 'Idempotency-Key': 'whole' });
    const [first, second] = [await ask('When?'), await ask('When?')];
    expect([second.status, second.body, second.headers.get('idempotency-replayed')]).toEqual([200, first.body, 'true']);
    expect(outcomeOf(await ask('Where?'))).toEqual([409, 'This Idempotency-Key was used with another request', null, null]);
    expect(inputs).toHaveLength(1);
  });

  it('not while the first request is in progress', async () => {
    const failure = Promise.withResolvers<never>();
    const inputs = gateway.answer(createVideo, () => failure.promise);
    const ask = () => gateway.backend.post(createVideo.path, createVideo.example?.body, { 'Idempotency-Key': 'slow' });
    const first = ask();
    await eventually(() => expect(inputs).toHaveLength(1));
    expect(outcomeOf(await ask())).toEqual([409, 'A request with this Idempotency-Key is still in progress', null, '1']);
    // A failure that may pass frees the key.
    failure.reject(new AppError('SERVICE_UNAVAILABLE'));
    expect((await first).status).toBe(503);
    gateway.answer(createVideo, () => dataOf(createVideo));
    expect(outcomeOf(await ask())).toEqual([200, 'Video created', null, null]);
  });

  it('not of a stream, nor of a whole answer that its budget cannot hold', async () => {
    const school = gateway.organization();
    const ask = (path: string, key: string) => gateway.backendOf(school).post(path, CHAT, { 'Idempotency-Key': key });
    const inputs = model('x'.repeat(600 * 1024));
    expect((await ask(agentChatStream.path, 'stream')).status).toBe(200);
    expect(outcomeOf(await ask(agentChatStream.path, 'stream'))).toEqual(GONE);
    for (const key of ['one', 'two']) expect((await ask(agentChat.path, key)).status).toBe(200);
    // The budget of the day has room for one of them.
    expect(outcomeOf(await ask(agentChat.path, 'one'))).toEqual([200, undefined, 'true', null]);
    await eventually(async () => expect(outcomeOf(await ask(agentChat.path, 'two'))).toEqual(GONE));
    expect(inputs).toHaveLength(3);
  });
});
