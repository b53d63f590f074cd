import { randomBytes, randomUUID } from 'node:crypto';
import { eventually } from '@classroom/testing';
import { type AiFixture, newClass, schoolWithModels, type School, startAiFixture } from './ai-fixture.js';
import { picture, spoken } from './questions.js';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  service: string;
  name: string;
  startUnixNano: string;
  endUnixNano: string;
  attributes: Record<string, string | number>;
}

/** Part of everything that participants and models write. It must not appear in any log or trace. */
const CANARY = `canary${randomBytes(8).toString('hex')}`;

describe('the telemetry of an answer', () => {
  let fixture: AiFixture;
  let school: School;

  beforeAll(async () => {
    fixture = await startAiFixture();
    school = await schoolWithModels(fixture);
    fixture.provider.behave({ answer: `It is ${CANARY}. Take ${CANARY} and go.`, tokenDelayMs: 50, firstTokenDelayMs: 100 });
  });
  afterAll(() => fixture?.stop());

  const traced = (traceId: string) => fixture.stack.spans<Span>().filter((span) => span.traceId === traceId);
  const milliseconds = ({ startUnixNano, endUnixNano }: Span) => Number(BigInt(endUnixNano) - BigInt(startUnixNano)) / 1e6;

  it('is one trace from the request to the model, with tokens, model and times', async () => {
    const begun = performance.now();
    const answer = await school.api.post('/v1/ai-agent/chat/stream', { chatId: randomUUID(), message: CANARY, responseType: 'text' });
    const tookMs = performance.now() - begun;
    const traceId = answer.headers.get('x-trace-id') ?? '';
    const spans = await eventually(() => {
      const found = traced(traceId);
      expect(found.some((span) => span.attributes['gen_ai.operation.name'])).toBe(true);
      expect(found.some((span) => span.name === 'POST /v1/ai-agent/chat/stream')).toBe(true);
      return found;
    });
    const request = spans.find((span) => span.name === 'POST /v1/ai-agent/chat/stream');
    const models = spans.filter((span) => span.attributes['gen_ai.operation.name'] === 'chat');
    expect(models).toHaveLength(1);
    const [model] = models;
    expect(model?.service).toBe('ai');
    expect(model?.attributes).toMatchObject({
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'recorded-chat',
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': fixture.provider.asked().at(-1)?.tokensSent,
    });
    const first = Object.entries(model?.attributes ?? {}).find(([name]) => /time_to_first/.test(name))?.[1];
    expect(Number(first)).toBeGreaterThan(0.09);
    // Each span has a parent in the same trace, up to the request.
    const above = [];
    for (let span = model; span; span = spans.find(({ spanId }) => spanId === span?.parentSpanId)) above.push(span.name);
    expect(above.at(-1)).toBe(request?.name);
    // The span lasts until the end of the stream, not only until its first word.
    expect(request && milliseconds(request)).toBeGreaterThan(tookMs * 0.8);
    const stored = spans.filter((span) => span.name.startsWith('rpc.ai.agent.chat'));
    expect(stored.length).toBeGreaterThan(0);
  });

  it('never contains the conversation, whatever failed', async () => {
    const { api } = school;
    const body = { chatId: CANARY, message: `What of ${CANARY}?` };
    const wav = (await spoken('A question')).toString('base64');
    fixture.provider.behave({ answer: `Heard ${CANARY}` }, '/v1/audio/transcriptions');
    const room = await newClass(school, { title: CANARY, roomDescription: CANARY, metadata: { [CANARY]: CANARY } });
    await api.post(`/v1/room/${room.roomId}/context`, { topic: CANARY, notes: CANARY });
    const question = room.ask('ada', CANARY, { responseModality: 'both', audio: wav });
    await api.post('/v1/ai-agent/chat', { ...body, audio: wav, image: picture().toString('base64'), imageMimeType: 'image/png' });
    await api.post('/v1/ai-agent/chat/stream', body);
    await api.post('/v1/ai-tutor/chat', question);
    await api.post('/v1/ai-tutor/chat/stream', question);
    await api.get(`/v1/ai-tutor/summary/${room.roomId}`);
    await api.call({ method: 'POST', path: '/v1/ai-agent/chat', raw: `{"message": "${CANARY}", ${CANARY}` });
    await api.post('/v1/ai-agent/chat', { ...body, voiceName: CANARY, responseType: CANARY });
    await api.post('/v1/ai-agent/chat', { ...body, audio: CANARY });
    for (const [at, wrong] of [{ isMalformed: true }, { status: 400 }, { status: 500 }, { breakOffAfter: 2 }, { endAfter: 2 }].entries()) {
      const { api: other } = await schoolWithModels(fixture, `model-${at}`);
      fixture.provider.behave({ answer: `${CANARY} one two three ${CANARY}`, ...wrong });
      await other.post('/v1/ai-agent/chat', { ...body, responseType: 'text' });
      await other.post('/v1/ai-agent/chat/stream', { ...body, responseType: 'text' });
    }
    // Spans are written in batches.
    const last = await api.get('/v1/ai-agent/voices');
    await eventually(() => expect(traced(last.headers.get('x-trace-id') ?? '').length).toBeGreaterThan(1));
    const { stack } = fixture;
    const files = [...stack.files('logs'), ...stack.files('traces')];
    expect(files.length).toBeGreaterThan(8);
    const leaking = files.filter((file) => stack.read(file).includes(CANARY));
    expect(leaking).toEqual([]);
  });
});
