import type { AnswerEvent, Begun } from './answer-stream.js';
import { collectAnswer } from './send-answer.js';

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
