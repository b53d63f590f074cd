import { Bucket, eventually, type TestStack } from '@classroom/testing';
import { type AiFixture, newClass, schoolWithModels, type School, startOwnAiFixture } from './ai-fixture.js';
import { ndjsonLines } from './answers.js';
import { spoken, SPOKEN_TEXT } from './questions.js';
import { RawPost } from './raw-post.js';
import { AGENT, body, refused } from './refused.js';

/** Stops processes of its own stack, which waits only briefly for a provider. In the short form apps/ai/test tests outages of one service. */
describe('a question that cannot be answered', () => {
  let fixture: AiFixture<TestStack>;
  let school: School;
  let wav: string;

  beforeAll(async () => {
    fixture = await startOwnAiFixture({ AI_FIRST_TOKEN_SECONDS: '3' });
    school = await schoolWithModels(fixture);
    wav = (await spoken(SPOKEN_TEXT)).toString('base64');
  });
  afterAll(() => fixture?.stop());
  beforeEach(() => fixture.provider.reset());

  describe('by its provider', () => {
    it('that says nothing gets a 503 with Retry-After', async () => {
      const { api } = await schoolWithModels(fixture, 'silent');
      fixture.provider.behave({ isSilent: true });
      const answer = await api.post(AGENT[0], body());
      expect([answer.status, answer.body.error, answer.headers.get('retry-after')]).toEqual([503, 'AI_UNAVAILABLE', '2']);
      const streamed = await api.post(AGENT[1], body());
      expect([streamed.status, streamed.body.error]).toEqual([503, 'AI_UNAVAILABLE']);
      expect(answer.text + streamed.text).not.toMatch(/recorded failure|choices/);
    });

    it('that goes silent during the answer gets an error in the stream, and 503 in direct chat', async () => {
      const { api } = await schoolWithModels(fixture, 'stalling');
      fixture.provider.behave({ answer: 'one two three four five six', stallAfter: 3 });
      const streamed = await api.post(AGENT[1], body());
      expect(streamed.status).toBe(200);
      expect(ndjsonLines(streamed.text).at(-1)).toEqual({ type: 'error', error: 'AI_UNAVAILABLE', message: expect.any(String) });
      const direct = await api.post(AGENT[0], body());
      expect([direct.status, direct.body.error]).toEqual([503, 'AI_UNAVAILABLE']);
    });
  });

  describe('during an outage', () => {
    it('of the storage gets a 503 if it has audio, and an answer if it has only text', async () => {
      const storage = fixture.stack.part('s3');
      await storage.kill();
      try {
        await refused(school.api, body({ audio: wav }), 503, 'SERVICE_UNAVAILABLE');
        expect((await school.api.post(AGENT[0], body())).status).toBe(200);
      } finally {
        await storage.start();
      }
      expect((await school.api.post(AGENT[0], body({ audio: wav }))).status).toBe(200);
      expect((await Bucket.of(fixture.stack).list('ai-inputs/')).size).toBeLessThanOrEqual(2);
    });

    it('of the AI service gets a 503, and an answer in progress ends with an error', async () => {
      const room = await newClass(school);
      const ai = fixture.stack.app('ai');
      fixture.provider.behave({ answer: 'word '.repeat(1_000), tokenDelayMs: 50 }, '/v1/chat/completions');
      const sent = body();
      const reader = new RawPost(`${fixture.stack.urls.gateway}${AGENT[1]}`, { 'VF-ORG-ID': school.value }, sent);
      await reader.sees('"text"');
      await ai.kill();
      try {
        await reader.sees('"error":"SERVICE_UNAVAILABLE"');
        const usage = school.api.get(`/v1/ai-tutor/usage/${room.roomId}`);
        await refused(school.api, body(), 503, 'SERVICE_UNAVAILABLE');
        expect((await usage).status).toBe(503);
      } finally {
        await ai.start();
      }
      fixture.provider.reset();
      expect((await school.api.post(AGENT[0], body())).status).toBe(200);
      // The dialogue continues once the lease of the killed process has expired, after 15 s.
      await eventually(async () => expect((await school.api.post(AGENT[0], sent)).body).toMatchObject({ success: true, dialogIndex: 1 }));
    });

    // Last, because the gateway stays stopped.
    it('of a gateway that is being stopped does not affect an answer in progress', async () => {
      fixture.provider.behave({ answer: Array.from({ length: 20 }, (_, at) => `word${at}`).join(' '), tokenDelayMs: 100 });
      const reader = new RawPost(`${fixture.stack.urls.gateway}${AGENT[1]}`, { 'VF-ORG-ID': school.value }, body());
      await reader.sees('word3');
      const stopped = fixture.stack.app('gateway').stop();
      await reader.sees('"done"');
      expect(await stopped).toMatchObject({ code: 0 });
    });
  });
});
