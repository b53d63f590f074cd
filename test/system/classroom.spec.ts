/** @lane real-time */
import { randomUUID } from 'node:crypto';
import { recordingActive, recordingEnding } from '@classroom/contracts';
import { byForm, eventually, first, inLongForm, present, publishFact, sleep } from '@classroom/testing';
import { violationsOf } from './accessibility.js';
import type { ClassroomPage } from './browser.js';
import { ClassScene } from './class-scene.js';

/** What participants do on their pages: a real stack, a real browser, several participants. */
describe('the class page', () => {
  let scene: ClassScene;
  let roomId: string;
  let sid: string;
  /** One class for all tests that leave it unchanged. */
  let teacher: ClassroomPage;
  let student: ClassroomPage;

  beforeAll(async () => {
    scene = await ClassScene.start();
    ({ roomId, sid, teacher, student } = await scene.startClass({ title: 'Geometry' }));
  });

  afterEach(async () => expect(await scene.tidy()).toEqual([]));

  afterAll(() => scene?.stop());

  it('enters a class without a lobby with camera and microphone on, and a student without a device prompt', async () => {
    await student.receivesMedia('teacher');
    await eventually(async () => expect(await teacher.isOn('microphone')).toBe('true'));
    expect(await student.deviceRequests()).toBe(0);
  });

  const teaching = [
    'microphone',
    'camera',
    'share',
    'board',
    'hand',
    'reactions',
    'layout',
    'record',
    'more',
    'people',
    'chat',
    'polls',
    'tutor',
    'leave-menu',
  ];
  const roles: [string, string[]][] = [
    ['TEACHER', teaching],
    ['ADMIN', teaching],
    [
      'MODERATOR',
      ['microphone', 'camera', 'share', 'board', 'hand', 'reactions', 'layout', 'more', 'people', 'chat', 'polls', 'tutor', 'leave'],
    ],
    ['STUDENT', ['hand', 'reactions', 'layout', 'more', 'people', 'chat', 'polls', 'tutor', 'leave']],
  ];
  it.each(byForm({ short: roles.filter(([role]) => ['TEACHER', 'STUDENT'].includes(role)), long: roles }))(
    'offers a %s the controls of the role',
    async (role, controls) => {
      const open: Record<string, ClassroomPage> = { TEACHER: teacher, STUDENT: student };
      const page = open[role] ?? (await scene.enter(roomId, `a-${role}`, role, { isUnplugged: true }));
      await eventually(async () => expect(await page.controls()).toEqual(controls));
      const [isStudent, isAdmin] = [role === 'STUDENT', role === 'ADMIN'];
      await page.press('more');
      await page.page.waitForSelector('.menu:popover-open');
      await eventually(async () => expect(await page.count('[data-action=settings]')).toBe(isAdmin ? 1 : 0));
      await page.page.keyboard.press('Escape');
      await page.panel('people');
      const other = `[data-person=${role === 'TEACHER' ? 'student' : 'teacher'}]`;
      await eventually(async () => expect(await page.count(other)).toBe(1));
      expect(await page.count('[data-action=mute-all]')).toBe(isStudent ? 0 : 1);
      // Everyone acts only on people of their own role or a lower one.
      expect(await page.count(`${other} [data-action=person-menu]`)).toBe(isStudent || role === 'MODERATOR' ? 0 : 1);
      await page.panel('polls');
      await eventually(async () => expect(await page.count('[data-action=new-poll]')).toBe(isStudent ? 0 : 1));
      await page.panel();
      if (role !== 'MODERATOR') return;

      // A moderator may not start a recording, but may stop one.
      const fact = {
        sid,
        roomId,
        organizationId: 'any',
        egressId: `EG_${randomUUID()}`,
        startedAt: new Date().toISOString(),
        endedAt: null,
        duration: null,
        reason: null,
        health: 'OK',
        isPaused: false,
        isMerged: false,
      };
      await publishFact(scene.stack, recordingActive, sid, { ...fact, status: 'ACTIVE', version: 1 });
      await page.shows('REC');
      await eventually(async () => expect(await page.page.innerText('[data-action=record]')).toBe('Stop recording'));
      await publishFact(scene.stack, recordingEnding, sid, { ...fact, status: 'ENDING', version: 2 });
      await eventually(async () => expect(await page.count('[data-action=record]')).toBe(0));
    },
  );

  inLongForm(it)('pauses and resumes a recording by keyboard, and shows everyone that it is paused', async () => {
    const { roomId, iframeUrl } = await scene.room();
    const page = await scene.open(iframeUrl, { isUnplugged: true });
    await page.reaches('connected');
    const ada = await scene.open(`${(await scene.link(roomId, 'ada', 'STUDENT')).iframeUrl}&lang=de`, { isUnplugged: true });
    await ada.reaches('connected');
    // Another file's class may have the recorder.
    await eventually(async () => expect((await scene.api.post(`/v1/room/${roomId}/recording/start`)).status).toBe(200));
    await ada.shows('REC');
    const label = () => page.page.innerText('[data-action=pause]');
    await eventually(async () => expect(await label()).toBe('Pause recording'));
    await page.page.press('[data-action=pause]', 'Enter');
    await eventually(async () => expect(await label()).toBe('Resume recording'));
    expect(await page.page.evaluate('document.activeElement.dataset.action')).toBe('pause');
    expect(await page.page.innerText('[data-action=record]')).toBe('Stop recording');
    await ada.shows('Aufzeichnung pausiert');
    for (const one of [page, ada]) expect(await violationsOf(one.page, 'paused')).toEqual([]);
    // Each press waits for its answer: the same key on the same button pauses as soon as the recording has resumed.
    await eventually(async () => {
      const answered = page.page.waitForResponse(/\/recording\/resume$/);
      await page.page.press('[data-action=pause]', 'Enter');
      expect((await answered).status()).toBe(200);
    });
    await eventually(async () => expect(await label()).toBe('Pause recording'));
    await ada.shows('REC');
    expect(await ada.text()).not.toContain('pausiert');
    const list = (await scene.api.get(`/v1/room/${roomId}/recordings`)).body.data as { paused: boolean }[];
    expect(list.map(({ paused }) => paused)).toEqual([true, false]);
    await scene.api.delete(`/v1/room/${roomId}`);
    for (const one of [page, ada]) await one.reaches('ended');
    // The recorder is busy until the first file is finished, and the class is over.
    [page, ada].forEach(({ watch }) => watch.expect(/Failed to load resource.*(409|410|503)/));
  });

  inLongForm(it)('offers the controls of a new role as soon as the backend changes it, and removes them with the role', async () => {
    const page = await scene.enter(roomId, 'rising', 'STUDENT');
    const become = async (role: string) =>
      expect((await scene.api.patch(`/v1/room/${roomId}/participants/rising`, { role })).status).toBe(200);
    await become('TEACHER');
    await eventually(async () =>
      expect(await page.controls()).toEqual(expect.arrayContaining(['microphone', 'camera', 'record', 'leave-menu'])),
    );
    await page.shows('Your role in this class was changed.');
    await page.press('camera');
    await eventually(async () => expect(await page.isOn('camera')).toBe('true'));
    await become('STUDENT');
    await eventually(async () =>
      expect(await page.controls()).toEqual(['hand', 'reactions', 'layout', 'more', 'people', 'chat', 'polls', 'tutor', 'leave']),
    );
    await eventually(async () => expect(await teacher.count('video[data-uid=rising]:not([hidden])')).toBe(0));
  });

  it('cannot do at the API what its role may not do', async () => {
    const { roomId } = await scene.room();
    const actions = (api: { post: typeof scene.api.post; patch: typeof scene.api.patch }) => ({
      moderate: () => api.post('/v1/classroom/mute-all'),
      lower: () => api.post('/v1/classroom/hands/lower-all'),
      remove: () => api.post('/v1/classroom/participants/unknown/remove'),
      speak: () => api.post('/v1/classroom/participants/unknown/speak', { allowed: true }),
      role: () => api.patch('/v1/classroom/participants/unknown', { role: 'STUDENT' }),
      poll: () => api.post('/v1/classroom/polls', { question: 'May I?', options: ['Yes', 'No'] }),
      record: () => api.post('/v1/classroom/recording/start'),
      stopRecording: () => api.post('/v1/classroom/recording/stop'),
      pause: () => api.post('/v1/classroom/recording/pause'),
      resume: () => api.post('/v1/classroom/recording/resume'),
      change: () => api.patch('/v1/classroom/room', { title: 'Changed' }),
      end: () => api.post('/v1/classroom/end'),
    });
    const refused: Record<string, string[]> = {
      STUDENT: ['moderate', 'lower', 'remove', 'speak', 'role', 'poll', 'record', 'stopRecording', 'pause', 'resume', 'change', 'end'],
      MODERATOR: ['record', 'resume', 'change', 'end'],
      TEACHER: ['change'],
      // ADMIN is last, because ending the class ends the test.
      ADMIN: [],
    };
    for (const [role, expected] of Object.entries(refused)) {
      const { token } = await scene.link(roomId, role, role);
      const session = await scene.api.bearer(token).post('/v1/classroom/session');
      const found: string[] = [];
      for (const [name, work] of Object.entries(actions(scene.api.bearer(session.body.data.classroomToken)))) {
        if (role === 'TEACHER' && name === 'end') continue;
        if ((await work()).body.error === 'FORBIDDEN') found.push(name);
      }
      expect([role, found]).toEqual([role, expected]);
    }
    expect((await scene.api.get(`/v1/room/${roomId}/status`)).body.data.isActive).toBe(false);
  });

  it('lets a student speak, requests the microphone only then, and follows mute, unmute and revocation', async () => {
    await teacher.panel();
    await student.press('hand');
    await teacher.shows('Name of student raised a hand');
    await teacher.press('notice-speak');
    await student.shows('Name of teacher lets you speak');
    expect(await student.deviceRequests()).toBe(0);
    await eventually(async () => expect(await teacher.count('[data-action=notice-speak]')).toBe(0));
    await teacher.panel('people');
    await student.press('accept');
    await teacher.receivesAudio('student');
    expect(await student.deviceRequests()).toBe(1);
    await eventually(async () => expect(await student.controls()).not.toContain('camera'));

    const isMuted = () => eventually(async () => expect(await student.isOn('microphone')).toBe('false'));
    await teacher.chooseAction('student', 'mute');
    await isMuted();
    await eventually(async () =>
      expect(await student.page.innerText('.notice')).toBe('Your microphone was turned off by a teacher. You can turn it on again.'),
    );
    await student.press('microphone');
    await teacher.receivesAudio('student');
    await teacher.press('mute-all');
    await isMuted();
    await student.press('microphone');
    await teacher.receivesAudio('student');
    await teacher.chooseAction('student', 'takeBack');
    await student.shows('You may no longer speak. Your microphone is off.');
    await eventually(async () => expect(await student.controls()).not.toContain('microphone'));
    await eventually(async () => expect(await teacher.count('audio[data-uid=student]')).toBe(0));
  });

  it('lets a teacher decide who comes in and what students may do, and make a student a moderator', async () => {
    const { roomId, iframeUrl } = await scene.room();
    const head = await scene.open(iframeUrl, { isUnplugged: true });
    const mia = await scene.enter(roomId, 'mia', 'STUDENT', { isUnplugged: true });
    await head.reaches('connected');
    await head.press('more');
    await head.press('class-settings');
    await head.page.check('[data-action=door-ALL]');
    await head.page.uncheck('[data-action=students-raiseHand]');
    expect(await violationsOf(head.page, 'class settings')).toEqual([]);
    await eventually(async () => expect(await mia.controls()).not.toContain('hand'));
    const { settings } = (await scene.api.get(`/v1/room/${roomId}`)).body.data;
    expect(settings).toMatchObject({ waitingRoom: 'ALL', permissions: { STUDENT: { raiseHand: false } } });
    await head.press('class-settings-done');
    await head.panel('people');
    await head.chooseAction('mia', 'makeModerator');
    await eventually(async () => expect(await mia.controls()).toEqual(expect.arrayContaining(['hand', 'microphone'])));
    await mia.panel('people');
    expect(await mia.count('[data-person] [data-action=person-menu]')).toBe(0);
  });

  // In the short form the backend removes a participant, in page.spec.ts.
  inLongForm(it)('removes a participant, who can return neither by a reload nor by the same link', async () => {
    const { iframeUrl } = await scene.link(roomId, 'mallory', 'STUDENT');
    const page = await scene.open(iframeUrl);
    await page.reaches('connected');
    await teacher.panel('people');
    await teacher.chooseAction('mallory', 'remove');
    await teacher.press('confirm-remove');
    await page.reaches('kicked');
    await page.shows('You were removed from the class');
    await page.page.reload();
    await page.reaches('error');
    const fresh = await scene.open(iframeUrl);
    await fresh.reaches('error');
    await fresh.shows('This link does not open a class');
    await eventually(async () => expect(await teacher.participants()).toBe('2'));
    [page, fresh].forEach(({ watch }) => watch.expect(/Failed to load resource/));
  });

  it('shows hands in the order in which they were raised, and lowers one or all', async () => {
    const [second, first] = [await scene.member(roomId, 'ann', 'STUDENT'), await scene.member(roomId, 'zoe', 'STUDENT')];
    await first.api.post('/v1/classroom/hand', { raised: true });
    await second.api.post('/v1/classroom/hand', { raised: true });
    await student.page.keyboard.press('h');
    await teacher.panel('people');
    const hands = () => teacher.page.locator('[data-hand]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-hand')));
    await eventually(async () => expect(await hands()).toEqual(['zoe', 'ann', 'student']));
    await teacher.page.click('[data-hand=zoe] [data-action=lower-hand]');
    await eventually(async () => expect(await hands()).toEqual(['ann', 'student']));
    await eventually(async () => expect(await student.isOn('hand')).toBe('true'));
    await teacher.press('lower-all-hands');
    await eventually(async () => expect([await hands(), await student.isOn('hand')]).toEqual([[], 'false']));
    await Promise.all([first, second].map(({ rtc }) => rtc.leave()));
  });

  it('starts a poll, counts each vote once, shows live results, and closes it', async () => {
    await teacher.panel('polls');
    await teacher.press('new-poll');
    await teacher.page.fill('[data-action=poll-question]', 'How many corners?');
    await teacher.page.fill('[aria-label="Answer 1"]', 'Three');
    await teacher.page.fill('[aria-label="Answer 2"]', 'Four');
    await teacher.press('start-poll');
    await student.shows('How many corners?');
    await student.page.check('[data-option="1"]');
    await student.press('vote');
    await student.shows(/1 vote so far/);
    await eventually(async () => expect(await student.count('[data-action=vote]')).toBe(0));
    await teacher.shows(/1 vote so far/);

    const ann = await scene.member(roomId, 'ann', 'STUDENT');
    const { pollId } = first(present((await ann.api.get('/v1/classroom/state')).body.data.polls));
    const vote = (option: number) => ann.api.post(`/v1/classroom/polls/${pollId}/vote`, { option });
    expect([(await vote(0)).status, (await vote(1)).body.error]).toEqual([200, 'ALREADY_VOTED']);
    for (const page of [teacher, student]) await page.shows(/Three[\s\S]*1[\s\S]*50%[\s\S]*Four[\s\S]*50%[\s\S]*2 votes so far/);
    await teacher.press('close-poll');
    for (const page of [teacher, student]) await eventually(async () => expect(await page.text()).not.toContain('so far'));
    await student.panel('polls');
    await student.shows(/Closed[\s\S]*How many corners\?[\s\S]*2 votes/);
    await ann.rtc.leave();
  });

  it('hides the result of a poll from students until it is closed, then shows the correct answer, and repeats the poll', async () => {
    await teacher.panel('polls');
    await teacher.press('new-poll');
    await teacher.page.fill('[data-action=poll-question]', 'How many angles?');
    const long = 'Three, because a triangle has as many angles as it has sides, whatever their length';
    await teacher.page.fill('[aria-label="Answer 1"]', 'Two');
    await teacher.page.fill('[aria-label="Answer 2"]', long);
    // One more answer can be removed, so that its button takes width from each field.
    await teacher.press('add-option');
    const hidden = `(({ clientHeight, scrollHeight }) => scrollHeight - clientHeight)(document.querySelector('[aria-label="Answer 2"]'))`;
    await eventually(async () => expect(await teacher.page.evaluate(hidden)).toBe(0));
    await teacher.page.click('[aria-label="Answer 2 is correct"]');
    await teacher.press('hide-result');
    await teacher.page.press('[aria-label="Answer 2"]', 'Enter');
    await student.panel('polls');
    await student.page.check('.side-panel [data-option="0"]');
    await student.press('vote');
    await student.shows(/Your answer counts/);
    expect(await student.count('.side-panel [data-poll]:first-of-type .poll-count')).toBe(0);
    await teacher.shows(/Two\s+1 vote,\s+1\s+100%/);
    expect(await teacher.text()).not.toContain('Correct answer');
    await teacher.press('close-poll');
    for (const page of [teacher, student]) await page.shows(/Two\s+1 vote,\s+1\s+100%[\s\S]*Correct answer[\s\S]*1 vote/);
    await teacher.page.click('[data-poll]:first-of-type [data-action=repeat-poll]');
    await eventually(async () => expect(await student.count('.side-panel [data-action=vote]')).toBe(1));
    await teacher.press('close-poll');
  });

  inLongForm(it)('keeps the chat for late participants, with links, and markup shown as text', async () => {
    const text = 'See https://school.example/geometry?a=1 <b>now</b>';
    await student.panel();
    await student.page.keyboard.press('c');
    await student.page.keyboard.type(text);
    await student.page.keyboard.press('Enter');
    await eventually(async () => expect(await teacher.page.innerText('[data-action=chat] .badge')).toBe('1'));
    const late = await scene.enter(roomId, 'late', 'STUDENT');
    for (const page of [teacher, late]) {
      await page.panel('chat');
      await page.shows(text);
      const link = page.page.locator('.chat-words a');
      expect(await link.evaluateAll((links) => links.map((a) => ['href', 'target', 'rel'].map((name) => a.getAttribute(name))))).toEqual([
        ['https://school.example/geometry?a=1', '_blank', expect.stringContaining('noopener')],
      ]);
      await eventually(async () => expect(await page.count('.chat-words b')).toBe(0));
    }
    await eventually(async () => expect(await teacher.count('[data-action=chat] .badge')).toBe(0));
    await student.press('reactions');
    await student.page.click('[data-reaction="🎉"]');
    for (const page of [teacher, late]) await eventually(async () => expect(await page.count('[data-reaction-shown="🎉"]')).toBe(1));
    await student.page.keyboard.press('Escape');
  });

  /** A student's page with a hand, a vote and a message, and the teacher who asked. */
  const interacting = async (uid: string) => {
    const question = { question: 'Still there?', options: ['Yes', 'No'] };
    const member = await scene.member(roomId, 'second', 'TEACHER');
    const { pollId } = (await member.api.post('/v1/classroom/polls', question)).body.data;
    await member.api.post('/v1/classroom/chat', { text: 'Before all of it' });
    const page = await scene.enter(roomId, uid, 'STUDENT');
    await page.press('hand');
    await page.page.check('[data-option="0"]');
    await page.press('vote');
    // A reload would abort a vote that is still being sent.
    await page.shows(/1 vote so far/);
    const isWhole = async (...more: string[]) => {
      await page.reaches('connected', 30_000);
      await page.shows(/Still there\?[\s\S]*1 vote so far/);
      await eventually(async () => expect(await page.isOn('hand')).toBe('true'));
      await page.panel('chat');
      for (const words of ['Before all of it', ...more]) await page.shows(words);
    };
    const tidy = async () => {
      expect((await member.api.post(`/v1/classroom/polls/${pollId}/close`)).body.data).toMatchObject({ totalVotes: 1, status: 'closed' });
      await page.press('hand');
      await member.rtc.leave();
    };
    return { page, member, isWhole, tidy };
  };

  it('restores hands, poll and chat after a reload', async () => {
    const { page, isWhole, tidy } = await interacting('ann');
    await page.page.reload();
    await isWhole();
    await tidy();
  });

  inLongForm(it)('restores hands, poll and chat after a time without network', async () => {
    const { page, member, isWhole, tidy } = await interacting('ben');
    await isWhole();
    const network = await page.context.newCDPSession(page.page);
    await network.send('Network.enable');
    const throughput = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    await network.send('Network.emulateNetworkConditions', { offline: true, ...throughput, packetLoss: 100 });
    await page.reaches('reconnecting', 30_000);
    await page.shows(/Connection lost[\s\S]*\d+ s/);
    // Menus open above the control bar. The notice must be where no menu covers it, on a phone too.
    const desktop = page.page.viewportSize() ?? { width: 1280, height: 720 };
    for (const viewport of [{ width: 390, height: 844 }, desktop]) {
      await page.page.setViewportSize(viewport);
      await page.press('reactions');
      await page.page.waitForSelector('.reaction-picker:popover-open');
      const isSeen = `(() => {
        const notice = document.querySelector('.notice-away');
        const { left, top, width, height } = notice.getBoundingClientRect();
        return [0.02, 0.5, 0.98].every((share) => notice.contains(document.elementFromPoint(left + width * share, top + height / 2)));
      })()`;
      expect(await page.page.evaluate(isSeen)).toBe(true);
      await page.page.keyboard.press('Escape');
    }
    await member.api.post('/v1/classroom/chat', { text: 'While you were away' });
    await sleep(10_000);
    expect(await page.state()).toBe('reconnecting');
    await network.send('Network.emulateNetworkConditions', { offline: false, ...throughput, packetLoss: 0 });
    await isWhole('While you were away');
    const states = await page.page.evaluate<string[]>('window.probe.states');
    expect(states.filter((state, i) => state !== states[i - 1])).toEqual(['idle', 'connecting', 'connected', 'reconnecting', 'connected']);

    await tidy();
    [page, student, teacher].forEach(({ watch }) => watch.expect(/Failed to (load resource|fetch)|WebSocket connection/));
  });
});
