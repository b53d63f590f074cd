import { createHash } from 'node:crypto';
import type { ConsentChanges, RecordingConsent } from '@classroom/contracts';
import {
  adminApi,
  eventually,
  liveKitAdmin,
  newOrganization,
  newRoom,
  person,
  RtcParticipant,
  sharedStack,
  uidsOf,
  type ApiClient,
  type Query,
  type RunningStack,
} from '@classroom/testing';

const TEXT = 'May this class be recorded?\nThe film is kept for a week.';

/** Consent as backends and participants see it, with a real LiveKit and a real recorder. */
describe('consent to recordings', () => {
  let stack: RunningStack;
  let api: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    ({ api } = await newOrganization(stack));
  });

  afterAll(() => RtcParticipant.disposeAll());

  const recording = (without: RecordingConsent['without'], ask: RecordingConsent['ask'] = 'join') => ({
    ask,
    without,
    version: '1',
    text: TEXT,
  });
  const roomWith = (consent: ConsentChanges, of = api) => newRoom(of, { settings: { consent } });
  const connect = (token: string) => RtcParticipant.connect(stack.urls.livekitPublic, token);
  const joinToken = async (roomId: string, uid: string, role = 'MODERATOR', of = api): Promise<string> =>
    (await of.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) })).body.data.token;
  const inLiveKit = async (sid: string, uid: string) =>
    (await liveKitAdmin(stack).listParticipants(sid)).find(({ identity }) => identity === uid);
  const mayPublish = (sid: string, uid: string, expected: boolean) =>
    eventually(async () => expect((await inLiveKit(sid, uid))?.permission?.canPublish).toBe(expected));

  /** A participant with a join token, as a client uses it. */
  async function invite(roomId: string, uid: string, role?: string) {
    const token = await joinToken(roomId, uid, role);
    const own = api.bearer(token);
    return {
      token,
      open: async () => own.post('/v1/classroom/session'),
      session: async () => (await own.post('/v1/classroom/session')).body.data,
      answer: (granted: boolean, version = '1') => own.post('/v1/classroom/consent', { purpose: 'recording', version, granted }),
    };
  }

  it('comes before the media token, and a refusal gives none', async () => {
    const { roomId, sid, token } = await roomWith({ recording: recording('refuse') });
    const ada = await invite(roomId, 'ada');
    expect(await ada.session()).toMatchObject({
      livekitToken: '',
      consent: { purpose: 'recording', version: '1', text: TEXT, without: 'refuse', state: 'REQUIRED' },
    });
    await expect(connect(ada.token)).rejects.toThrow();
    expect(await ada.answer(true, '2')).toMatchObject({ status: 409, body: { error: 'CONSENT_NOT_ASKED' } });
    const inClass = api.bearer((await ada.session()).classroomToken);
    expect((await inClass.get('/v1/classroom/state')).status).toBe(200);
    expect((await ada.answer(false)).body).toMatchObject({ message: 'Consent refused', data: { state: 'REFUSED' } });
    expect(await ada.open()).toMatchObject({
      status: 403,
      body: {
        error: 'CONSENT_REQUIRED',
        details: [
          { path: 'version', message: '1' },
          { path: 'text', message: TEXT },
        ],
      },
    });
    for (const answer of [await inClass.get('/v1/classroom/state'), await inClass.post('/v1/classroom/chat', { text: 'Hello' })])
      expect(answer.status).toBe(401);
    expect((await ada.answer(true)).body.data.state).toBe('GRANTED');
    const { livekitToken, consent, permissions } = await ada.session();
    expect([consent?.state, permissions.publish]).toEqual(['GRANTED', true]);
    const rtc = await connect(livekitToken);
    await rtc.publishTone();
    // A withdrawal applies at once, also to a token from before it.
    await ada.answer(false);
    await eventually(() => expect(rtc.disconnected).toBe(true));
    const again = await connect(livekitToken);
    await eventually(() => expect(again.disconnected).toBe(true));
    await eventually(async () => expect(await inLiveKit(sid, 'ada')).toBeUndefined());
    // A role that may start a recording is not asked.
    const teacher = await api.bearer(token).post('/v1/classroom/session');
    expect(teacher.body.data.consent).toBeUndefined();
    await connect(teacher.body.data.livekitToken);
    expect(await api.bearer(token).post('/v1/classroom/consent', { purpose: 'recording', version: '1', granted: true })).toMatchObject({
      status: 409,
    });
  });

  it('that is refused mutes in LiveKit, whatever the client or a teacher does', async () => {
    const { roomId, sid, token } = await roomWith({ recording: recording('mute') });
    const [ada, pupil] = [await invite(roomId, 'ada'), await invite(roomId, 'pupil', 'STUDENT')];
    for (const { answer } of [ada, pupil]) await answer(false);
    const { livekitToken, permissions, consent } = await ada.session();
    expect([permissions.publish, permissions.shareScreen, consent?.isMuted]).toEqual([false, false, true]);
    const rtc = await connect(livekitToken);
    await expect(rtc.publish()).rejects.toThrow();
    await connect((await pupil.session()).livekitToken);
    const { classroomToken } = (await api.bearer(token).post('/v1/classroom/session')).body.data;
    expect((await api.bearer(classroomToken).post('/v1/classroom/participants/pupil/speak', { allowed: true })).status).toBe(200);
    await mayPublish(sid, 'pupil', false);
    await pupil.answer(true);
    await mayPublish(sid, 'pupil', true);
    await ada.answer(true);
    await mayPublish(sid, 'ada', true);
    await rtc.publishTone();
    await ada.answer(false);
    await eventually(async () => expect(await inLiveKit(sid, 'ada')).toMatchObject({ permission: { canPublish: false }, tracks: [] }));
  });

  it('that is refused leaves all rights and marks the participant for the recording page', async () => {
    const { roomId, sid } = await roomWith({ recording: recording('hide') });
    const ada = await invite(roomId, 'ada');
    await ada.answer(false);
    const rtc = await connect((await ada.session()).livekitToken);
    await rtc.publishTone();
    expect((await inLiveKit(sid, 'ada'))?.attributes).toMatchObject({ unrecorded: '1', role: 'MODERATOR' });
    await ada.answer(true);
    await eventually(async () => expect((await inLiveKit(sid, 'ada'))?.attributes).not.toHaveProperty('unrecorded'));
    await ada.answer(false);
    await eventually(async () => expect((await inLiveKit(sid, 'ada'))?.attributes).toMatchObject({ unrecorded: '1' }));
  });

  it('is asked for when a recording starts, and limits participants until it ends', async () => {
    const { roomId, sid, token } = await roomWith({ recording: recording('refuse', 'recording') });
    await connect(token);
    const [ada, bob] = [await invite(roomId, 'ada'), await invite(roomId, 'bob')];
    const first = await ada.session();
    expect([first.consent, first.permissions.publish]).toEqual([undefined, true]);
    const [adaRtc, bobRtc] = [await connect(first.livekitToken), await connect((await bob.session()).livekitToken)];
    await adaRtc.publishTone();
    // Not in a recording before the answer, not even in its first moments.
    expect((await inLiveKit(sid, 'ada'))?.attributes).toMatchObject({ unrecorded: '1' });
    await eventually(async () => expect((await api.get(`/v1/room/${roomId}/status`)).body.data.isActive).toBe(true));
    expect((await api.post(`/v1/room/${roomId}/recording/start`)).status).toBe(200);
    await eventually(async () => expect(await inLiveKit(sid, 'ada')).toMatchObject({ permission: { canPublish: false }, tracks: [] }));
    const during = await ada.session();
    expect(during.consent).toMatchObject({ state: 'REQUIRED', isMuted: true });
    expect(during.livekitToken).not.toBe('');
    await ada.answer(true);
    await mayPublish(sid, 'ada', true);
    await bob.answer(false);
    await eventually(() => expect(bobRtc.disconnected).toBe(true));
    expect((await bob.open()).status).toBe(403);
    const late = await invite(roomId, 'late');
    expect((await late.session()).consent).toMatchObject({ state: 'REQUIRED', isMuted: true });
    await connect((await late.session()).livekitToken);
    await mayPublish(sid, 'late', false);
    expect((await api.post(`/v1/room/${roomId}/recording/stop`)).status).toBe(200);
    await mayPublish(sid, 'late', true);
    expect((await bob.open()).status).toBe(200);
    expect((await late.session()).consent).toBeUndefined();
  });

  it('is what the organization has set, field by field, unless the room says otherwise', async () => {
    const school = await newOrganization(stack, { consent: { recording: recording('mute'), ai: false } });
    const path = `/v1/admin/organizations/${school.organizationId}` as const;
    expect((await adminApi(stack).get(path)).body.data.consent).toEqual({ recording: recording('mute'), ai: false });
    const settingsOf = async (settings: object = {}) => {
      const { roomId } = await newRoom(school.api, { settings });
      const details = await school.api.patch(`/v1/room/${roomId}`, { title: 'Changed' });
      return { roomId, consent: details.body.data.consent };
    };
    const { roomId, consent } = await settingsOf();
    expect(consent).toEqual({ recording: recording('mute'), ai: false });
    expect((await settingsOf({ consent: { ai: true } })).consent).toEqual({ recording: recording('mute'), ai: true });
    expect((await settingsOf({ consent: { recording: null } })).consent).toEqual({ recording: null, ai: false });
    expect((await adminApi(stack).patch(path, { consent: { recording: null } })).body.data.consent).toEqual({ recording: null, ai: false });
    await eventually(async () => expect((await settingsOf()).consent.recording).toBeNull());
    // A room keeps what it began with.
    expect((await school.api.patch(`/v1/room/${roomId}`, { title: 'Again' })).body.data.consent.recording).toEqual(recording('mute'));
    const longer = { ...recording('hide'), text: 'x'.repeat(2_001) };
    expect((await school.api.patch(`/v1/room/${roomId}`, { settings: { consent: { recording: longer } } })).status).toBe(400);
  });

  it('is asked for again when the text has another version', async () => {
    const { roomId, sid } = await roomWith({ recording: recording('mute') });
    const ada = await invite(roomId, 'ada');
    await ada.answer(true);
    await connect((await ada.session()).livekitToken);
    await mayPublish(sid, 'ada', true);
    const change = (consent: ConsentChanges) => api.patch(`/v1/room/${roomId}`, { settings: { consent } });
    expect((await change({ recording: { ...recording('mute'), version: '2' } })).status).toBe(200);
    await mayPublish(sid, 'ada', false);
    expect((await ada.session()).consent).toMatchObject({ version: '2', state: 'REQUIRED' });
    expect((await ada.answer(true)).status).toBe(409);
    await change({ recording: null });
    await mayPublish(sid, 'ada', true);
    expect((await ada.session()).consent).toBeUndefined();
  });

  it('is recorded answer by answer, for the school alone, in rows that the service cannot change', async () => {
    const { roomId, sid } = await roomWith({ recording: recording('hide') });
    const [grace, bob] = [await invite(roomId, 'grace'), await invite(roomId, 'bob', 'STUDENT')];
    await grace.answer(true);
    // The same answer again is no other one.
    await grace.answer(true);
    await bob.answer(false);
    await grace.answer(false);
    const page = async (query: Query = '') => (await api.get(`/v1/room/${roomId}/consents${query}`)).body.data;
    const textHash = createHash('sha256').update(TEXT).digest('hex');
    const { consents, nextCursor } = await page();
    expect(nextCursor).toBeNull();
    const common = { purpose: 'recording', version: '1', textHash, answeredAt: expect.stringMatching(/Z$/) };
    const all = [
      { uid: 'grace', granted: true, ...common },
      { uid: 'bob', granted: false, ...common },
      { uid: 'grace', granted: false, ...common },
    ];
    expect(consents).toEqual(all);
    const firstPage = await page('?limit=2');
    expect(firstPage.consents).toEqual(all.slice(0, 2));
    expect(await page(`?limit=2&cursor=${firstPage.nextCursor}`)).toEqual({ consents: all.slice(2), nextCursor: null });
    expect((await api.get(`/v1/room/${roomId}/consents?cursor=x`)).status).toBe(400);
    const { api: other } = await newOrganization(stack);
    expect(await other.get(`/v1/room/${roomId}/consents`)).toMatchObject({ status: 404, body: { error: 'ROOM_NOT_FOUND' } });
    for (const role of ['classroom_room', 'classroom_room_tenant'])
      expect(
        await stack.rows(
          `SELECT has_table_privilege($1, 'room.consents', 'UPDATE') AS update, has_table_privilege($1, 'room.consents', 'DELETE') AS delete`,
          [role],
        ),
      ).toEqual([{ update: false, delete: false }]);
    // An erasure leaves the answers, without the person.
    await api.delete(`/v1/room/${roomId}`);
    const { erasureId } = (await api.post('/v1/privacy/erasures', { uid: 'grace' })).body.data;
    const erasure = await eventually(async () => {
      const { data } = (await api.get(`/v1/privacy/erasures/${erasureId}`)).body;
      expect(data.status).toBe('COMPLETED');
      return data;
    });
    expect(erasure.receipt?.stores).toContainEqual({ service: 'room', store: 'consents', count: 2 });
    const left = (await page()).consents as { uid: string; granted: boolean }[];
    expect(left.map(({ granted }) => granted)).toEqual([true, false, false]);
    expect(left.map(({ uid }) => uid)).toEqual([expect.stringMatching(/^erased#/), 'bob', left[0]?.uid]);
    expect((await uidsOf(stack, sid)).find((uid) => uid.startsWith('erased#'))).toBe(left[0]?.uid);
  });
});

describe('the switch for AI', () => {
  let stack: RunningStack;

  beforeAll(async () => {
    stack = await sharedStack();
  });

  const DISABLED = { status: 403, body: { error: 'AI_DISABLED' } };
  const question = { text: 'What is a hypotenuse?' };

  async function pupilOf(api: ApiClient, roomId: string, uid: string, more: object = {}) {
    const { token } = (await api.post(`/v1/room/${roomId}/join`, { participant: { ...person(uid, 'STUDENT'), ...more } })).body.data;
    const { classroomToken, permissions } = (await api.bearer(token).post('/v1/classroom/session')).body.data;
    return { permissions, api: api.bearer(classroomToken) };
  }

  it('of an organization turns off the agent, and the tutor in its rooms', async () => {
    const { organizationId, value, api } = await newOrganization(stack, { consent: { ai: false } });
    const chat = { chatId: 'parent-1', message: 'Hello', responseModality: 'text' };
    expect(await api.post('/v1/ai-agent/chat', chat)).toMatchObject(DISABLED);
    expect(await api.post('/v1/ai-agent/chat/stream', chat)).toMatchObject(DISABLED);
    const { roomId } = await newRoom(api);
    const ask = { roomId, studentUid: 'ada', organizationId: value, ...question };
    expect(await api.post('/v1/ai-tutor/chat', ask)).toMatchObject(DISABLED);
    const ada = await pupilOf(api, roomId, 'ada');
    expect(ada.permissions.ai).toBe(false);
    expect(await ada.api.post('/v1/classroom/tutor/chat/stream', question)).toMatchObject(DISABLED);
    await adminApi(stack).patch(`/v1/admin/organizations/${organizationId}`, { consent: { ai: true } });
    await eventually(async () => expect((await api.post('/v1/ai-agent/chat', chat)).status).toBe(200));
  });

  it('of a room turns off its tutor and summaries, at once', async () => {
    const { value, api } = await newOrganization(stack);
    const { roomId } = await newRoom(api);
    const ada = await pupilOf(api, roomId, 'ada');
    expect((await ada.api.post('/v1/classroom/tutor/chat/stream', question)).status).toBe(200);
    expect((await api.patch(`/v1/room/${roomId}`, { settings: { consent: { ai: false } } })).body.data.consent.ai).toBe(false);
    expect(await ada.api.post('/v1/classroom/tutor/chat/stream', question)).toMatchObject(DISABLED);
    expect(await ada.api.get('/v1/classroom/tutor')).toMatchObject(DISABLED);
    // The AI service remembers a room for five seconds.
    await eventually(async () => expect(await api.get(`/v1/ai-tutor/summary/${roomId}`)).toMatchObject(DISABLED));
    const ask = { roomId, studentUid: 'ada', organizationId: value, ...question };
    await eventually(async () => expect(await api.post('/v1/ai-tutor/chat', ask)).toMatchObject(DISABLED));
    expect(await api.post('/v1/ai-tutor/chat/stream', ask)).toMatchObject(DISABLED);
  });

  it('of a participant concerns that participant alone', async () => {
    const { value, api } = await newOrganization(stack);
    const { roomId } = await newRoom(api);
    const [ada, bob] = [await pupilOf(api, roomId, 'ada', { ai: false }), await pupilOf(api, roomId, 'bob')];
    expect([ada.permissions.ai, bob.permissions.ai]).toEqual([false, true]);
    expect(await ada.api.post('/v1/classroom/tutor/chat/stream', question)).toMatchObject(DISABLED);
    expect((await bob.api.post('/v1/classroom/tutor/chat/stream', question)).status).toBe(200);
    const ask = (studentUid: string) => api.post('/v1/ai-tutor/chat', { roomId, studentUid, organizationId: value, ...question });
    expect(await ask('ada')).toMatchObject(DISABLED);
    expect((await ask('bob')).status).toBe(200);
    expect((await api.get(`/v1/ai-tutor/summary/${roomId}`)).status).toBe(200);
  });
});
