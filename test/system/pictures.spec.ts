import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';
import { AccessToken } from 'livekit-server-sdk';
import { adminApi, ApiClient, eventually, inLongForm, newOrganization, newRoom, present, RtcParticipant } from '@classroom/testing';
import type { ClassroomPage } from './browser.js';
import { ClassScene } from './class-scene.js';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const UNPLUGGED = { isUnplugged: true };

function chunk(name: string, content: Buffer): Buffer {
  const [length, body, checksum] = [Buffer.alloc(4), Buffer.concat([Buffer.from(name), content]), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
/** A part of the PNG that says where it was taken. */
const TELLING = Buffer.concat([PNG.subarray(0, 33), chunk('tEXt', Buffer.from('Comment\0Lakeside, by Ada')), PNG.subarray(33)]);
const SIDE = 900;
/** Noise in one color channel, larger than a message between services. */
const LARGE = Buffer.concat([
  PNG.subarray(0, 8),
  chunk('IHDR', Buffer.from([0, 0, SIDE >> 8, SIDE & 255, 0, 0, SIDE >> 8, SIDE & 255, 8, 0, 0, 0, 0])),
  chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: SIDE }, () => Buffer.concat([Buffer.alloc(1), randomBytes(SIDE)]))))),
  chunk('IEND', Buffer.alloc(0)),
]);

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

  describe('or uploaded as its logo', () => {
    const load = async (url: string) => {
      const answer = await fetch(url);
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: Buffer.from(await answer.arrayBuffer()) };
    };

    async function newSchool() {
      const { api: own, organizationId } = await newOrganization(scene.stack);
      const path = `/v1/admin/organizations/${organizationId}` as const;
      const as = async (role: string) => {
        const { token } = (await adminApi(scene.stack).post(`${path}/dashboard-tokens`, { subject: role, role })).body.data;
        return new ApiClient(scene.stack.urls.gateway).bearer(token);
      };
      const upload = (by: ApiClient, logo: Buffer) => by.put('/v1/dashboard/branding/logo', { logo: logo.toString('base64') });
      const stored = async () => {
        const text = 'SELECT sha256 FROM organization.organization_logos WHERE organization_id = $1';
        return (await scene.stack.rows<{ sha256: string }>(text, [organizationId])).map(({ sha256 }) => `upload:${sha256}`);
      };
      return { own, path, head: await as('OWNER'), member: await as('MEMBER'), upload, stored };
    }
    const nameOf = (logo: Buffer) => `upload:${createHash('sha256').update(logo).digest('hex')}`;

    it('are shown in class from the gateway, without what they tell, until they are replaced or deleted', async () => {
      const { own, path, head, upload, stored } = await newSchool();
      const first = (await upload(head, TELLING)).body.data;
      expect([first.logoUrl, await stored()]).toEqual([nameOf(PNG), [nameOf(PNG)]]);
      const { iframeUrl } = await newRoom(own, { customization: { showLobby: false } });
      const page = await scene.open(iframeUrl, UNPLUGGED);
      expect(await shownAt(page, '.header-logo')).toBe(new URL(present(first.servedLogoUrl)).pathname);
      expect(ours()).toEqual(expect.arrayContaining([...page.watch.hosts]));
      const { status, headers, body } = await load(present(first.servedLogoUrl));
      expect([status, body]).toEqual([200, PNG]);
      expect(headers).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': `default-src 'none'; sandbox`,
        'x-content-type-options': 'nosniff',
      });

      // In two parts, and by an operator.
      const second = await adminApi(scene.stack).put(`${path}/logo`, { logo: LARGE.toString('base64') });
      expect([second.body.data.logoUrl, await stored()]).toEqual([nameOf(LARGE), [nameOf(LARGE), nameOf(LARGE)]]);
      const { logoUrl, servedLogoUrl } = (await head.get('/v1/dashboard/profile')).body.data.branding;
      expect([logoUrl, (await load(present(servedLogoUrl))).body]).toEqual([nameOf(LARGE), LARGE]);
      // A client that sends all fields back, with what they were once, keeps the logo.
      const kept = await head.patch('/v1/dashboard/branding', { ...first, servedLogoUrl: undefined, accentColor: '#336699' });
      expect(kept.body.data).toMatchObject({ logoUrl, accentColor: '#336699' });

      const address = `http://${school}/logo.png`;
      const addressed = (await head.patch('/v1/dashboard/branding', { logoUrl: address })).body.data;
      expect([addressed.logoUrl, await stored()]).toEqual([address, []]);
      expect((await upload(head, LARGE)).body.data.logoUrl).toBe(nameOf(LARGE));
      const none = (await head.delete('/v1/dashboard/branding/logo')).body.data;
      expect([none.logoUrl, none.servedLogoUrl, await stored()]).toEqual([null, null, []]);
    });

    it('are taken from owners and operators alone, and refused by the name of the field', async () => {
      const { own, path, head, member, upload, stored } = await newSchool();
      expect((await upload(member, PNG)).body.error).toBe('FORBIDDEN');
      expect((await upload(own, PNG)).status).toBe(401);
      expect((await own.put(`${path}/logo`, { logo: PNG.toString('base64') })).status).toBe(401);
      const refusals = [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), TELLING.subarray(0, -1), Buffer.alloc(1024 ** 2 + 1)];
      const answers = await Promise.all(refusals.map((logo) => upload(head, logo)));
      expect(answers.map(({ status, body }) => [status, body.details[0]?.path])).toEqual([
        [400, 'logo'],
        [400, 'logo'],
        [413, 'logo'],
      ]);
      expect((await head.put('/v1/dashboard/branding/logo', {})).body.details).toEqual([{ path: 'logo', message: 'is required' }]);
      expect(await stored()).toEqual([]);
    });
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

    const page = await scene.open(addressWith(new URL(present(session.branding.logoUrl)).pathname));
    await shownAt(page, '.recording-logo img');
    await shownAt(page, '.tile[data-uid=app] img');
    expect([...page.watch.hosts].sort()).toEqual(ours());
    await page.page.goto(addressWith(`http://${school}/forged.png`));
    await shownAt(page, '.tile[data-uid=app] img');
    expect(await page.count('.recording-logo')).toBe(0);
  });
});
