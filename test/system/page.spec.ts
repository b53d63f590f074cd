/** @lane real-time */
import { RoomServiceClient } from 'livekit-server-sdk';
import type { Browser } from 'playwright-core';
import { ApiClient, eventually, inLongForm, newOrganization, newRoom, person, type RunningStack, sharedStack } from '@classroom/testing';
import { CHROMIUM, ClassroomPage, launchBrowser } from './browser.js';

/** Time until both participants are back in class. */
const RECONNECT_MS = 20_000;

/** The page in real browsers: a teacher with camera and microphone, a student with neither. */
describe('the classroom page', () => {
  let stack: RunningStack;
  let api: ApiClient;
  let browser: Browser;
  /** The pages of one test. Those of the class that several tests use stay open. */
  const pages: ClassroomPage[] = [];
  let room: Awaited<ReturnType<typeof startClass>>;

  beforeAll(async () => {
    browser = await launchBrowser([], CHROMIUM);
    stack = await sharedStack();
    ({ api } = await newOrganization(stack));
    room = await startClass();
    pages.length = 0;
  });

  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.close()));
  });

  afterAll(async () => {
    await browser?.close();
  });

  const join = async (roomId: string, uid: string, role: string) =>
    (await api.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) })).body.data as { token: string; iframeUrl: string };
  const open = async (url: string, options?: { devices: boolean }) => {
    const page = await ClassroomPage.open(browser, url, options);
    pages.push(page);
    return page;
  };

  /** Opens a class with teacher and student, who each see two participants. */
  async function startClass() {
    const { roomId, sid, iframeUrl } = await newRoom(api, { title: 'Geometry' });
    const teacher = await open(iframeUrl, { devices: true });
    const student = await open((await join(roomId, 'student', 'STUDENT')).iframeUrl);
    await teacher.join();
    await student.join();
    await expectBothConnected(roomId, teacher, student, 10_000);
    return { roomId, sid, iframeUrl, teacher, student };
  }

  async function expectBothConnected(roomId: string, teacher: ClassroomPage, student: ClassroomPage, timeoutMs: number) {
    await eventually(async () => {
      expect([await teacher.state(), await student.state()]).toEqual(['connected', 'connected']);
      expect([await teacher.participants(), await student.participants()]).toEqual(['2', '2']);
      expect((await api.get(`/v1/room/${roomId}/status`)).body.data).toMatchObject({
        isActive: true,
        participantCount: 2,
        hasTeacher: true,
      });
    }, timeoutMs);
  }

  it('lets a student see and hear the teacher without ever requesting a device', async () => {
    const { roomId, teacher, student } = room;
    await student.receivesMedia('teacher');
    await teacher.press('people');
    await eventually(async () => expect(await teacher.text()).toContain('Name of student'));
    await eventually(async () => expect(await student.text()).toMatch(/Geometry[\s\S]*2 people/));
    expect(await student.deviceRequests()).toBe(0);
    expect(await teacher.deviceRequests()).toBeGreaterThan(0);

    // A participant does not see controls that their role can't use.
    await eventually(async () =>
      expect(await student.controls()).toEqual(['hand', 'reactions', 'layout', 'more', 'people', 'chat', 'polls', 'tutor', 'leave']),
    );
    await student.press('leave');
    await student.reaches('idle');
    await eventually(async () => {
      await eventually(async () => expect(await teacher.participants()).toBe('1'));
      expect((await api.get(`/v1/room/${roomId}/status`)).body.data).toMatchObject({ participantCount: 1 });
    });
    await student.press('again');
    await student.join();
    await student.receivesMedia('teacher');
    expect(await student.deviceRequests()).toBe(0);

    // Navigating to another page leaves the class immediately.
    const link = student.page.url();
    await student.page.goto('about:blank');
    await eventually(async () => expect(await teacher.participants()).toBe('1'));
    await student.page.goto(link);
    await student.join();
  });

  it('continues after LiveKit closed the room: only we end a class', async () => {
    const { roomId, sid, teacher, student } = room;
    const { livekitApiKey, livekitApiSecret } = stack.secrets;
    await new RoomServiceClient(stack.urls.livekit, livekitApiKey, livekitApiSecret).deleteRoom(sid);
    await Promise.all([teacher.passes('reconnecting'), student.passes('reconnecting')]);
    await expectBothConnected(roomId, teacher, student, RECONNECT_MS);
    await student.receivesMedia('teacher');
  });

  inLongForm(it)('ends when the same participant opens a newer page, and can be resumed', async () => {
    const { iframeUrl, teacher } = room;
    const newer = await open(iframeUrl, { devices: true });
    await newer.join();
    await teacher.reaches('error');
    await eventually(async () => expect(await teacher.text()).toContain('You joined from another place'));
    await teacher.press('again');
    await teacher.join();
    await newer.reaches('error');
  });

  it('shows a removed student the removal, and a reload does not readmit the student', async () => {
    const { roomId, student } = room;
    const moderator = await join(roomId, 'moderator', 'MODERATOR');
    const session = await api.bearer(moderator.token).post('/v1/classroom/session');
    const removed = await api.bearer(session.body.data.classroomToken).post('/v1/classroom/participants/student/remove');
    expect(removed.status).toBe(200);
    await student.reaches('kicked');
    await eventually(async () => expect(await student.text()).toContain('You were removed from the class'));
    await student.page.reload();
    await student.reaches('error');
  });

  inLongForm(it)('ends permanently for every participant when the teacher ends the class, also in the lobby', async () => {
    const { roomId, teacher } = room;
    const student = await open((await join(roomId, 'another', 'STUDENT')).iframeUrl);
    await student.join();
    const waiting = await open((await join(roomId, 'waiting', 'STUDENT')).iframeUrl);
    await waiting.reaches('idle');
    await teacher.press('leave-menu');
    await teacher.press('end');
    await eventually(async () => expect(await teacher.text()).toMatch(/1 other person|One other person/));
    await teacher.press('confirm-end');
    await Promise.all([teacher.reaches('ended'), student.reaches('ended'), waiting.reaches('ended')]);
    expect((await api.get(`/v1/room/${roomId}/status`)).body.data).toMatchObject({ isActive: false, participantCount: 0 });
    for (const page of [teacher, student, waiting]) {
      // The address no longer contains a credential. A reload gets it from the tab's storage.
      expect(page.page.url()).not.toContain('token');
      await page.page.reload();
      await page.reaches('ended');
      await eventually(async () => expect(await page.text()).toContain('This class has ended'));
    }
  });

  inLongForm(it)('admits a teacher without camera and microphone permissions, and no participant beyond the limit', async () => {
    const { roomId, iframeUrl } = await newRoom(api, { settings: { maxParticipants: 1 } });
    // Created first: a full room gives out no link.
    const student = await join(roomId, 'student', 'STUDENT');
    const teacher = await open(iframeUrl);
    await teacher.join();
    await eventually(async () => expect(await teacher.text()).toContain('Your microphone and camera can’t be used'));
    await eventually(async () => expect(await teacher.controls()).toEqual(expect.arrayContaining(['microphone', 'camera', 'leave-menu'])));
    await eventually(async () => {
      expect((await api.get(`/v1/room/${roomId}/status`)).body.data).toMatchObject({ participantCount: 1 });
    });
    const late = await open(student.iframeUrl);
    await late.reaches('error');
    await eventually(async () => expect(await late.text()).toContain('This class is full'));
  });

  it('explains that a link is damaged, incomplete or leads nowhere', async () => {
    const { iframeUrl } = await newRoom(api);
    const [address] = iframeUrl.split('#');
    const damaged = await open(`${address}#token=not.a.token`);
    await damaged.reaches('error');
    await eventually(async () => expect(await damaged.text()).toContain('This link does not open a class'));
    const bare = await open(address ?? '');
    await bare.reaches('error');
    await eventually(async () => expect(await bare.text()).toContain('This link is not complete'));
    const invalid = await open(`${stack.urls.gateway}/r/RM_aaaaaaaaaaaaaaaa#token=not.a.token`);
    await invalid.reaches('error');
  });

  it('may be framed only by the organization’s verified domains', async () => {
    const policyOf = async (client: ApiClient) => {
      const { iframeUrl } = await newRoom(client);
      return (await fetch(iframeUrl)).headers.get('content-security-policy') ?? '';
    };
    const { api: verified } = await newOrganization(stack, { verifiedDomains: ['school.example', 'lms.school.example'] });
    expect(await policyOf(verified)).toMatch(/(^|; )frame-ancestors school\.example lms\.school\.example($|;)/);
    expect(await policyOf(api)).toMatch(/(^|; )frame-ancestors 'self'($|;)/);
  });
});
