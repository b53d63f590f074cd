import { randomBytes } from 'node:crypto';
import {
  AppError,
  billingRpc,
  classroomRpc,
  engagementRpc,
  explainEntry,
  getAttendance,
  getBalance,
  getDashboardProfile,
  getParticipantSessions,
  getStatementPdf,
  interactionRpc,
  listEngagement,
  listRoomPolls,
  listDomains,
  listStatements,
  openClassroomSession,
  pauseRecording,
  resumeRecording,
  roomRpc,
  startRecording,
  stopRecording,
  tutorRpc,
  updateDashboardBranding,
  updateOrganization,
  type EndpointContract,
  type RpcOutput,
} from '@classroom/contracts';
import { sealPicture } from '@classroom/platform';
import { dataOf, documented, GatewayFixture, SCHOOL, valueOf } from './support/gateway-fixture.js';

const ROOM = 'geometry-7b';
const SID = 'RM_4tGh7Jk9Lm2Np5Qr';
const OWN_ORIGIN = 'https://classroom.example';
const { organizationId } = SCHOOL;

/** The endpoints that need more than one RPC, none, or something else than JSON. */
describe('the gateway', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await GatewayFixture.start({
      env: { gateway: { TRUSTED_PROXIES: '127.0.0.1', CLASSROOM_URL: OWN_ORIGIN, MEDIA_URL: 'https://media.example' } },
    });
  });
  beforeEach(() => gateway.reset());
  afterAll(() => gateway?.stop());

  const pathOf = (endpoint: EndpointContract | undefined, params: Record<string, string> = { roomId: ROOM, organizationId }) =>
    endpoint?.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '') ?? '';
  const fails = (code: AppError['code']) => () => {
    throw new AppError(code);
  };
  /** The owner does not know this organization. */
  const GONE = 'org_gone';

  describe('reports attendance', () => {
    type Page = RpcOutput<typeof billingRpc.attendance>;
    const { participants, evaluation, neverJoined, ...report } = dataOf<Page>(getAttendance);
    const participant = (uid: string, second: number) =>
      ({ ...participants[0], uid, firstJoinedAt: `2026-01-15T09:00:0${second}.000Z` }) as Page['participants'][number];

    it('of all pages in the order of the first join', async () => {
      const pages = [[participant('c', 3), participant('a', 1)], [participant('b2', 2), participant('b1', 2)], [participant('d', 0)]];
      const inputs = gateway.answer(billingRpc.attendance, ({ cursor = '0' }) => {
        const next = Number(cursor) + 1;
        return { ...report, totalParticipants: 1, participants: pages[Number(cursor)] ?? [], nextCursor: next < 3 ? String(next) : null };
      });
      const { status, body } = await gateway.backend.get(pathOf(getAttendance));
      expect(status).toBe(200);
      const { participants: sorted, ...rest } = body.data as Page;
      expect(sorted.map(({ uid }) => uid)).toEqual(['d', 'a', 'b2', 'b1', 'c']);
      expect(rest).toEqual({ ...report, totalParticipants: 5 });
      const room = { organizationId, roomId: ROOM };
      expect(inputs).toEqual([room, { ...room, cursor: '1' }, { ...room, cursor: '2' }]);
    });

    it('as JSON, documented, if that is requested by name', async () => {
      gateway.answer(billingRpc.attendance, () => ({ ...report, participants, evaluation, neverJoined, nextCursor: null }));
      const { body } = await gateway.backend.get(`${pathOf(getAttendance)}?export=json`);
      expect(body).toEqual(documented['getAttendance']);
    });

    it('evaluated, with the numbers of all pages', async () => {
      const of = (uid: string, status: 'PRESENT' | 'LATE') => ({
        ...participant(uid, 1),
        evaluation: { status, secondsLate: 0, secondsLeftEarly: 0, percentOfLesson: 100, isOnRoster: true },
      });
      const counts = { present: 0, late: 0, leftEarly: 0, absent: 0 };
      const policy = { lateAfter: 300, leftBefore: 300, minimumPresence: 50, reconnectGrace: 60 };
      const lesson = { policy, lessonStart: '2026-01-15T09:00:00.000Z', lessonEnd: '2026-01-15T10:00:00.000Z' };
      const missing = { uid: 'c', name: null };
      gateway.answer(billingRpc.attendance, ({ cursor }) =>
        cursor
          ? { ...report, participants: [], evaluation: { ...lesson, counts }, neverJoined: [missing], nextCursor: null }
          : {
              ...report,
              participants: [of('a', 'PRESENT'), of('b', 'LATE')],
              evaluation: { ...lesson, counts },
              neverJoined: [],
              nextCursor: '2',
            },
      );
      const { body } = await gateway.backend.get(pathOf(getAttendance));
      expect(body.data).toMatchObject({
        totalParticipants: 2,
        evaluation: { ...lesson, counts: { ...counts, present: 1, late: 1, absent: 1 } },
        neverJoined: [missing],
      });
    });

    it('with the error of any page', async () => {
      const nextCursor = 'second';
      gateway.answer(billingRpc.attendance, ({ cursor }) => {
        if (cursor) throw new AppError('ROOM_NOT_FOUND');
        return { ...report, participants, nextCursor };
      });
      const { status, body } = await gateway.backend.get(pathOf(getAttendance));
      expect([status, body.error]).toEqual([404, 'ROOM_NOT_FOUND']);
    });
  });

  describe('reports engagement', () => {
    type Page = RpcOutput<typeof engagementRpc.page>;
    const { participants } = dataOf<{ participants: Page['participants'] }>(listEngagement);
    const page = {
      sid: SID,
      participants: ['ada', 'bob'].map((uid) => ({ ...participants[0], uid })) as Page['participants'],
      nextCursor: 'next',
    };
    const questionsOf = async () => {
      const { body } = await gateway.backend.get(`${pathOf(listEngagement) as '/v1/room/x/engagement'}?limit=2&cursor=x`);
      return [body.data.nextCursor, ...body.data.participants.map(({ tutorQuestions }) => tutorQuestions)];
    };

    it('with the questions that the AI service knows', async () => {
      const pages = gateway.answer(engagementRpc.page, () => page);
      const inputs = gateway.answer(tutorRpc.countQuestions, () => ({ students: [{ uid: 'bob', questions: 3 }] }));
      expect(await questionsOf()).toEqual(['next', 0, 3]);
      expect(pages).toEqual([{ organizationId, roomId: ROOM, limit: 2, cursor: 'x' }]);
      expect(inputs).toEqual([{ organizationId, sid: SID, uids: ['ada', 'bob'] }]);
    });

    it('without them, if the AI service fails or is not there', async () => {
      gateway.answer(engagementRpc.page, () => page);
      expect(await questionsOf()).toEqual(['next', null, null]);
      gateway.answer(tutorRpc.countQuestions, fails('SERVICE_UNAVAILABLE'));
      expect(await questionsOf()).toEqual(['next', null, null]);
    });
  });

  describe('reports sessions', () => {
    const { path } = getParticipantSessions;

    it('as JSON', async () => {
      const inputs = gateway.answer(billingRpc.sessions, () => dataOf(getParticipantSessions));
      const { status, body } = await gateway.backend.post(path, {
        uid: 'ada',
        startDate: '2026-01-15T23:30:00-02:00',
        organizationId: 'org_b',
      });
      const warnings = [{ path: 'organizationId', message: 'is unknown and was ignored' }];
      expect([status, body]).toEqual([200, { ...documented['getParticipantSessions'], warnings }]);
      expect(inputs).toMatchObject([{ organizationId, uid: 'ada', startDate: '2026-01-16', page: 1, limit: 10 }]);
    });

    it('to an organization that has a billing plan, according to its owner', async () => {
      const inputs = gateway.answer(billingRpc.sessions, () => dataOf(getParticipantSessions));
      const school = gateway.organization({ billing: null });
      const ask = async () => {
        const { status, body } = await gateway.backendOf(school).post(path, { uid: 'ada' });
        return [status, body.error];
      };
      expect(await ask()).toEqual([422, 'ORGANIZATION_SETUP_INCOMPLETE']);
      expect(inputs).toEqual([]);
      gateway.change({ ...school, billing: SCHOOL.billing });
      expect(await ask()).toEqual([200, undefined]);
    });
  });

  it('lists polls that one message cannot hold, without what the contract does not know', async () => {
    const [poll] = dataOf<Record<string, unknown>[]>(listRoomPolls);
    const vote = { uid: 'ada', name: '課'.repeat(256), option: 0, votedAt: '2026-01-15T09:00:00.000Z' };
    const polls = [
      { ...poll, votes: Array.from({ length: 2_000 }, () => vote) },
      { ...poll, votes: [] },
    ];
    const inputs = gateway.stream(interactionRpc.exportPolls, async function* () {
      yield '[';
      yield polls.map((one) => JSON.stringify({ ...one, version: 7 })).join(',');
      yield ']';
    });
    const { body } = await gateway.backend.get(pathOf(listRoomPolls));
    expect(body).toEqual({ success: true, message: 'Polls', data: polls });
    expect(inputs).toEqual([{ organizationId, roomId: ROOM, inbox: expect.any(String) as unknown }]);
    gateway.answer(interactionRpc.exportPolls, fails('ROOM_NOT_FOUND'));
    expect((await gateway.backend.get(pathOf(listRoomPolls))).status).toBe(404);
  });

  function explanationOf(kind: 'CHARGE' | 'AI_USAGE') {
    const [entry] = dataOf<{ entries: RpcOutput<typeof billingRpc.explain>['entry'][] }>({ operationId: 'listLedger' }).entries;
    if (!entry) throw new Error('no entry is documented');
    return { entry: { ...entry, kind }, totalSeconds: 60, totalCredits: 1, chargedBefore: 0, isConsistent: true, sessions: [] };
  }

  it('explains a charge with the sessions of all pages', async () => {
    const { entry, sessions: _, ...rest } = explanationOf('CHARGE');
    const explanation = { entry, ...rest };
    const session = (uid: string) => ({
      connectionSid: 'PA_1',
      uid,
      joinedAt: entry.recordedAt,
      leftAt: null,
      seconds: 1,
      openedBy: 'webhook',
      closedBy: null,
    });
    const inputs = gateway.answer(billingRpc.explain, ({ cursor }) =>
      cursor
        ? { ...explanation, sessions: [session('ben')], nextCursor: null }
        : { ...explanation, sessions: [session('ada')], nextCursor: 'b' },
    );
    const path = pathOf(explainEntry.forOperators, { organizationId, entryId: entry.entryId });
    const { body } = await gateway.operator.get(path);
    expect(body).toEqual({ success: true, data: { ...explanation, sessions: [session('ada'), session('ben')] } });
    const page = { organizationId, entryId: entry.entryId };
    expect(inputs).toEqual([page, { ...page, cursor: 'b' }]);
    const own = pathOf(explainEntry, { entryId: entry.entryId });
    expect((await gateway.backend.get(own)).body).toEqual(body);
    expect(inputs.slice(2)).toEqual([page, { ...page, cursor: 'b' }]);
    gateway.answer(billingRpc.explain, fails('NOT_FOUND'));
    expect((await gateway.operator.get(path)).status).toBe(404);
  });

  it('explains AI usage of all pages', async () => {
    const { entry, ...explanation } = explanationOf('AI_USAGE');
    const usage = (usageId: string) => ({
      usageId,
      kind: 'tutor',
      roomId: null,
      inputTokens: 1,
      outputTokens: 2,
      credits: 0.5,
      usedAt: entry.recordedAt,
    });
    gateway.answer(billingRpc.explain, ({ cursor }) =>
      cursor
        ? { ...explanation, entry, aiUsage: [usage('b')], nextCursor: null }
        : { ...explanation, entry, aiUsage: [usage('a')], nextCursor: 'b' },
    );
    const { body } = await gateway.backend.get(pathOf(explainEntry, { entryId: entry.entryId }));
    expect(body.data).toEqual({ ...explanation, entry, aiUsage: [usage('a'), usage('b')] });
  });

  it('answers a statement as a PDF file that one message cannot hold', async () => {
    const statementId = '0b9f2c1e-6d1a-4f0e-9c57-2a8d4e6b1f30';
    const file = Buffer.concat([Buffer.from('%PDF-'), randomBytes(2 * 1024 ** 2)]);
    const inputs = gateway.stream(
      billingRpc.exportStatement,
      async function* () {
        yield file.toString('base64');
      },
      { cycleStart: '2026-11-01T00:00:00.000Z' },
    );
    const path = pathOf(getStatementPdf, { statementId });
    const answer = await fetch(`${gateway.stack.urls.gateway}${path}?language=de`, { headers: { 'vf-org-id': valueOf(organizationId) } });
    const headers = ['content-type', 'content-disposition', 'content-length'].map((name) => answer.headers.get(name));
    expect([answer.status, ...headers]).toEqual([
      200,
      'application/pdf',
      'attachment; filename="statement-2026-11-01.pdf"',
      String(file.length),
    ]);
    expect(file.equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
    expect((await gateway.backend.get(`${path}?language=fr`)).status).toBe(400);
    const forOperators = pathOf(getStatementPdf.forOperators, { organizationId, statementId });
    expect((await gateway.operator.get(forOperators)).text.slice(0, 5)).toBe('%PDF-');
    const query = { organizationId, statementId, name: SCHOOL.name, inbox: expect.any(String) as unknown };
    expect(inputs).toEqual(['de', 'en'].map((language) => ({ ...query, language })));
    const unknown = pathOf(getStatementPdf.forOperators, { organizationId: 'org_unknown', statementId });
    expect((await gateway.operator.get(unknown)).body.error).toBe('ORGANIZATION_NOT_FOUND');
    gateway.answer(billingRpc.exportStatement, fails('NOT_FOUND'));
    for (const refused of [gateway.backend.get(path), gateway.operator.get(forOperators)])
      expect((await refused).body.error).toBe('NOT_FOUND');
  });

  describe('serves a dashboard', () => {
    const branding = { logoUrl: null, primaryColor: '#1a73e8', accentColor: '#f9a825' };

    it('from what is known about its organization', async () => {
      const school = gateway.organization({ branding, verifiedDomains: ['a.example'] });
      const api = await gateway.dashboard('MEMBER', school);
      const domain = { domain: 'a.example', status: 'VERIFIED' as const, record: null, lookup: null, checkedAt: null, missingSince: null };
      gateway.answer(listDomains, () => ({ domains: [domain] }));
      const answers = await Promise.all([getDashboardProfile, listDomains].map(({ path }) => api.get(path)));
      const { name, billing, createdAt, retention } = SCHOOL;
      const shown = { ...branding, servedLogoUrl: null };
      expect(answers.map(({ body }) => body)).toEqual([
        {
          success: true,
          data: { name, billing, createdAt, branding: shown, retention, subject: 'head@lakeside.example', role: 'MEMBER' },
        },
        { success: true, message: 'Domains', data: { domains: [domain] } },
      ]);
      for (const { text } of answers) expect(text).not.toContain(school.organizationId);
    });

    it('whose owner, but no member, may change the branding', async () => {
      const inputs = gateway.answer(updateOrganization, () => ({ ...SCHOOL, branding }));
      const change = { accentColor: '#f9a825' };
      const [owner, member] = await Promise.all([gateway.dashboard('OWNER'), gateway.dashboard('MEMBER')]);
      const refused = await member.patch(updateDashboardBranding.path, change);
      expect([refused.status, refused.body.error, inputs]).toEqual([403, 'FORBIDDEN', []]);
      const { body } = await owner.patch(updateDashboardBranding.path, change);
      expect([body, inputs]).toEqual([
        { success: true, message: 'Branding changed', data: { ...branding, servedLogoUrl: null } },
        [{ organizationId, changes: { branding: change } }],
      ]);
    });

    it('with balance and statements, as a backend reads them', async () => {
      const answers = [getBalance, listStatements].map((operation) => gateway.answer(operation, () => dataOf(operation)));
      const api = await gateway.dashboard();
      for (const { path, operationId } of [getBalance, listStatements]) expect((await api.get(path)).body).toEqual(documented[operationId]);
      expect(answers).toEqual([[{ organizationId }], [{ organizationId }]]);
    });

    it('with a token of the requested lifetime, for an organization that exists', async () => {
      const pathIn = (organizationId: string) => `/v1/admin/organizations/${organizationId}/dashboard-tokens` as const;
      expect((await gateway.operator.post(pathIn('org_x'), { subject: 'a', role: 'OWNER' })).body.error).toBe('ORGANIZATION_NOT_FOUND');
      const school = gateway.organization();
      const { body } = await gateway.operator.post(pathIn(school.organizationId), {
        subject: 'a',
        role: 'OWNER',
        ttlSeconds: 90,
      });
      const payload = JSON.parse(Buffer.from((body.data.token as string).split('.')[1] ?? '', 'base64url').toString());
      expect([body.message, payload.exp - payload.iat, body.data.expiresAt]).toEqual([
        'Dashboard token created',
        90,
        new Date(payload.exp * 1000).toISOString(),
      ]);
      expect((await gateway.anonymous.bearer(body.data.token).get(getDashboardProfile.path)).status).toBe(200);
    });
  });

  describe('opens a class session', () => {
    const { branding, verifiedDomains, ...session } = dataOf<
      RpcOutput<typeof classroomRpc.openSession> & Pick<typeof SCHOOL, 'branding' | 'verifiedDomains'>
    >(openClassroomSession);

    it.each([
      ['203.0.113.7', '203.0.113.7'],
      ['::ffff:203.0.113.7', '203.0.113.7'],
      ['somewhere', undefined],
      ['', '127.0.0.1'],
    ])('for a client at %j', async (forwarded, clientAddress) => {
      const school = gateway.organization({ branding, verifiedDomains });
      const { api, caller } = gateway.participant({ organizationId: school.organizationId, sessionNumber: null });
      const authenticated = gateway.answer(classroomRpc.authenticate, () => caller);
      const inputs = gateway.answer(classroomRpc.openSession, () => session);
      const { body } = await api.post(openClassroomSession.path, undefined, forwarded ? { 'x-forwarded-for': forwarded } : {});
      expect(body).toEqual(documented['openClassroomSession']);
      expect(inputs).toEqual([clientAddress ? { caller, clientAddress } : { caller }]);
      expect(authenticated).toMatchObject([{ accept: 'participant' }]);
    });

    it('with pictures that the gateway serves, whatever their address', async () => {
      const [photoURL, logoUrl] = ['https://lakeside.example/ada.jpg', 'http://cdn.example/logo.png'];
      const school = gateway.organization({ branding: { ...branding, logoUrl } });
      const { api } = gateway.participant({ organizationId: school.organizationId });
      gateway.answer(classroomRpc.openSession, () => ({ ...session, participant: { ...session.participant, photoURL } }));
      const { body, text } = await api.post(openClassroomSession.path);
      const secret = gateway.stack.secrets['livekitApiSecret'] ?? '';
      const served = (address: string) => OWN_ORIGIN + sealPicture(secret, school.organizationId, address);
      expect(body.data).toMatchObject({ participant: { photoURL: served(photoURL) }, branding: { logoUrl: served(logoUrl) } });
      for (const address of [photoURL, logoUrl]) expect(text).not.toContain(address);
    });

    it('unless the organization does not exist', async () => {
      gateway.answer(classroomRpc.openSession, () => session);
      const { status, body } = await gateway.participant({ organizationId: GONE }).api.post(openClassroomSession.path);
      expect([status, body.error]).toEqual([401, 'UNAUTHORIZED']);
    });
  });

  describe('records a class', () => {
    const options = { showLogo: false, layout: 'speaker', preset: 'H264_720P_30', audioOnly: true };
    const room = { organizationId, roomId: ROOM };

    it('with the organization’s logo, if the caller may', async () => {
      const { api, caller } = gateway.participant();
      const logoUrl = 'https://lakeside.example/logo.png';
      const school = gateway.organization({ branding: { ...SCHOOL.branding, logoUrl } });
      const rooms = [room, { ...room, organizationId: school.organizationId }];
      const asked: object[] = gateway.answer(classroomRpc.authorize, () => ({
        ...(rooms[asked.length - 1] ?? room),
        mayUseAi: true,
        name: 'Ada',
      }));
      const started = gateway.answer(startRecording, () => dataOf(startRecording));
      const { body } = await api.post(pathOf(startRecording.inClass), { options });
      expect(body).toEqual(documented['startRecordingInClass']);
      await api.post(pathOf(startRecording.inClass));
      expect(asked).toEqual([1, 2].map(() => ({ caller, permission: 'startRecording' })));
      const byDefault = { showLogo: true, layout: 'grid', preset: 'H264_1080P_30', audioOnly: false };
      expect(started).toEqual([
        { ...room, options, logoUrl: null },
        { ...rooms[1], options: byDefault, logoUrl },
      ]);
    });

    it('until the caller, who may, stops it', async () => {
      const { api, caller } = gateway.participant();
      const asked = gateway.answer(classroomRpc.authorize, () => ({ ...room, mayUseAi: true, name: 'Ada' }));
      const stopped = gateway.answer(stopRecording, () => dataOf(stopRecording));
      const { body } = await api.post(pathOf(stopRecording.inClass), { egressId: 'EG_1' });
      expect(body).toEqual(documented['stopRecordingInClass']);
      expect([asked, stopped]).toEqual([[{ caller, permission: 'stopRecording' }], [{ ...room, egressId: 'EG_1' }]]);
    });

    it('with pauses, if the caller may', async () => {
      const { api, caller } = gateway.participant();
      const asked = gateway.answer(classroomRpc.authorize, () => ({ ...room, mayUseAi: true, name: 'Ada' }));
      const inputs = [
        gateway.answer(pauseRecording, () => dataOf(pauseRecording)),
        gateway.answer(resumeRecording, () => dataOf(resumeRecording)),
      ];
      expect((await api.post(pathOf(pauseRecording.inClass))).body).toEqual(documented['pauseRecordingInClass']);
      expect((await api.post(pathOf(resumeRecording.inClass))).body).toEqual(documented['resumeRecordingInClass']);
      expect(asked).toEqual(['stopRecording', 'startRecording'].map((permission) => ({ caller, permission })));
      expect(inputs).toEqual([[room], [room]]);
    });

    it('unless the caller may not, or the organization does not exist', async () => {
      const { api } = gateway.participant();
      const inputs = [
        gateway.answer(startRecording, () => dataOf(startRecording)),
        gateway.answer(stopRecording, () => dataOf(stopRecording)),
        gateway.answer(pauseRecording, () => dataOf(pauseRecording)),
        gateway.answer(resumeRecording, () => dataOf(resumeRecording)),
      ];
      gateway.answer(classroomRpc.authorize, fails('FORBIDDEN'));
      for (const { inClass } of [startRecording, stopRecording, pauseRecording, resumeRecording])
        expect((await api.post(pathOf(inClass))).status).toBe(403);
      gateway.answer(classroomRpc.authorize, () => ({ ...room, organizationId: GONE, mayUseAi: true, name: 'Ada' }));
      expect((await api.post(pathOf(startRecording.inClass))).status).toBe(401);
      expect(inputs).toEqual([[], [], [], []]);
    });
  });

  describe('serves the page', () => {
    const COMMON = { 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff', 'content-type': 'text/html; charset=utf-8' };
    const open = async (path: string) => {
      const { status, headers, text } = await gateway.anonymous.get(path);
      return { status, text, headers: Object.fromEntries(headers), policy: headers.get('content-security-policy')?.split('; ') ?? [] };
    };
    const locate = (school: Pick<typeof SCHOOL, 'organizationId'>) =>
      gateway.answer(roomRpc.locate, () => ({ organizationId: school.organizationId, roomId: ROOM, isOver: false }));

    it('of a class, which the organization’s verified domains may frame', async () => {
      const inputs = locate(gateway.organization({ verifiedDomains: ['a.example', '*.b.example:8443'] }));
      const { status, text, headers, policy } = await open(`/r/${SID}`);
      expect([status, headers, inputs]).toEqual([
        200,
        expect.objectContaining({
          ...COMMON,
          'cache-control': 'no-store',
          'permissions-policy': 'camera=(self), microphone=(self), display-capture=(self), fullscreen=(self)',
          'ratelimit-policy': '"page";q=10000000;w=60',
        }),
        [{ sid: SID }],
      ]);
      expect(policy).toEqual([
        `default-src 'self'`,
        `script-src 'self' 'wasm-unsafe-eval'`,
        `connect-src 'self' wss://livekit.example https://livekit.example https://media.example`,
        `img-src 'self' data: https://media.example`,
        `media-src 'self' blob: mediastream:`,
        `style-src 'self'`,
        `worker-src 'self' blob:`,
        `base-uri 'none'`,
        `object-src 'none'`,
        `form-action 'none'`,
        'frame-ancestors a.example *.b.example:8443',
      ]);
      const content =
        '{&quot;roomId&quot;:&quot;geometry-7b&quot;,&quot;verifiedDomains&quot;:[&quot;a.example&quot;,&quot;*.b.example:8443&quot;]}';
      expect(text).toContain(`<meta name="embedding" content="${content}"></head>`);
    });

    it('of a class, which only we may frame if the organization has no domains', async () => {
      locate(gateway.organization({ verifiedDomains: [] }));
      const { status, policy } = await open(`/r/${SID}`);
      expect([status, policy.at(-1)]).toEqual([200, `frame-ancestors 'self'`]);
    });

    it('with 404 for an unknown room, a malformed sid and an organization that does not exist', async () => {
      const expectUnknown = async (sid: string) => {
        const { status, text, policy } = await open(`/r/${sid}`);
        expect([status, policy.at(-1), text.includes('name="embedding"')]).toEqual([404, `frame-ancestors 'self'`, false]);
        expect(text).toContain('<html');
      };
      const unknown = gateway.answer(roomRpc.locate, fails('ROOM_NOT_FOUND'));
      await expectUnknown(SID);
      const gone = locate({ organizationId: GONE });
      await expectUnknown(SID);
      await expectUnknown('RM_short');
      expect([unknown.length, gone.length]).toEqual([1, 1]);
    });

    it('with the error of the room service, which is no page', async () => {
      gateway.answer(roomRpc.locate, fails('SERVICE_UNAVAILABLE'));
      const { status, headers, text } = await open(`/r/${SID}`);
      expect([status, headers['content-security-policy'], JSON.parse(text)]).toMatchObject([
        503,
        undefined,
        { error: 'SERVICE_UNAVAILABLE' },
      ]);
    });

    it('of the recorder, which no site may frame', async () => {
      const { status, headers, policy } = await open('/recording');
      expect([status, headers]).toEqual([200, expect.objectContaining({ ...COMMON, 'cache-control': 'no-store' })]);
      expect(policy).toEqual(
        expect.arrayContaining([
          `connect-src 'self' wss://livekit.example https://livekit.example ws://livekit.internal:7880 http://livekit.internal:7880 https://media.example`,
          `img-src 'self' data: blob:`,
          `frame-ancestors 'none'`,
        ]),
      );
    });

    it('of the player, which any site may frame', async () => {
      const { status, headers, policy } = await open('/player');
      expect([status, headers]).toEqual([200, expect.objectContaining({ ...COMMON, 'cache-control': 'no-cache' })]);
      expect(policy).toEqual(expect.arrayContaining([`connect-src 'self' https://media.example blob:`, 'frame-ancestors *']));
    });
  });
});
