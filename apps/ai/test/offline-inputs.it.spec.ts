import { AiFixture, newOrganizationId, whole } from './support/ai-fixture.js';
import { picture, recording } from './support/samples.js';

/** Recognition takes about one second, but many on a busy machine. */
const TIMEOUT_MS = 240_000;

describe('without a model', () => {
  let fixture: AiFixture;
  const organizationId = newOrganizationId();
  beforeAll(async () => {
    fixture = await AiFixture.start({ AI_MODELS: '{}', ESPEAK_PATH: '/no/such/program' });
  });
  afterAll(() => fixture?.stop());

  it(
    'a spoken question is transcribed by the embedded recognizer, which the answer states',
    async () => {
      const audio = await fixture.upload(organizationId, await recording('question.webm', '-c:a', 'libopus'));
      const { begun, text } = await whole(fixture.agent({ organizationId, message: 'Listen:', audio }));
      expect(begun).toMatchObject({
        requestModality: 'both',
        message: expect.stringMatching(/embedded recognizer.*no speech-to-text model/),
      });
      expect(text).not.toBe('');
      const [turn] = await fixture.turns(organizationId);
      expect(turn?.question).toMatch(/^Listen:\n\n[a-z' ]{5,}$/);
      expect(await fixture.usageRows(organizationId)).toContainEqual(
        expect.objectContaining({ task: 'transcription', provider: 'offline', model: 'pocketsphinx', outcome: 'finished' }),
      );
    },
    TIMEOUT_MS,
  );

  it('a picture is ignored, which the answer states', async () => {
    const image = { ...(await fixture.upload(organizationId, await picture('picture.bmp'))), mimeType: 'image/bmp' };
    const seen = await whole(fixture.agent({ organizationId, chatId: 'picture', message: 'What is this?', image }));
    expect(seen.text).toMatch(/^I can’t see pictures.* No AI model is configured here/);
    const { text } = await whole(fixture.agent({ organizationId, chatId: 'none', message: 'What is this?' }));
    expect(text).not.toContain('pictures');
  });

  it('and without a synthesizer, a request for text and audio gets a message, and one for audio only is refused', async () => {
    const { begun, audio } = await whole(fixture.agent({ organizationId, chatId: 'spoken', responseModality: 'both' }));
    expect(begun).toMatchObject({ responseModality: 'text', message: expect.stringMatching(/^There is no audio: /) });
    expect(audio).toEqual([]);
    await expect(fixture.agent({ organizationId, responseModality: 'audio' }).next()).rejects.toMatchObject({ code: 'AI_UNAVAILABLE' });
  });
});
