import { randomUUID } from 'node:crypto';
import { adminApi, byForm, eventually, inLongForm, type ModelBehaviour, newOrganization } from '@classroom/testing';
import { type AiFixture, schoolWithModels, type School, startAiFixture } from './ai-fixture.js';
import { ndjsonLines } from './answers.js';
import { picture } from './questions.js';
import { AGENT, body, refused } from './refused.js';

const MIB = 1024 ** 2;

/** outages.long.spec.ts continues with timeouts and outages. */
describe('a question that cannot be answered', () => {
  let fixture: AiFixture;
  let school: School;
  let poor: School;

  beforeAll(async () => {
    fixture = await startAiFixture();
    school = await schoolWithModels(fixture);
    poor = await newOrganization(fixture.stack, { billing: { type: 'PREPAID', credits: 0, creditRate: 0.01, currency: 'USD' } });
    // The AI service answers an organization whose account billing does not have yet.
    await eventually(() => refused(poor.api, body(), 402, 'INSUFFICIENT_CREDITS'));
  });
  afterAll(() => fixture?.stop());
  beforeEach(() => fixture.provider.reset());

  describe('gets a 400 that names', () => {
    test.each<[string, object]>([
      ['chatId', { chatId: undefined }],
      ['chatId', { chatId: 'a b' }],
      ['message', { message: undefined }],
      ['message', { message: ' ' }],
      ['message', { message: 'x'.repeat(32_001) }],
      ['responseType', { responseType: 'video' }],
      ['voiceName', { voiceName: '' }],
      ['audio', { audio: 'no base64!' }],
      ['audio', { audio: '' }],
      ['image', { image: '====', imageMimeType: 'image/png' }],
      ['imageMimeType', { image: 'QUJD' }],
      ['imageMimeType', { image: 'QUJD', imageMimeType: 'image/svg+xml' }],
      ['audio', { audio: Buffer.from('no sound at all').toString('base64') }],
      ['audio', { audio: Buffer.concat([Buffer.from('RIFF\x10\0\0\0WAVE', 'latin1'), Buffer.alloc(40)]).toString('base64') }],
      ['image', { image: Buffer.from('<svg/>').toString('base64'), imageMimeType: 'image/png' }],
    ])('the field %s (%#)', async (field, wrong) => {
      await refused(school.api, body(wrong), 400, 'VALIDATION_FAILED', field);
      expect(fixture.provider.requests).toEqual([]);
    });

    it('the image if its content has another type', async () => {
      const image = picture().toString('base64');
      await refused(school.api, body({ image, imageMimeType: 'image/jpeg' }), 400, 'VALIDATION_FAILED', 'image');
      expect((await school.api.post(AGENT[0], body({ image, imageMimeType: 'image/png' }))).status).toBe(200);
    });

    it('the voice if there is no such voice', async () => {
      const { api } = await newOrganization(fixture.stack);
      await refused(api, body({ voiceName: 'Nobody’s voice', responseType: 'audio' }), 400, 'VALIDATION_FAILED', 'voiceName');
    });

    it('no field if the body is not JSON', () => refused(school.api, '{"chatId": "a', 400, 'VALIDATION_FAILED'));
  });

  describe('because of its size', () => {
    test.each(byForm({ short: ['audio'], long: ['audio', 'image'] }))('gets a 413 that names %s', async (field) => {
      const large = Buffer.alloc(10 * MIB + 1).toString('base64');
      await refused(school.api, body({ [field]: large, imageMimeType: 'image/png' }), 413, 'PAYLOAD_TOO_LARGE', field);
    });

    it('gets a 413 for the whole body, with a lower limit at other endpoints', async () => {
      await refused(school.api, body({ audio: 'A'.repeat(32 * MIB) }), 413, 'PAYLOAD_TOO_LARGE');
      const room = await school.api.post('/v1/room/create', { roomId: 'a', notes: 'A'.repeat(MIB) });
      expect([room.status, room.body.error]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });
  });

  describe('is refused by the first failed check', () => {
    it('of authentication, before validation', async () => {
      await refused(school.api.with({ 'VF-ORG-ID': 'org_unknown' }), '{', 401, 'UNAUTHORIZED');
      await refused(school.api.with({ 'VF-ORG-ID': 'org_unknown' }), body({ audio: 'A'.repeat(33 * MIB) }), 401, 'UNAUTHORIZED');
    });

    it('of validation, before credits', () => refused(poor.api, body({ audio: '!' }), 400, 'VALIDATION_FAILED', 'audio'));

    it('of credits, before the room', async () => {
      await refused(poor.api, body(), 402, 'INSUFFICIENT_CREDITS');
      const tutor = await poor.api.post('/v1/ai-tutor/chat', {
        roomId: 'nowhere',
        studentUid: 'ada',
        organizationId: poor.organizationId,
        text: 'Hello',
      });
      expect([tutor.status, tutor.body.message]).toEqual([402, 'Insufficient credits']);
      expect(fixture.provider.requests).toEqual([]);
    });

    it('and is answered once there are credits', async () => {
      const { organizationId, api } = await newOrganization(fixture.stack, {
        billing: { type: 'PREPAID', credits: 0, creditRate: 0.01, currency: 'USD' },
      });
      await eventually(() => refused(api, body(), 402, 'INSUFFICIENT_CREDITS'));
      await adminApi(fixture.stack).post(`/v1/admin/organizations/${organizationId}/credits`, { amount: 5, reference: randomUUID() });
      expect((await api.post(AGENT[0], body())).status).toBe(200);
    });
  });

  describe('by its provider', () => {
    // apps/ai/test/providers.it.spec.ts tests further failures.
    const BROKEN: [string, ModelBehaviour][] = [['answers 500', { status: 500 }]];
    const MORE_BROKEN: [string, ModelBehaviour][] = [
      ['answers 429 for a long time', { status: 429, retryAfterSeconds: 600 }],
      ['refuses our key', { status: 401 }],
      ['hangs up before its first word', { breakOffAfter: 0 }],
    ];

    test.each(byForm({ short: BROKEN, long: [...BROKEN, ...MORE_BROKEN] }))(
      'that %s gets a 503 with Retry-After',
      async (name, behaviour) => {
        const { api } = await schoolWithModels(fixture, `broken ${name}`);
        fixture.provider.behave(behaviour);
        const answer = await api.post(AGENT[0], body());
        expect([answer.status, answer.body.error, answer.headers.get('retry-after')]).toEqual([503, 'AI_UNAVAILABLE', '2']);
        const streamed = await api.post(AGENT[1], body());
        expect([streamed.status, streamed.body.error]).toEqual([503, 'AI_UNAVAILABLE']);
        expect(answer.text + streamed.text).not.toMatch(/recorded failure|choices/);
      },
    );

    const BREAKING: [string, ModelBehaviour][] = [['hangs up', { breakOffAfter: 3 }]];
    const MORE_BREAKING: [string, ModelBehaviour][] = [
      ['ends too early', { endAfter: 3 }],
      ['sends invalid JSON', { isMalformed: true }],
    ];

    test.each(byForm({ short: BREAKING, long: [...BREAKING, ...MORE_BREAKING] }))(
      'that %s during the answer gets an error in the stream, and 503 in direct chat',
      async (name, behaviour) => {
        const { api } = await schoolWithModels(fixture, `breaks ${name}`);
        fixture.provider.behave({ answer: 'one two three four five six', ...behaviour });
        const streamed = await api.post(AGENT[1], body());
        expect(streamed.status).toBe(200);
        expect(ndjsonLines(streamed.text).at(-1)).toEqual({ type: 'error', error: 'AI_UNAVAILABLE', message: expect.any(String) });
        const direct = await api.post(AGENT[0], body());
        expect([direct.status, direct.body.error]).toEqual([503, 'AI_UNAVAILABLE']);
      },
    );

    const isRetried = async (name: string, behaviour: ModelBehaviour) => {
      const { api } = await schoolWithModels(fixture, `passing ${name}`);
      fixture.provider.behave([behaviour, { answer: 'Here I am.' }]);
      expect((await api.post(AGENT[0], body())).body).toMatchObject({ success: true, text: 'Here I am.' });
      expect(fixture.provider.asked()).toHaveLength(2);
    };
    it('that answers 500 once is retried', () => isRetried('500', { status: 500 }));
    inLongForm(it)('that answers 429 with a short wait once is retried', () => isRetried('429', { status: 429, retryAfterSeconds: 1 }));
  });
});
