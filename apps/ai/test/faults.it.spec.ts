import type { AiEvent } from '@classroom/contracts';
import { sleep } from '@classroom/testing';
import { AiFixture, newOrganizationId, whole } from './support/ai-fixture.js';

describe('the agent under faults', () => {
  let fixture: AiFixture;
  beforeAll(async () => {
    fixture = await AiFixture.start();
  });
  afterAll(() => fixture?.stop());
  beforeEach(() => fixture.model.reset());

  it('continues the chat after its process was killed during an answer', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ answer: 'word '.repeat(400), tokenDelayMs: 50 });
    const stream = fixture.agent({ organizationId, message: 'A long story' });
    await stream.next();
    const ai = fixture.stack.app('ai');
    await ai.kill();
    stream.return(undefined).catch(() => undefined);
    await ai.start();
    fixture.model.behave({ answer: 'Here I am.' });
    const { begun } = await whole(fixture.agent({ organizationId, message: 'Are you there?' }));
    expect(begun.dialogIndex).toBe(1);
    const turns = await fixture.stack.rows<{ state: string }>(
      'SELECT state FROM ai.turns JOIN ai.chats USING (chat_key) WHERE organization_id = $1 ORDER BY dialog_index',
      [organizationId],
    );
    expect(turns.map(({ state }) => state)).toEqual(['cut_off', 'finished']);
    expect((await fixture.usageRows(organizationId)).map(({ outcome, model }) => [outcome, model])).toEqual([
      ['cut_off', 'chat-model'],
      ['finished', 'chat-model'],
    ]);
  });

  it('waits for a restarting database before it sends the last event', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ answer: 'word '.repeat(20), tokenDelayMs: 50 });
    const stream = fixture.agent({ organizationId });
    await stream.next();
    const postgres = fixture.stack.part('postgres');
    await postgres.stop('SIGINT');
    const restarted = sleep(500).then(() => postgres.start());
    let last: AiEvent | undefined;
    for await (const event of stream) last = event;
    await restarted;
    expect(last?.type).toBe('usage');
    expect((await fixture.usageRows(organizationId)).map(({ outcome }) => outcome)).toEqual(['finished']);
  });

  it('completes running answers when it is stopped gracefully', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ answer: 'word '.repeat(60), tokenDelayMs: 40 });
    const stream = fixture.agent({ organizationId });
    await stream.next();
    const ai = fixture.stack.app('ai');
    const stopped = ai.stop();
    let last: AiEvent | undefined;
    for await (const event of stream) last = event;
    expect(last?.type).toBe('usage');
    await stopped;
    expect((await fixture.usageRows(organizationId)).map(({ outcome }) => outcome)).toEqual(['finished']);
    await ai.start();
  });
});
