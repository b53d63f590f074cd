import { AppError } from '@classroom/contracts';
import { CLASSROOM_SSE, collectAnswer, LineSplitter, NDJSON, SSE, type AnswerEvent, type Begun } from './send-answer.js';

const usage = { inputTokens: 12, outputTokens: 5, latencyMs: 340 };
const BEGUN: Begun = { type: 'begun', provider: 'offline', model: 'm', dialogIndex: 3, requestModality: 'text', responseModality: 'both' };

async function* eventsOf(...events: AnswerEvent[]): AsyncGenerator<AnswerEvent> {
  yield* events;
}
const collect = (begun: Partial<Begun>, ...events: AnswerEvent[]) =>
  collectAnswer({ begun: { ...BEGUN, ...begun }, events: eventsOf(...events) });

describe('a whole answer', () => {
  it('has the texts of all events in order, its audio and its usage', async () => {
    const audio = { type: 'audio' as const, audio: 'UklGRg==', mimeType: 'audio/wav' as const };
    const answer = await collect({}, { type: 'text', text: 'A ' }, audio, { type: 'text', text: 'side.' }, { type: 'usage', usage });
    expect(answer).toEqual({ begun: BEGUN, text: 'A side.', audio: 'UklGRg==', usage, message: undefined });
  });

  it.each([
    [undefined, undefined, undefined],
    ['No audio.', undefined, 'No audio.'],
    [undefined, 'Cut short.', 'Cut short.'],
    ['No audio.', 'Cut short.', 'No audio. Cut short.'],
  ])('with the messages %j at its beginning and %j at its end has the message %j', async (first, last, message) => {
    expect((await collect({ message: first }, { type: 'usage', usage, message: last })).message).toBe(message);
  });

  it('fails if it ends without its usage', async () => {
    await expect(collect({}, { type: 'text', text: 'A' })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });
});

const usageEvent = { type: 'usage' as const, usage: { inputTokens: 12, outputTokens: 5, latencyMs: 340 } };
const audio = { type: 'audio' as const, audio: 'UklGRg==', mimeType: 'audio/wav' as const };
const failure = new AppError('AI_UNAVAILABLE');

describe('a streamed answer', () => {
  it('is one line for each event as NDJSON', () => {
    expect(NDJSON.event({ type: 'text', text: 'a\nb' })).toBe('{"type":"text","text":"a\\nb"}\n');
    expect(NDJSON.event(audio)).toBe('{"type":"audio","audio":"UklGRg==","mimeType":"audio/wav"}\n');
    expect(NDJSON.event(usageEvent)).toBe('{"type":"usage","usage":{"inputTokens":12,"outputTokens":5}}\n');
    expect(NDJSON.end).toBe('{"type":"done"}\n');
    expect(NDJSON.failure(failure)).toBe(`{"type":"error","error":"AI_UNAVAILABLE","message":"${failure.message}"}\n`);
  });

  it('is a data line and a blank line for each event as server-sent events', () => {
    expect(SSE.event({ type: 'text', text: 'a\nb' })).toBe('data: {"text":"a\\nb","usage":null}\n\n');
    expect(SSE.event(audio)).toBe('data: {"text":"","audio":"UklGRg==","mimeType":"audio/wav","usage":null}\n\n');
    expect(SSE.event(usageEvent)).toBe('data: {"usage":{"inputTokens":12,"outputTokens":5}}\n\n');
    expect(SSE.end).toBe('data: [DONE]\n\n');
    expect(SSE.failure(failure)).toBe(`data: {"error":"AI_UNAVAILABLE","message":"${failure.message}"}\n\ndata: [DONE]\n\n`);
  });

  it('states at its beginning that audio will come, and there or at its end why it lacks what was requested', () => {
    const begun = {
      type: 'begun' as const,
      provider: 'offline',
      model: 'm',
      dialogIndex: 0,
      requestModality: 'text' as const,
      responseModality: 'text' as const,
    };
    const message = 'There is no audio.';
    expect(NDJSON.beginning(begun)).toBe('');
    expect(NDJSON.beginning({ ...begun, message })).toBe('{"type":"text","text":"","message":"There is no audio."}\n');
    expect(SSE.beginning({ ...begun, message })).toBe('data: {"text":"","usage":null,"message":"There is no audio."}\n\n');
    const spoken = { ...begun, responseModality: 'both' as const };
    expect(NDJSON.beginning(spoken)).toBe('{"type":"text","text":"","responseModality":"both"}\n');
    expect(SSE.beginning(spoken)).toBe('data: {"text":"","usage":null,"responseModality":"both"}\n\n');
    expect(NDJSON.event({ ...usageEvent, message })).toBe(
      '{"type":"usage","usage":{"inputTokens":12,"outputTokens":5},"message":"There is no audio."}\n',
    );
    expect(SSE.event({ ...usageEvent, message })).toBe(
      'data: {"usage":{"inputTokens":12,"outputTokens":5},"message":"There is no audio."}\n\n',
    );
  });

  it('contains the question’s id for the classroom page only', () => {
    const begun = {
      type: 'begun' as const,
      provider: 'offline',
      model: 'm',
      dialogIndex: 0,
      requestModality: 'text' as const,
      responseModality: 'text' as const,
    };
    expect(SSE.beginning({ ...begun, questionId: 'q' })).toBe('');
    expect(CLASSROOM_SSE.beginning({ ...begun, questionId: 'q' })).toBe(
      'data: {"text":"","usage":null,"questionId":"q","provider":"offline"}\n\n',
    );
  });
});

const LINES = ['{"text":"Gänse"}', '', '{"text":"🦢 und mehr"}', 'x'.repeat(300)];
const BYTES = Buffer.from(LINES.map((line) => `${line}\n`).join(''));

describe('lines from frames', () => {
  test.each([1, 2, 3, 7, 64, 1_000])('are complete with frames of %i bytes', (size) => {
    const lines = new LineSplitter();
    const found: string[] = [];
    for (let at = 0; at < BYTES.length; at += size) found.push(...lines.push(BYTES.subarray(at, at + size)));
    expect(found).toEqual(LINES);
  });

  it('are returned as soon as they are complete, and not before', () => {
    const lines = new LineSplitter();
    expect(lines.push(Buffer.from('one'))).toEqual([]);
    expect(lines.push(Buffer.from('\ntwo\nthr'))).toEqual(['one', 'two']);
    expect(lines.push(Buffer.from('ee\n'))).toEqual(['three']);
  });
});
