/** @lane real-time */
import {
  adminApi,
  byForm,
  eventually,
  inLongForm,
  isLongForm,
  newOrganization,
  RecordedOpenAi,
  type ApiClient,
  type RecordedFile,
} from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import { probeWav } from './ai/answers.js';
import type { ClassroomPage } from './browser.js';
import { ClassScene } from './class-scene.js';
import { ask, ends, exchanges, LONG_SIDE } from './tutor-panel.js';

const UNKNOWN = 'Who was the cook of Napoleon?';
const SPOKEN = 'Is the hypotenuse always the longest side?';

/** Runs before the page's own scripts. Records what its audio contexts play and what its live regions announce. */
const EARS = `
  window.ears = { sounds: [], said: [] };
  const start = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (...args) {
    const sound = { seconds: this.buffer.duration, at: args[0], peak: Math.max(...this.buffer.getChannelData(0)), hasEnded: false };
    window.ears.sounds.push(sound);
    this.addEventListener('ended', () => { sound.hasEnded = true; });
    return start.apply(this, args);
  };
  new MutationObserver(() => {
    const said = document.querySelector('.tutor-panel > [role=status]')?.textContent ?? '';
    if (said !== '' && said !== window.ears.said.at(-1)) window.ears.said.push(said);
  }).observe(document, { subtree: true, childList: true, characterData: true });
`;
interface Ears {
  sounds: { seconds: number; at: number; peak: number; hasEnded: boolean }[];
  said: string[];
}

describe('the tutor in class', () => {
  const model = new RecordedOpenAi();
  let scene: ClassScene;
  /** A room of a school without a model: the offline provider answers. */
  let roomId: string;
  let teacher: ClassroomPage;
  let student: ClassroomPage;
  /** API of a school with models. */
  let modern: ApiClient;

  beforeAll(async () => {
    const { url: baseUrl } = await model.start();
    scene = await ClassScene.start();
    ({ roomId, teacher, student } = await scene.startClass({
      title: 'Geometry',
      roomDescription: 'The long side of a right triangle is called the hypotenuse.',
    }));
    const school = await newOrganization(scene.stack);
    modern = school.api;
    const at = { provider: 'openai-compatible', baseUrl, apiKey: 'a-key-for-tests' };
    const settings = { chat: { ...at, model: 'chat' }, speechToText: { ...at, model: 'ears' }, textToSpeech: { ...at, model: 'voice' } };
    expect((await adminApi(scene.stack).patch(`/v1/admin/organizations/${school.organizationId}/ai`, settings)).status).toBe(200);
  });

  beforeEach(() => model.reset());
  afterEach(async () => expect(await scene.tidy()).toEqual([]));

  afterAll(async () => {
    await scene?.stop();
    await model.stop();
  });

  const answerOf = ({ page }: ClassroomPage, nth: number) => page.locator('.tutor-answer').nth(nth).innerText();
  const ears = ({ page }: ClassroomPage) => page.evaluate<Ears>('window.ears');

  /** Lets a student of the school with models join a new class, with the tutor panel open. */
  async function modernStudent() {
    const room = await scene.room({ title: 'Geometry' }, modern);
    const page = await scene.open((await scene.link(room.roomId, 'mia', 'STUDENT', modern)).iframeUrl, { script: EARS });
    await page.reaches('connected');
    await page.panel('tutor');
    await eventually(async () => expect(await page.count('[data-action=tutor-voice]')).toBe(1));
    return { ...room, page };
  }

  it('is a dialogue for students and a list for teachers', async () => {
    const others: ClassroomPage[] = [];
    if (isLongForm) for (const role of ['MODERATOR', 'ADMIN']) others.push(await scene.enter(roomId, role, role, { isUnplugged: true }));
    for (const page of [teacher, ...others]) {
      await page.panel('tutor');
      await page.shows('No question is waiting');
      await eventually(async () => expect(await page.count('[data-action=tutor-text], [data-action=read-aloud]')).toBe(0));
    }
    await student.panel('tutor');
    await student.shows('Ask the tutor about this class');
    await student.shows('No AI model is connected. Answers come from your class material.');
    await eventually(async () => expect(await student.count('[data-action=tutor-text]')).toBe(1));
    // Without a configured model, the offline recognizer accepts voice.
    await eventually(async () => expect(await student.count('[data-action=tutor-voice]')).toBe(1));
    await eventually(async () => expect(await student.count('.tutor-questions')).toBe(0));
  });

  it('answers from the class material, keeps the answer after a reload, and lists a question for the teacher until it is answered', async () => {
    await ask(student, LONG_SIDE);
    await ends(student, 'done');
    expect(await answerOf(student, 0)).toContain('hypotenuse');
    await ask(student, UNKNOWN);
    await ends(student, 'done', 'done');
    await student.page.click('.tutor-exchange:first-child [data-action=ask-teacher]');
    await student.shows('Your teacher will see this');
    await eventually(async () => expect(await student.page.evaluate('document.activeElement.className')).toBe('tutor-notice'));
    await student.page.reload();
    await student.reaches('connected');
    await student.panel('tutor');
    await ends(student, 'done', 'done');
    expect(await answerOf(student, 0)).toMatch(/hypotenuse[^]*Your teacher will see this/);

    await teacher.panel();
    await teacher.panel('tutor');
    await eventually(async () => expect(await teacher.count('.tutor-waiting')).toBe(2));
    await eventually(async () =>
      expect(await teacher.page.innerText('[data-reason=asked]')).toMatch(/Name of student[^]*What is the long side[^]*Asked for you · /),
    );
    await eventually(async () =>
      expect(await teacher.page.innerText('[data-reason=unknown]')).toMatch(/cook of Napoleon[^]*The tutor did not know/),
    );
    await eventually(async () => expect(await teacher.page.innerText('[data-action=tutor] .badge')).toBe('2'));
    await teacher.page.click('[data-reason=asked] [data-action=answer-question]');
    await teacher.page.fill('[data-action=answer-text]', 'The one across from the right angle.');
    await teacher.press('send-answer');
    await eventually(async () => expect(await teacher.count('.tutor-waiting')).toBe(1));
    await teacher.page.click('[data-reason=unknown] [data-action=question-answered]');
    await teacher.shows('No question is waiting');
    await teacher.panel();
    await teacher.panel('tutor');
    await teacher.shows('No question is waiting');
    await student.panel('chat');
    await student.panel('tutor');
    await student.shows(/Name of teacher\s+The one across from the right angle\./);
    expect(await student.text()).not.toContain('Your teacher will see this');
    // Below the dialogue, once.
    expect((await student.text()).match(/No AI model/g)).toHaveLength(1);
  });

  inLongForm(it)('restores a question in the list if marking it as answered fails', async () => {
    await ask(student, 'What does a cook in a kitchen earn?');
    await ends(student, 'done', 'done', 'done');
    await teacher.panel();
    await teacher.panel('tutor');
    await eventually(async () => expect(await teacher.count('.tutor-waiting')).toBe(1));
    await teacher.page.route('**/resolve', (route) => route.abort());
    await teacher.press('question-answered');
    await teacher.shows('The classroom can’t be reached right now');
    await eventually(async () => expect(await teacher.count('.tutor-waiting')).toBe(1));
    await teacher.page.unroute('**/resolve');
    await teacher.press('question-answered');
    await teacher.shows('No question is waiting');
    teacher.watch.expect(/ERR_FAILED/);
  });

  it('shows an answer word by word and announces it once, and Stop ends the model’s request', async () => {
    let resume = () => {};
    model.behave({ answer: 'One two three four five.', holdAfter: 2, resumes: new Promise((resolve) => (resume = resolve)) });
    const { page } = await modernStudent();
    await ask(page, 'Count, please.');
    await page.shows(/One two\s/);
    expect(await exchanges(page)).toEqual(['answering']);
    resume();
    await ends(page, 'done');
    expect((await ears(page)).said).toEqual(['One two three four five.']);

    model.behave({ answer: 'word '.repeat(2_000), tokenDelayMs: 50 });
    await ask(page, 'Tell me a lot.');
    await page.shows(/word word/);
    await page.press('tutor-stop');
    await ends(page, 'done', 'stopped');
    await eventually(() => expect(model.asked().at(-1)?.abortedAt).toBeDefined());
    await ask(page, 'And now?');
    await page.shows(/word word/);
    // Opening another panel stops the answer, too.
    await page.panel('chat');
    await eventually(() => expect(model.asked().at(-1)?.abortedAt).toBeDefined());
  });

  inLongForm(it)('shows an error, and asks the same question again on request', async () => {
    const { page } = await modernStudent();
    model.behave({ answer: 'This breaks off here.', breakOffAfter: 2, tokenDelayMs: 20 });
    await ask(page, 'Will it hold?');
    await ends(page, 'failed');
    expect(await answerOf(page, 0)).toMatch(/This breaks[^]*The tutor can’t answer right now/);
    expect((await ears(page)).said).toEqual([expect.stringContaining('can’t answer right now')]);
    const wrong = await violationsOf(page.page, 'broken off');
    model.behave({ answer: 'It holds.' });
    await page.press('tutor-retry');
    await ends(page, 'done');
    expect(await answerOf(page, 0)).toContain('It holds.');
    await eventually(async () => expect(await page.count('.tutor-failure')).toBe(0));
    expect([...wrong, ...(await violationsOf(page.page, 'asked again'))]).toEqual([]);
  });

  inLongForm(it)('reads answers aloud, in order and without gaps, until it is stopped', async () => {
    model.behave({ answer: 'The first sentence is this one. The second follows it. And here is a third.', tokenDelayMs: 20 });
    const { page } = await modernStudent();
    await page.press('read-aloud');
    await ask(page, 'Please tell me.');
    await eventually(async () => {
      const { sounds } = await ears(page);
      expect(sounds.length).toBeGreaterThanOrEqual(2);
      expect(sounds.every(({ hasEnded, peak }) => hasEnded && peak > 0.1)).toBe(true);
    });
    const { sounds, said } = await ears(page);
    sounds.slice(1).forEach(({ at }, i) => expect(at).toBeGreaterThanOrEqual((sounds[i]?.at ?? 0) + (sounds[i]?.seconds ?? 0) - 0.001));
    // The voice reads the answer, so the live region must not announce it.
    expect(said).toEqual([]);
    await page.press('tutor-listen');
    await eventually(async () => expect((await ears(page)).sounds.length).toBe(sounds.length * 2));
    await page.press('tutor-stop');
    await eventually(async () => expect(await page.count('[data-action=tutor-stop]')).toBe(0));
    await eventually(async () => expect(await page.isOn('tutor')).toBe('true'));
  });

  inLongForm(it)('accepts a spoken question, and requests the microphone only then', async () => {
    model.behave({ answer: SPOKEN }, '/v1/audio/transcriptions');
    model.behave({ answer: 'Always.' }, '/v1/chat/completions');
    const { page } = await modernStudent();
    expect(await page.deviceRequests()).toBe(0);
    await page.press('tutor-voice');
    await eventually(async () => expect(await page.page.innerText('.voice-time')).toMatch(/^0:0[1-9] \/ 1:00$/));
    await eventually(async () =>
      expect(Number(await page.page.evaluate(`document.querySelector('.voice').style.getPropertyValue('--level')`))).toBeGreaterThan(0),
    );
    const wrong = await violationsOf(page.page, 'recording');
    await page.press('voice-send');
    await ends(page, 'done');
    expect(await page.deviceRequests()).toBe(1);
    expect(await answerOf(page, 0)).toContain('Always.');
    await eventually(async () => expect(await page.page.innerText('.tutor-question')).toContain(SPOKEN));
    const [heard] = model.asked('/v1/audio/transcriptions').map(({ body }) => body['file'] as RecordedFile);
    const bytes = heard?.bytes ?? Buffer.alloc(0);
    expect([bytes.readUInt16LE(20), bytes.readUInt16LE(22), bytes.readUInt32LE(24), bytes.readUInt16LE(34)]).toEqual([1, 1, 16_000, 16]);
    expect((await probeWav(bytes.toString('base64'))).seconds).toBeGreaterThan(0.8);
    const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset + 44, bytes.byteOffset + bytes.length - (bytes.length % 2)));
    expect(samples.some((sample) => sample > 1000)).toBe(true);

    // Escape cancels at any moment, so also before the recording has started.
    for (const action of ['voice-cancel', 'voice-send']) {
      await page.press('tutor-voice');
      await eventually(async () => expect(await page.count(`[data-action=${action}]`)).toBe(1));
      await page.page.keyboard.press('Escape');
      await eventually(async () => expect(await page.count('[data-action=tutor-text]')).toBe(1));
    }
    expect(await exchanges(page)).toEqual(['done']);
    expect(wrong).toEqual([]);
  });

  it.each(byForm<('light' | 'dark')[]>({ short: ['dark'], long: ['light', 'dark'] }))(
    'has no accessibility violations in axe, %s',
    async (colorScheme) => {
      const found: string[] = [];
      await student.panel('tutor');
      await ask(student, `${UNKNOWN} (${colorScheme})`);
      await ends(student, ...Array.from({ length: await student.count('.tutor-exchange') }, () => 'done'));
      await teacher.panel();
      await teacher.panel('tutor');
      await eventually(async () => expect(await teacher.count('.tutor-waiting')).toBeGreaterThan(0));
      for (const [name, page] of [
        ['student', student],
        ['teacher', teacher],
      ] as const) {
        await page.page.emulateMedia({ colorScheme });
        found.push(...(await violationsOf(page.page, name)));
        await page.page.evaluate('document.documentElement.dir = "rtl"');
        found.push(...(await violationsOf(page.page, `${name}, right to left`)));
        await page.page.evaluate('document.documentElement.dir = "ltr"');
      }
      expect(found).toEqual([]);
    },
  );
});
