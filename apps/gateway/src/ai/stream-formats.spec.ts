import { AppError } from '@classroom/contracts';
import { NDJSON } from './ndjson.js';
import { CLASSROOM_SSE, SSE } from './sse.js';

const usage = { type: 'usage' as const, usage: { inputTokens: 12, outputTokens: 5, latencyMs: 340 } };
const audio = { type: 'audio' as const, audio: 'UklGRg==', mimeType: 'audio/wav' as const };
const failure = new AppError('AI_UNAVAILABLE');

describe('an answer as it is written down', () => {
  it('as NDJSON: a line to each', () => {
    expect(NDJSON.event({ type: 'text', text: 'a\nb' })).toBe('{"type":"text","text":"a\\nb"}\n');
    expect(NDJSON.event(audio)).toBe('{"type":"audio","audio":"UklGRg==","mimeType":"audio/wav"}\n');
    expect(NDJSON.event(usage)).toBe('{"type":"usage","usage":{"inputTokens":12,"outputTokens":5}}\n');
    expect(NDJSON.end).toBe('{"type":"done"}\n');
    expect(NDJSON.failure(failure)).toBe(`{"type":"error","error":"AI_UNAVAILABLE","message":"${failure.message}"}\n`);
  });

  it('as server-sent events: a line of data and a blank one to each', () => {
    expect(SSE.event({ type: 'text', text: 'a\nb' })).toBe('data: {"text":"a\\nb","usage":null}\n\n');
    expect(SSE.event(audio)).toBe('data: {"text":"","audio":"UklGRg==","mimeType":"audio/wav","usage":null}\n\n');
    expect(SSE.event(usage)).toBe('data: {"usage":{"inputTokens":12,"outputTokens":5}}\n\n');
    expect(SSE.end).toBe('data: [DONE]\n\n');
    expect(SSE.failure(failure)).toBe(`data: {"error":"AI_UNAVAILABLE","message":"${failure.message}"}\n\ndata: [DONE]\n\n`);
  });

  it('names the question to the page in class, and to nobody else', () => {
    const begun = { type: 'begun' as const, provider: 'offline', model: 'm', dialogIndex: 0, requestModality: 'text' as const, responseModality: 'text' as const };
    expect(SSE.beginning).toBeUndefined();
    expect(CLASSROOM_SSE.beginning?.({ ...begun, questionId: 'q' })).toBe('data: {"text":"","usage":null,"questionId":"q","provider":"offline"}\n\n');
  });
});
