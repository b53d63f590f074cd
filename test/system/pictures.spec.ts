import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AccessToken } from 'livekit-server-sdk';
import { inLongForm, type ApiClient, eventually, newOrganization, newRoom, RtcParticipant } from '@classroom/testing';
import type { ClassroomPage } from './browser.js';
import { ClassScene } from './class-scene.js';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const UNPLUGGED = { isUnplugged: true };

/** Photos and a logo at a school's own host, which keeps who requested them. */
describe("pictures at a school's host", () => {
  let scene: ClassScene;
  let api: ApiClient;
  let host: Server;
  let school: string;
  const requested: { path: string; agent: string | undefined }[] = [];

  beforeAll(async () => {
    host = createServer(({ url = '', headers }, response) => {
      requested.push({ path: url, agent: headers['user-agent'] });
      if (!url.startsWith('/lesson')) return response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
      const address = decodeURIComponent(url.slice('/lesson?'.length));
      return response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><iframe src="${address}" width="600" height="400"></iframe>`);
    }).listen(0, '127.0.0.1');
    scene = await ClassScene.start();
    school = `127.0.0.1:${(host.address() as AddressInfo).port}`;
    const branding = { logoUrl: `http://${school}/logo.png` };
    ({ api } = await newOrganization(scene.stack, { branding, verifiedDomains: [school] }));
  });
  afterEach(async () => {
    expect(await scene.tidy()).toEqual([]);
    // Browsers have other names.
    const byBrowsers = requested.filter(({ path, agent }) => path.endsWith('.png') && agent !== 'virtual-classroom');
    expect(byBrowsers).toEqual([]);
  });
  afterAll(async () => {
    await RtcParticipant.disposeAll();
    await scene?.stop();
    host?.closeAllConnections();
    host?.close();
  });

  const photoOf = (uid: string) => `http://${school}/${uid}.png`;
  const person = (uid: string, role: string) => ({ uid, name: `Name of ${uid}`, role, photoURL: photoOf(uid) });
  const room = () => newRoom(api, { customization: { showLobby: false }, participant: person('teacher', 'TEACHER') });
  const join = async (roomId: string, uid: string, role: string) =>
    (await api.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) })).body.data as { token: string; iframeUrl: string };
  /** Lets a second teacher speak from an app: the stage shows teachers once anyone speaks. */
  const speak = async (token: string) => (await RtcParticipant.connect(scene.stack.urls.livekitPublic, token)).publishTone();
  const sessionOf = async (token: string) => (await api.bearer(token).post('/v1/classroom/session')).body.data;
  const ours = () => [scene.stack.urls.gateway, scene.stack.urls.livekitPublic].map((url) => new URL(url).host).sort();

  /** The path of a picture that the page shows. @throws if it shows none in time */
  async function shownAt({ page }: ClassroomPage, selector: string, frame = page.mainFrame()): Promise<string> {
    const script = `(() => {
      const image = document.querySelector('${selector}');
      return image?.naturalWidth > 0 ? new URL(image.src).pathname : '';
    })()`;
    await eventually(async () => expect(await frame.evaluate(script)).toMatch(/^\/pictures\/[\w-]+$/));
    return frame.evaluate(script);
  }

  it('are shown in class by a page that contacts no other host, and remain as they were for the backend', async () => {
    const { roomId, iframeUrl } = await room();
    const teacher = await scene.open(iframeUrl, UNPLUGGED);
    const student = await scene.open((await join(roomId, 'student', 'STUDENT')).iframeUrl, UNPLUGGED);
    await speak((await sessionOf((await join(roomId, 'app', 'TEACHER')).token)).livekitToken);
    for (const page of [teacher, student]) {
      await shownAt(page, '.header-logo');
      for (const uid of ['teacher', 'app']) await shownAt(page, `.tile[data-uid=${uid}] img`);
      await page.panel('people');
      await shownAt(page, '[data-person=student] img');
      expect([...page.watch.hosts].sort()).toEqual(ours());
    }
    expect((await api.get(`/v1/room/${roomId}/participants/student`)).body.data).toMatchObject({ photoURL: photoOf('student') });
  });

  inLongForm(it)('are shown of a participant who connects to LiveKit without a session', async () => {
    const { roomId, iframeUrl } = await room();
    await speak((await join(roomId, 'app', 'TEACHER')).token);
    const teacher = await scene.open(iframeUrl, UNPLUGGED);
    await shownAt(teacher, '.tile[data-uid=app] img');
    expect([...teacher.watch.hosts].sort()).toEqual(ours());
  });

  inLongForm(it)("are shown in the lobby and in a frame of the school's page", async () => {
    const { iframeUrl } = await newRoom(api, { participant: person('teacher', 'TEACHER') });
    const lesson = await scene.open(`http://${school}/lesson?${encodeURIComponent(iframeUrl)}`, UNPLUGGED);
    const frame = () => lesson.page.frames().find((one) => one !== lesson.page.mainFrame()) ?? lesson.page.mainFrame();
    await eventually(async () => expect(await frame().locator('.lobby-logo').count()).toBe(1));
    await shownAt(lesson, '.lobby-logo', frame());
    await shownAt(lesson, '.preview img', frame());
  });

  it('are not loaded from there even by a script in the page', async () => {
    const { iframeUrl } = await room();
    const teacher = await scene.open(iframeUrl, UNPLUGGED);
    await teacher.reaches('connected');
    const outcome = await teacher.page.evaluate(`new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve('loaded');
      image.onerror = () => resolve('refused');
      image.src = '${photoOf('script')}';
    })`);
    expect(outcome).toBe('refused');
    teacher.watch.expect(/img-src|Content Security Policy/);
  });

  inLongForm(it)('are shown in the recording page, which loads no logo from elsewhere', async () => {
    const { roomId, sid } = await room();
    const session = await sessionOf((await join(roomId, 'app', 'TEACHER')).token);
    await speak(session.livekitToken);
    const { livekitApiKey = '', livekitApiSecret = '' } = scene.stack.secrets;
    const recorder = new AccessToken(livekitApiKey, livekitApiSecret, { identity: 'EG_pictures', ttl: 600 });
    recorder.addGrant({ room: sid, roomJoin: true, hidden: true, recorder: true, canSubscribe: true, canPublish: false });
    const query = { url: scene.stack.urls.livekitPublic, token: await recorder.toJwt(), layout: 'grid', title: 'Geometry' };
    const addressWith = (logo: string) => `${scene.stack.urls.gateway}/recording?${new URLSearchParams({ ...query, logo })}`;

    const page = await scene.open(addressWith(new URL(session.branding.logoUrl).pathname));
    await shownAt(page, '.recording-logo img');
    await shownAt(page, '.tile[data-uid=app] img');
    expect([...page.watch.hosts].sort()).toEqual(ours());
    await page.page.goto(addressWith(`http://${school}/forged.png`));
    await shownAt(page, '.tile[data-uid=app] img');
    expect(await page.count('.recording-logo')).toBe(0);
  });
});
