import {
  accountChanged,
  erasureRpc,
  exportRpc,
  getAiUsage,
  listVoices,
  updateAiSettings,
  usageRecorded,
  type AiEvent,
} from '@classroom/contracts';
import { Decimal } from 'decimal.js';
import { randomUUID } from 'node:crypto';
import { eventually, publishFact, rowsWith, sleep, storageOf, unhandled, writtenFacts } from '@classroom/testing';
import { ControlledClock } from '@classroom/platform';
import { ObjectStorage } from '@classroom/storage';
import { InputsSweep } from '../src/inputs/inputs.js';
import { readWav, writeWav } from '../src/inputs/wav.js';
import { AiFixture, lastOf, newOrganizationId, PRICES, messagesSentTo, whole } from './support/ai-fixture.js';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const WAV = writeWav({ samples: Buffer.alloc(32_000), sampleRate: 16_000 });

describe('the agent', () => {
  let fixture: AiFixture;
  beforeAll(async () => {
    fixture = await AiFixture.start({ AI_CONTEXT_TOKENS: '1000', AI_MAX_OUTPUT_TOKENS: '200' });
  });
  afterAll(() => fixture?.stop());
  beforeEach(() => fixture.model.reset());

  const questionsOf = (request: { body: Record<string, unknown> } | undefined) =>
    ((request?.body['messages'] ?? []) as { role: string; content: string }[])
      .filter(({ role }) => role === 'user')
      .map(({ content }) => content);

  it('streams the answer, names the provider and the model, and ends with the usage', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ answer: 'One two three.', tokenDelayMs: 5 });
    const { events, begun, text, usage } = await whole(fixture.agent({ organizationId, message: 'Count to three' }));
    expect(begun).toMatchObject({
      provider: 'openai-compatible',
      model: 'chat-model',
      dialogIndex: 0,
      requestModality: 'text',
      responseModality: 'text',
    });
    expect(text).toBe('One two three.');
    expect(events.filter(({ type }) => type === 'text')).toHaveLength(3);
    const [row] = await fixture.usageRows(organizationId);
    expect(row).toMatchObject({ kind: 'agent', task: 'chat', outcome: 'finished', input_tokens: usage.inputTokens, output_tokens: 3 });
    expect(usage.latencyMs).toBeGreaterThan(0);
  });

  it('sends nothing before the model’s first token', async () => {
    fixture.model.behave({ firstTokenDelayMs: 400 });
    const started = performance.now();
    const stream = fixture.agent({ organizationId: newOrganizationId() });
    await stream.next();
    const took = performance.now() - started;
    await stream.return(undefined);
    expect(took).toBeGreaterThan(390);
  });

  it('remembers the turns of this chat and of no other', async () => {
    const organizationId = newOrganizationId();
    await whole(fixture.agent({ organizationId, chatId: 'a', message: 'My name is Zed' }));
    await whole(fixture.agent({ organizationId, chatId: 'b', message: 'Who am I?' }));
    const second = await whole(fixture.agent({ organizationId, chatId: 'a', message: 'Who am I?' }));
    await whole(fixture.agent({ organizationId: newOrganizationId(), chatId: 'a', message: 'Who am I?' }));
    expect(second.begun.dialogIndex).toBe(1);
    const [, inB, inA, elsewhere] = fixture.model.asked();
    expect(questionsOf(inA)).toEqual(['My name is Zed', 'Who am I?']);
    expect(questionsOf(inB)).toEqual(['Who am I?']);
    expect(messagesSentTo(elsewhere)).not.toContain('Zed');
  });

  describe('asked for a participant', () => {
    let organizationId: string;
    /** In everything that is left of these people, and in nothing of other tests. */
    let mia: string;
    let ben: string;
    beforeEach(() => {
      organizationId = newOrganizationId();
      [mia, ben] = [`mia-${randomUUID()}`, `ben-${randomUUID()}`];
    });

    const ask = (chatId: string, participantUid?: string) =>
      whole(fixture.agent({ organizationId, chatId, message: `I am ${participantUid}`, ...(participantUid ? { participantUid } : {}) }));
    const erase = (uid: string) =>
      fixture.call(erasureRpc.ai, { erasureId: `era_${randomUUID()}`, organizationId, subject: { uid }, readThrough: 0 });
    const exported = async (uid: string) =>
      (await fixture.call(exportRpc.ai, { organizationId, subject: { uid }, cursor: null })).records.map(({ store, data }) => ({
        store,
        ...data,
      }));

    it('keeps the chat for that person alone, also if earlier or later turns name no one', async () => {
      await ask('begun-without');
      for (const uid of [mia, undefined, mia]) await ask('begun-without', uid);
      const refused = { code: 'VALIDATION_FAILED', details: [{ path: 'participantUid' }] };
      for (const uid of [ben, mia.toUpperCase(), 'mia']) await expect(ask('begun-without', uid)).rejects.toMatchObject(refused);
      expect((await ask('begun-without', mia)).begun.dialogIndex).toBe(4);
      // Of two who begin a chat at the same time, one has it.
      const answers = await Promise.allSettled([mia, ben].map((uid) => ask('shared', uid)));
      expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      await whole(fixture.agent({ organizationId: newOrganizationId(), chatId: 'begun-without', participantUid: ben }));
    });

    it('exports and erases that person’s chats, and leaves those of others, and tokens and costs', async () => {
      await ask('of-mia', mia);
      await ask('of-mia', undefined);
      await ask('of-ben', ben);
      await ask('of-no-one');
      const ofMia = await exported(mia);
      expect(ofMia.map(({ store }) => store)).toEqual(['dialogues', 'turns', 'turns', 'usage', 'usage']);
      expect(ofMia[0]).toMatchObject({ kind: 'agent', name: 'of-mia', studentUid: mia });
      expect(JSON.stringify(ofMia)).not.toMatch(/ben-|of-no-one/);
      const usage = await fixture.call(getAiUsage, { organizationId });
      expect(await erase(mia)).toMatchObject({ isComplete: true, counts: { 'AI dialogues': 1 } });
      expect(await exported(mia)).toEqual([]);
      expect(await rowsWith(fixture.stack, mia)).toEqual({});
      expect(await exported(ben)).toHaveLength(3);
      expect(await fixture.call(getAiUsage, { organizationId })).toEqual(usage);
      // The chat is new.
      expect((await ask('of-mia', ben)).begun.dialogIndex).toBe(0);
    });

    it('leaves nothing of the person if an answer is in progress during the erasure', async () => {
      fixture.model.behave({ answer: 'word '.repeat(60), tokenDelayMs: 20 });
      const answer = fixture.agent({ organizationId, participantUid: mia, message: `I am ${mia}` });
      await answer.next();
      await erase(mia);
      expect(await lastOf(answer)).toMatchObject({ type: 'usage' });
      expect(await fixture.usageRows(organizationId)).toMatchObject([{ outcome: 'finished' }]);
      expect(await rowsWith(fixture.stack, mia)).toEqual({});
    });
  });

  it('answers concurrent turns of a chat one after the other, each with all earlier turns in its prompt', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ answer: 'ok', tokenDelayMs: 5 });
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) => whole(fixture.agent({ organizationId, message: `turn ${index}` }))),
    );
    const indexes = answers.map(({ begun }) => begun.dialogIndex);
    // In the order of their arrival.
    expect(indexes).toEqual(Array.from({ length: 16 }, (_, index) => index));
    const asked = fixture.model.asked().map((request) => questionsOf(request));
    expect(asked.map((questions) => questions.length)).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
    expect(new Set(asked.at(-1)).size).toBe(16);
  });

  it('waits while another process answers in the same chat', async () => {
    const organizationId = newOrganizationId();
    await whole(fixture.agent({ organizationId }));
    await fixture.takeChats(organizationId, 1.5);
    const started = performance.now();
    await whole(fixture.agent({ organizationId }));
    expect(performance.now() - started).toBeGreaterThan(1_000);
  });

  it('cancels the provider’s request when the caller disconnects, keeps the partial answer, and continues the chat', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ answer: 'word '.repeat(200), tokenDelayMs: 20 });
    const caller = new AbortController();
    const stream = fixture.agent({ organizationId, message: 'Tell me all' }, caller.signal);
    for (let count = 0; count < 4; count++) await stream.next();
    caller.abort();
    // Words that had arrived by then may still come.
    await expect(whole(stream)).rejects.toThrow();
    const [request] = fixture.model.asked();
    await eventually(() => expect(request?.abortedAt).toBeDefined());
    fixture.model.behave({ answer: 'Yes.' });
    const next = await whole(fixture.agent({ organizationId, message: 'Still there?' }));
    expect(next.begun.dialogIndex).toBe(1);
    expect(messagesSentTo(fixture.model.asked()[1])).toContain('the answer broke off here');
    const [cut] = await fixture.usageRows(organizationId);
    expect(cut).toMatchObject({ outcome: 'cut_off', task: 'chat' });
    expect(cut?.output_tokens).toBeGreaterThan(0);
  });

  it('cancels the provider’s request before its first token', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ isSilent: true });
    const caller = new AbortController();
    const next = fixture.agent({ organizationId }, caller.signal).next();
    const request = await eventually(() => {
      const [first] = fixture.model.asked();
      if (!first) throw new Error('not asked yet');
      return first;
    });
    caller.abort();
    await expect(next).rejects.toThrow();
    await eventually(() => expect(request.abortedAt).toBeDefined());
    await eventually(async () =>
      expect(await fixture.usageRows(organizationId)).toMatchObject([{ outcome: 'cut_off', model: 'chat-model', output_tokens: 0 }]),
    );
    expect((await fixture.usageRows(organizationId))[0]?.input_tokens).toBeGreaterThan(0);
  });

  it('ends the stream with an error if the model breaks off, and keeps the turn', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ answer: 'one two three four', breakOffAfter: 2 });
    const seen: AiEvent[] = [];
    const reading = async () => {
      for await (const event of fixture.agent({ organizationId })) seen.push(event);
    };
    await expect(reading()).rejects.toMatchObject({ code: 'AI_UNAVAILABLE' });
    expect(seen.map(({ type }) => type)).toEqual(['begun', 'text', 'text']);
    expect((await fixture.usageRows(organizationId)).map(({ outcome }) => outcome)).toEqual(['failed']);
    fixture.model.behave({ answer: 'Yes.' });
    expect((await whole(fixture.agent({ organizationId }))).begun.dialogIndex).toBe(1);
  });

  it('fails with AI_UNAVAILABLE before the first event if no model answers', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ status: 400 });
    await expect(fixture.agent({ organizationId }).next()).rejects.toMatchObject({ code: 'AI_UNAVAILABLE' });
    const [row] = await fixture.usageRows(organizationId);
    expect(row).toMatchObject({ outcome: 'failed' });
  });

  it('transcribes a spoken question, and passes an image on unchanged', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ answer: 'What is this?' }, '/v1/audio/transcriptions');
    const image = { ...(await fixture.upload(organizationId, PNG)), mimeType: 'image/png' };
    const { begun } = await whole(
      fixture.agent({ organizationId, message: 'Look:', audio: await fixture.upload(organizationId, WAV), image }),
    );
    expect(begun.requestModality).toBe('both');
    const messages = messagesSentTo(fixture.model.asked()[0]);
    expect(messages).toContain('Look:\\n\\nWhat is this?');
    expect(messages).toContain(PNG.toString('base64'));
    const [heard] = fixture.model.asked('/v1/audio/transcriptions');
    expect(heard?.body['file']).toMatchObject({ bytes: WAV });
    expect((await fixture.usageRows(organizationId)).map(({ task }) => task).sort()).toEqual(['chat', 'transcription']);
    await eventually(async () => expect(await fixture.bucket.list('ai-inputs/')).toEqual(new Map()));
  });

  it('refuses invalid audio, an image of another type, and an input that is used or of another organization', async () => {
    const organizationId = newOrganizationId();
    const upload = (body: Buffer) => fixture.upload(organizationId, body);
    const refused = (input: object, path: string) =>
      expect(fixture.agent({ organizationId, ...input }).next()).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path }] });
    await refused({ audio: await upload(Buffer.from('no sound')) }, 'audio');
    await refused({ image: { ...(await upload(PNG)), mimeType: 'image/jpeg' } }, 'image');
    await refused({ image: { ...(await upload(Buffer.from('<svg/>'))), mimeType: 'image/png' } }, 'image');
    await refused({ audio: await fixture.upload(newOrganizationId(), WAV) }, 'audio');
    await refused({ audio: { key: `ai-inputs/${'0'.repeat(24)}/00000000-0000-4000-8000-000000000000` } }, 'audio');
    const once = await upload(WAV);
    await whole(fixture.agent({ organizationId, audio: once }));
    await refused({ audio: once }, 'audio');
    expect(fixture.model.asked()).toHaveLength(1);
  });

  it('speaks sentence by sentence in order while text is streamed, or returns the audio as a whole', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ answer: 'This is one. That is two. And here is three.', tokenDelayMs: 30 });
    const { events, audio, text } = await whole(fixture.agent({ organizationId, responseModality: 'both' }));
    expect(audio).toHaveLength(3);
    expect(text).toBe('This is one. That is two. And here is three.');
    const types = events.map(({ type }) => type);
    expect(types.indexOf('audio')).toBeLessThan(types.lastIndexOf('text'));
    for (const wav of audio) expect(readWav(wav).durationSeconds).toBeGreaterThan(0.1);
    const alone = await whole(fixture.agent({ organizationId, responseModality: 'audio' }));
    expect(alone.text).toBe('');
    expect(alone.audio).toHaveLength(3);
    const joined = await whole(fixture.agent({ organizationId, responseModality: 'audio', isWhole: true }));
    expect(joined.audio).toHaveLength(1);
    expect(joined.text).not.toBe('');
    const seconds = audio.reduce((sum, wav) => sum + readWav(wav).durationSeconds, 0);
    expect(readWav(joined.audio[0] ?? Buffer.alloc(0)).durationSeconds).toBeCloseTo(seconds, 3);
  });

  it('returns the text without audio if speech synthesis fails', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ answer: 'This is one. That is two.' });
    fixture.model.behave({ status: 400 }, '/v1/audio/speech');
    const { text, audio, events } = await whole(fixture.agent({ organizationId, responseModality: 'both' }));
    expect(events.at(-1)).toMatchObject({ type: 'usage', message: expect.stringContaining('no audio') });
    expect(text).toBe('This is one. That is two.');
    expect(audio).toEqual([]);
    const outcomes = (await fixture.usageRows(organizationId)).map(({ task, outcome }) => `${task} ${outcome}`);
    expect(outcomes.filter((one) => one === 'speech failed')).toHaveLength(2);
  });

  it('summarizes the turns that no longer fit after the answer, and a failed summary fails no turn', async () => {
    const organizationId = newOrganizationId();
    const isSummary = (body: Record<string, unknown>) => JSON.stringify(body['messages']).includes('You keep the memory');
    let summaries = 0;
    fixture.model.behave(({ body }) => {
      if (!isSummary(body)) return { answer: 'Fine. '.repeat(60) };
      summaries += 1;
      return summaries === 1 ? { status: 400 } : { answer: 'SUMMARY: the sky is green.' };
    });
    for (let turn = 0; turn < 8; turn++) {
      await whole(fixture.agent({ organizationId, message: `Fact ${turn}: ${'x'.repeat(300)}` }));
      await sleep(150);
    }
    await eventually(() => expect(summaries).toBeGreaterThan(1));
    await eventually(async () => {
      const [chat] = await fixture.stack.rows<{ summary: string }>('SELECT summary FROM ai.chats WHERE organization_id = $1', [
        organizationId,
      ]);
      expect(chat?.summary).toContain('green');
    });
    await whole(fixture.agent({ organizationId, message: 'And now?' }));
    const last = fixture.model.asked().findLast(({ body }) => !isSummary(body));
    expect(messagesSentTo(last)).toContain('the sky is green');
    expect(questionsOf(last).length).toBeLessThan(8);
    const outcomes = (await fixture.usageRows(organizationId)).filter(({ task }) => task === 'summary').map(({ outcome }) => outcome);
    expect(outcomes).toEqual(expect.arrayContaining(['failed', 'finished']));
  });

  it('adds up all usage exactly, by agent, tutor and time range', async () => {
    const organizationId = newOrganizationId();
    const room = fixture.peers.room(organizationId);
    for (let turn = 0; turn < 6; turn++) {
      fixture.model.behave({ answer: 'word '.repeat(1 + ((turn * 7) % 5)) });
      await whole(
        fixture.agent({
          organizationId,
          chatId: `c${turn % 2}`,
          message: 'x '.repeat(turn + 1),
          responseModality: turn % 2 ? 'both' : 'text',
        }),
      );
      await whole(fixture.tutor({ organizationId, roomId: room.roomId, studentUid: `s${turn % 3}`, text: 'y '.repeat(turn + 1) }));
    }
    const rows = await fixture.usageRows(organizationId);
    const sum = (kind: string, of: (row: (typeof rows)[number]) => Decimal.Value) =>
      rows.filter((row) => row.kind === kind).reduce((total, row) => total.plus(of(row)), new Decimal(0));
    const { summary, breakdown } = await fixture.call(getAiUsage, { organizationId });
    expect(breakdown.aiAgent).toEqual({
      sessions: 2,
      inputTokens: sum('agent', (row) => row.input_tokens).toNumber(),
      outputTokens: sum('agent', (row) => row.output_tokens).toNumber(),
      cost: sum('agent', (row) => row.cost).toNumber(),
    });
    expect(breakdown.aiTutor).toMatchObject({ interactions: 6, cost: sum('tutor', (row) => row.cost).toNumber() });
    expect(summary).toEqual({
      totalSessions: 5,
      totalInputTokens: breakdown.aiAgent.inputTokens + breakdown.aiTutor.inputTokens,
      totalOutputTokens: breakdown.aiAgent.outputTokens + breakdown.aiTutor.outputTokens,
      totalTokenCost: sum('agent', (row) => row.cost)
        .plus(sum('tutor', (row) => row.cost))
        .toNumber(),
    });
    const price = PRICES[0];
    const chat = rows.find(({ task }) => task === 'chat');
    const expected = new Decimal(chat?.input_tokens ?? 0)
      .times(price?.perMillionInputTokens ?? 0)
      .plus(new Decimal(chat?.output_tokens ?? 0).times(price?.perMillionOutputTokens ?? 0));
    expect(new Decimal(chat?.cost ?? 0).equals(expected.dividedBy(1_000_000).toDecimalPlaces(9))).toBe(true);
    const today = new Date().toISOString().slice(0, 10);
    expect((await fixture.call(getAiUsage, { organizationId, startDate: today, endDate: today })).summary).toEqual(summary);
    const before = await fixture.call(getAiUsage, { organizationId, endDate: '2020-01-01' });
    expect(before.summary).toEqual({ totalSessions: 0, totalTokenCost: 0, totalInputTokens: 0, totalOutputTokens: 0 });
  });

  it('publishes usage that costs credits to billing, and no other', async () => {
    const organizationId = newOrganizationId();
    await whole(fixture.agent({ organizationId }));
    await fixture.call(updateAiSettings, {
      organizationId,
      changes: { credits: { perMillionInputTokens: '1000', perMillionOutputTokens: '5000' } },
    });
    await whole(fixture.agent({ organizationId }));
    const facts = (await writtenFacts(fixture.stack, usageRecorded)).map(({ data }) => data);
    const classInfo = facts.filter((data) => data.organizationId === organizationId);
    expect(classInfo).toHaveLength(1);
    expect(Number(classInfo[0]?.credits)).toBeGreaterThan(0);
  });

  it('ends a turn that lost the lease of its chat', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave({ answer: 'word '.repeat(400), tokenDelayMs: 25 });
    const stream = fixture.agent({ organizationId });
    await stream.next();
    await fixture.takeChats(organizationId, 60);
    await expect(
      (async () => {
        for await (const _ of stream);
      })(),
    ).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await eventually(() => expect(fixture.model.asked()[0]?.abortedAt).toBeDefined());
  });

  it('deletes unused inputs after an hour', async () => {
    const { key } = await fixture.upload(newOrganizationId(), PNG);
    const storage = new ObjectStorage({ ...storageOf(fixture.stack, 'ai'), S3_REGION: 'us-east-1', S3_FORCE_PATH_STYLE: true });
    const clock = new ControlledClock();
    const sweep = new InputsSweep(storage, clock);
    await sweep.run();
    expect([...(await fixture.bucket.list('ai-inputs/')).keys()]).toContain(key);
    clock.moveTo(3_700_000);
    await sweep.run();
    expect([...(await fixture.bucket.list('ai-inputs/')).keys()]).not.toContain(key);
    storage.close();
  });

  it('lists voices', async () => {
    const { voices } = await fixture.call(listVoices, { organizationId: newOrganizationId() });
    expect(voices.filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  describe('without credits', () => {
    const refused = (organizationId: string) =>
      expect(fixture.agent({ organizationId }).next()).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    const applyCreditStatus = async (organizationId: string, version: number, isExhausted: boolean) => {
      const plan = { organizationId, version, isExhausted, isOverconsumed: false };
      await publishFact(fixture.stack, accountChanged, organizationId, plan as never);
      await eventually(async () => expect(await unhandled(fixture.stack, 'aiCreditStatus')).toBe(0));
    };
    afterEach(() => (fixture.peers.isBillingUnreachable = false));

    it('is refused after asking billing if no balance is known, and answers again as soon as there are credits', async () => {
      const organizationId = newOrganizationId();
      fixture.peers.exhausted.add(organizationId);
      await refused(organizationId);
      fixture.peers.exhausted.delete(organizationId);
      await whole(fixture.agent({ organizationId }));
    });

    it('asks billing before refusing, and uses its last published state if billing is unreachable', async () => {
      const organizationId = newOrganizationId();
      await applyCreditStatus(organizationId, 2, true);
      await whole(fixture.agent({ organizationId }));
      fixture.peers.isBillingUnreachable = true;
      await refused(organizationId);
      // Older than the stored version.
      await applyCreditStatus(organizationId, 1, false);
      await refused(organizationId);
      await applyCreditStatus(organizationId, 3, false);
      await whole(fixture.agent({ organizationId }));
    });

    it('answers if billing is unreachable and has never published a state', async () => {
      fixture.peers.isBillingUnreachable = true;
      await whole(fixture.agent({ organizationId: newOrganizationId() }));
    });
  });

  it('writes no question, answer or organization to logs and traces', async () => {
    const organizationId = newOrganizationId();
    fixture.model.behave([{ answer: 'canary-answer is secret' }, { status: 400 }]);
    await whole(fixture.agent({ organizationId, chatId: 'canary-chat', message: 'canary-question' }));
    await expect(fixture.agent({ organizationId, chatId: 'canary-chat', message: 'canary-question' }).next()).rejects.toThrow();
    await sleep(600);
    const written = fixture.stack.log('ai') + JSON.stringify(fixture.stack.spans());
    expect(written).not.toMatch(/canary/);
    expect(written).not.toContain(organizationId);
  });
});
