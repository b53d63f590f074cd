// node tools/bootstrap.cjs test/load/page/pictures.ts [name …]
// Regenerates the pictures of docs/images, with a real stack, participants with drawn faces, and the page in Chromium.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Painter, toY4m } from './faces.ts';
import { NAMES, uidOf } from './names.ts';
import { contactSheet, photographOutcomes } from './outcomes.ts';
import { LoadPerson, dispose } from './person.ts';
import { Scene, needs } from './scene.ts';
import type { Browser, Page } from 'playwright-core';
import type { AddressInfo } from 'node:net';

const FOLDER = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'images');
const DESKTOP = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 844 };
const FACE = { width: 640, height: 360 };
/** Index of the participant who speaks. */
const SPEAKER = 3;
/** Frames per second: even a still picture must be sent repeatedly. */
const FPS = 4;
/** Time until pictures are sharp and notices about participants who joined are gone, in milliseconds. */
const SETTLE_MS = 6_000;
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 118 40" width="118" height="40"><circle cx="20" cy="20" r="16" fill="#2e7d5b"/><path d="M20 8c7 6 7 16 0 24c-7-8-7-18 0-24z" fill="#fff"/><text x="44" y="27" font-family="sans-serif" font-size="20" font-weight="600" fill="#2e7d5b">Linden</text></svg>`;

/** Without this, a fake camera has the name of its file. */
const DEVICE_NAMES = `
  const enumerate = navigator.mediaDevices.enumerateDevices.bind(navigator.mediaDevices);
  const names = { audioinput: 'Built-in microphone', videoinput: 'Built-in camera', audiooutput: 'Built-in speakers' };
  navigator.mediaDevices.enumerateDevices = async () => {
    const one = Object.values(Object.fromEntries((await enumerate()).map((device) => [device.kind, device])));
    return one.map(({ deviceId, groupId, kind }) => ({ deviceId, groupId, kind, label: names[kind] }));
  };
`;

class Studio {
  scene: Scene;
  painter: Painter;
  browser: Browser;
  people: LoadPerson[] = [];

  constructor(scene: Scene, painter: Painter, browser: Browser) {
    this.scene = scene;
    this.painter = painter;
    this.browser = browser;
  }

  /** Opens a class in which the page is the first teacher. `others` show their faces; students only receive. */
  async class({
    others,
    students = 0,
    customization = {},
    settings = {},
    context = {},
  }: {
    others: number;
    students?: number;
    customization?: { showLobby?: boolean; theme?: string };
    settings?: object;
    context?: object;
  }) {
    const [name = ''] = NAMES;
    const participant = { uid: uidOf(name), name, role: 'TEACHER' };
    const room = await this.scene.room({
      title: 'Geometry 8b',
      participant,
      settings,
      customization: { showLobby: false, theme: 'light', ...customization },
    });
    for (let i = 1; i <= others + students; i += 1) await this.enter(room.roomId, i, i <= others);
    const page = await this.open(room.iframeUrl, context);
    if (customization.showLobby) await page.click('[data-action=join]');
    await page.waitForSelector(`:root[data-participants="${others + students + 1}"]`, { timeout: 60_000 });
    return { ...room, page };
  }

  /** Opens the page of a student. */
  async openAs(name: string, roomId: string): Promise<Page> {
    const { iframeUrl } = await this.scene.join(roomId, { uid: uidOf(name), name, role: 'STUDENT' });
    return this.open(iframeUrl);
  }

  async enter(roomId: string, i: number, shows: boolean) {
    const name = NAMES[i] ?? `Person ${i}`;
    const { token } = await this.scene.join(roomId, { uid: uidOf(name), name, role: shows ? 'TEACHER' : 'STUDENT' });
    const authorization = `Bearer ${await this.scene.classroomToken(token)}`;
    const person = await LoadPerson.connect(this.scene.livekitUrl, token);
    this.people.push(person);
    if (shows && i % 7 !== 6) {
      const { data } = await this.painter.draw('portrait', i, FACE.width, FACE.height);
      await person.show(FACE, () => data, { fps: FPS });
    }
    if (shows && i % 3 !== 1) await person.speak(i === SPEAKER ? 260 : undefined);
    const ask = async (text: string) => {
      const headers = { authorization, 'content-type': 'application/json' };
      await (
        await fetch(`${this.scene.stack.urls.gateway}/v1/classroom/tutor/chat/stream`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ text }),
        })
      ).text();
    };
    return { person, ask, call: (target: string, body: object = {}) => this.scene.call('POST', target, body, { authorization }) };
  }

  async open(url: string, context: object = {}) {
    const profile = await this.browser.newContext({ viewport: DESKTOP, ...context });
    await profile.addInitScript(DEVICE_NAMES);
    const page = await profile.newPage();
    await page.goto(url);
    return page;
  }

  async photograph(page: Page, name: string, settleMs = SETTLE_MS) {
    await page.mouse.move(0, 0);
    await page.waitForTimeout(settleMs);
    await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
    console.log(name);
  }

  async strike() {
    await Promise.all(this.people.splice(0).map((person) => person.leave().catch(() => undefined)));
    await Promise.all(this.browser.contexts().map((context) => context.close()));
  }
}

const PICTURES: Record<string, (studio: Studio, scene: Scene) => Promise<void>> = {
  async lobby(studio, scene) {
    const [name = ''] = NAMES;
    const { iframeUrl } = await scene.room({
      title: 'Geometry 8b',
      roomDescription: 'Today: right angles, and what Pythagoras made of them.',
      participant: { uid: 'ada', name, role: 'TEACHER' },
      customization: { showLobby: true, theme: 'light' },
    });
    const page = await studio.open(iframeUrl);
    await page.waitForSelector('[data-action=join]');
    await page.waitForTimeout(SETTLE_MS);
    // Not waitForFunction: the page's policy allows no eval.
    await page.evaluate(`new Promise((resolve) => {
      const level = () => Number(document.querySelector('.meter')?.style.getPropertyValue('--level'));
      const look = () => (level() > 0.6 ? resolve() : requestAnimationFrame(look));
      look();
    })`);
    await studio.photograph(page, 'lobby', 0);
  },
  async 'sound-and-picture'(studio, scene) {
    const [name = ''] = NAMES;
    const participant = { uid: 'ada', name, role: 'TEACHER' };
    const { iframeUrl } = await scene.room({ title: 'Geometry 8b', participant, customization: { showLobby: true, theme: 'light' } });
    const page = await studio.open(iframeUrl);
    await page.click('[data-action=setup]');
    await page.check('[data-action=blur]');
    await studio.photograph(page, 'sound-and-picture', 2 * SETTLE_MS);
  },
  async notifications(studio) {
    const permissions = ['notifications', 'camera', 'microphone'];
    const { page } = await studio.class({ others: 5, students: 4, customization: { theme: 'dark' }, context: { permissions } });
    await page.click('[data-action=more]');
    await page.click('[data-action=notifications]');
    await page.check('[data-action=notify]');
    await studio.photograph(page, 'notifications');
  },
  async consent(studio, scene) {
    const text =
      'We record this class for pupils who are ill. The film shows your picture, your name and your voice, and is deleted after a week.\n\nIf you are under 16, ask your parents first.';
    const recording = { ask: 'join', without: 'mute', version: '2026-1', text };
    const { roomId } = await scene.room({
      title: 'Geometry 8b',
      participant: { uid: 'ada', name: NAMES[0] ?? '', role: 'TEACHER' },
      settings: { consent: { recording } },
      customization: { showLobby: false, theme: 'light' },
    });
    const { iframeUrl } = await scene.join(roomId, { uid: 'guest', name: 'Clara Weiss', role: 'STUDENT' });
    const page = await studio.open(iframeUrl, { viewport: { width: 720, height: 480 } });
    await page.waitForSelector('[data-action=consent-yes]');
    await studio.photograph(page, 'consent', 300);
  },
  async opening(studio, scene) {
    const { roomId } = await scene.room({
      title: 'Geometry 8b',
      roomDescription: 'Today: right angles, and what Pythagoras made of them.',
      participant: { uid: 'ada', name: NAMES[0] ?? '', role: 'TEACHER' },
      settings: { startsAt: new Date(Date.now() + 3_600_000).toISOString() },
      customization: { theme: 'light' },
    });
    const page = await studio.openAs('Clara Weiss', roomId);
    await page.waitForSelector('.opening-time');
    await studio.photograph(page, 'opening', 1_000);
  },
  async waiting(studio) {
    const { page, roomId } = await studio.class({ others: 3, settings: { waitingRoom: 'STUDENTS' } });
    for (const name of ['Emre Yılmaz', 'Kofi Mensah']) await studio.openAs(name, roomId);
    const student = await studio.openAs('Lucas Moreau', roomId);
    await student.waitForSelector('.waiting-room');
    await studio.photograph(student, 'waiting-room', 300);
    await page.click('[data-action=people]');
    await page.waitForSelector('[data-waiting] >> nth=2');
    await studio.photograph(page, 'waiting-list');
  },
  async grids(studio) {
    for (const tiles of [9, 25]) {
      const { page } = await studio.class({ others: tiles - 1, students: 4 });
      await studio.photograph(page, `grid-${tiles}`);
      await studio.strike();
    }
  },
  async speaker(studio) {
    const { page } = await studio.class({ others: 8, students: 3 });
    await page.click('[data-action=layout]');
    await studio.photograph(page, 'speaker');
  },
  async share(studio) {
    const { page, roomId } = await studio.class({ others: 6, students: 4 });
    const { data } = await studio.painter.draw('slide', 0, DESKTOP.width, DESKTOP.height);
    await studio.people[1]?.show(DESKTOP, () => data, { fps: FPS, isScreen: true });
    await page.waitForSelector('.tile[data-kind=screen]');
    await studio.photograph(page, 'screen-share');
    const { iframeUrl } = await studio.scene.join(roomId, { uid: 'guest', name: 'Clara Weiss', role: 'STUDENT' });
    const phone = await studio.open(iframeUrl, { viewport: PHONE, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
    await phone.waitForSelector('.tile[data-kind=screen]');
    await studio.photograph(phone, 'phone-screen-share');
  },
  async phone(studio) {
    const { page } = await studio.class({
      others: 5,
      students: 4,
      context: { viewport: PHONE, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
    });
    await studio.photograph(page, 'phone');
  },
  async panels(studio) {
    const { page, roomId } = await studio.class({ others: 5, students: 7, customization: { theme: 'dark' } });
    await studio.photograph(page, 'dark');
    for (const number of [20, 21, 22]) await (await studio.enter(roomId, number, false)).call('/v1/classroom/hand', { raised: true });
    await page.click('[data-action=people]');
    await studio.photograph(page, 'people');
    await page.click('[data-tab=chat]');
    const [first, second] = [await studio.enter(roomId, 23, false), await studio.enter(roomId, 24, false)];
    await first.call('/v1/classroom/chat', { text: 'Is the long side always the one across from the right angle?' });
    await second.call('/v1/classroom/chat', { text: 'Yes! There is a good drawing here: https://school.example/pythagoras' });
    await page.fill('[data-action=chat-text]', 'Exactly. We will prove it in a moment.');
    await page.keyboard.press('Enter');
    await studio.photograph(page, 'chat');
  },
  async poll(studio) {
    const { page, roomId } = await studio.class({ others: 5, students: 3 });
    const ask = await studio.enter(roomId, 26, true);
    const { pollId } = await ask.call('/v1/classroom/polls', {
      question: 'How long is c, if a = 3 and b = 4?',
      options: ['5', '6', '7', 'It depends'],
    });
    for (const [number, option] of [
      [10, 0],
      [11, 0],
      [12, 0],
      [13, 2],
      [14, 3],
    ]) {
      await (await studio.enter(roomId, number, false)).call(`/v1/classroom/polls/${pollId}/vote`, { option });
    }
    const { iframeUrl } = await studio.scene.join(roomId, { uid: 'guest', name: 'Clara Weiss', role: 'STUDENT' });
    const student = await studio.open(iframeUrl);
    await student.waitForSelector('[data-action=vote]');
    await student.check('[data-option="0"]');
    await studio.photograph(student, 'poll-vote');
    await studio.photograph(page, 'poll-result');
  },
  async tutor(studio, scene) {
    const model = await connectTutor(scene);
    const { page, roomId } = await studio.class({ others: 5, students: 3 });
    for (const [number, question] of [
      [10, 'Who taught Pythagoras?'],
      [11, 'who taught pythagoras'],
      [12, 'Does it work on a ball, too?'],
    ] as [number, string][]) {
      await (await studio.enter(roomId, number, false)).ask(question);
    }
    const { iframeUrl } = await scene.join(roomId, { uid: 'guest', name: 'Clara Weiss', role: 'STUDENT' });
    const student = await studio.open(iframeUrl);
    await student.click('[data-action=tutor]');
    for (const [i, question] of ['Which side is the hypotenuse?', 'Will this be in the exam on Friday?'].entries()) {
      await student.fill('[data-action=tutor-text]', question);
      await student.keyboard.press('Enter');
      await student.waitForSelector(`[data-exchange=done]:nth-child(${i + 1})`);
    }
    await student.click('[data-exchange]:last-child [data-action=ask-teacher]');
    await studio.photograph(student, 'tutor');
    await page.click('[data-action=tutor]');
    await page.waitForSelector('.tutor-waiting');
    await studio.photograph(page, 'tutor-questions');
    await model.stop();
  },
  async recording(studio, scene) {
    const { sid } = await studio.class({ others: 6 });
    const { AccessToken } = needs('livekit-server-sdk') as typeof import('livekit-server-sdk');
    const { livekitApiKey, livekitApiSecret } = scene.stack.secrets;
    const token = new AccessToken(livekitApiKey, livekitApiSecret, { identity: 'EG_picture', ttl: 600 });
    token.addGrant({ roomJoin: true, room: sid, hidden: true, recorder: true, canPublish: false, canSubscribe: true });
    const query = new URLSearchParams({
      url: scene.livekitUrl,
      token: await token.toJwt(),
      layout: 'grid',
      title: 'Geometry 8b',
      logo: logoUrl,
    });
    await studio.photograph(await studio.open(`${scene.stack.urls.gateway}/recording?${query}`), 'recording');
  },
  async outcomes(studio, scene) {
    const pictures = await photographOutcomes(studio.browser, scene);
    fs.writeFileSync(path.join(FOLDER, 'outcomes.png'), await contactSheet(studio.browser, pictures));
    console.log('outcomes');
  },
};

const ANSWERS = [
  {
    about: /hypotenuse/i,
    answer:
      'The one across from the right angle. It is the longest of the three:\n- a and b meet at the right angle,\n- c lies across from it: a² + b² = c².',
  },
  { about: /exam/i, answer: 'The class material says nothing about the exam. Your teacher can tell you.' },
  { about: /./, answer: '[unknown] The class material says nothing about this.' },
];

/** Connects a model with prepared answers to the school's tutor. */
async function connectTutor(scene: Scene) {
  const { RecordedOpenAi } = needs('@classroom/testing') as typeof import('@classroom/testing');
  const model = new RecordedOpenAi();
  const { url: baseUrl } = await model.start();
  model.behave(({ body }) => {
    const question = JSON.stringify((body['messages'] as unknown[] | undefined)?.at(-1) ?? '');
    return { answer: ANSWERS.find(({ about }) => about.test(question))?.answer };
  });
  const at = { provider: 'openai-compatible', baseUrl, apiKey: 'a-key-for-pictures' };
  const settings = { chat: { ...at, model: 'tutor' }, speechToText: { ...at, model: 'ears' } };
  await scene.call('PATCH', `/v1/admin/organizations/${scene.value}/ai`, settings, {
    'X-Dispatch-Secret': scene.stack.secrets.dispatchSecret,
  });
  return model;
}

let logoUrl = '';
/** PNG: the gateway passes on no SVG. */
let logoPicture: Buffer = Buffer.alloc(0);

async function drawLogo(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ deviceScaleFactor: 2 });
  await page.setContent(LOGO);
  const picture = await page.locator('svg').screenshot({ omitBackground: true });
  await page.close();
  return picture;
}

/** @returns a server with the school's logo at `logoUrl` */
async function serveLogo(): Promise<http.Server> {
  const server = http.createServer((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(logoPicture));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address() as AddressInfo;
  logoUrl = `http://127.0.0.1:${address.port}/logo.png`;
  return server;
}

async function main() {
  const wanted = process.argv.slice(2);
  fs.mkdirSync(FOLDER, { recursive: true });
  const logo = await serveLogo();
  const camera = path.join(os.tmpdir(), `camera-${process.pid}.y4m`);
  let scene: Scene | undefined;
  try {
    scene = await Scene.start({ branding: { logoUrl, accentColor: '#2e7d5b' } });
    const plain = await scene.browser();
    logoPicture = await drawLogo(plain);
    const painter = await Painter.open(plain);
    fs.writeFileSync(camera, toY4m(await painter.draw('portrait', 0, 1280, 720)));
    const studio = new Studio(
      scene,
      painter,
      await scene.browser([`--use-file-for-fake-video-capture=${camera}`, '--autoplay-policy=no-user-gesture-required']),
    );
    for (const [name, make] of Object.entries(PICTURES)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      await make(studio, scene);
      await studio.strike();
    }
  } finally {
    logo.close();
    fs.rmSync(camera, { force: true });
    await scene?.stop();
    await dispose();
  }
}

void main();
