import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { CONSUMERS, roomCreated, type EndpointContract } from '@classroom/contracts';
import {
  adminApi,
  eventually,
  first,
  newRoom,
  person,
  postWebhook,
  present,
  RtcParticipant,
  type RunningStack,
  setFactAside,
  sharedStack,
} from '@classroom/testing';
import { inCallOrder } from './reference/call-order.js';
import { ExampleCalls, OPERATIONS } from './reference/example-calls.js';
import { plain, shapeOf } from './reference/plain.js';
import { Refusals } from './reference/refusals.js';

const ANSWERS = join(__dirname, '..', '..', 'libs', 'api-reference', 'src', 'answers.json');
/** Stores answers that are new or have another shape, instead of comparing them. */
const isUpdate = process.env['UPDATE_EXAMPLES'] !== undefined;
const documented = JSON.parse(readFileSync(ANSWERS, 'utf8')) as Record<string, unknown>;
const operationOf = (operationId: string) => OPERATIONS.find((it) => it.operationId === operationId) as EndpointContract;

/** Makes the calls of the reference's examples in the order of one class. Each documented answer must match the real one. */
describe('the reference', () => {
  let stack: RunningStack;
  let calls: ExampleCalls;
  let refusals: Refusals;
  const answers: Record<string, unknown> = {};
  let teacher: RtcParticipant;

  beforeAll(async () => {
    stack = await sharedStack();
    calls = new ExampleCalls(stack);
    refusals = await Refusals.of(calls, stack);
  });

  afterAll(async () => {
    if (isUpdate) writeFileSync(ANSWERS, `${JSON.stringify(answers, null, 2)}\n`);
    await RtcParticipant.disposeAll();
  });

  /** Preparations without which a call makes no sense. */
  const before: Record<string, () => Promise<unknown>> = {
    getRoomStatus: async () => {
      teacher = await RtcParticipant.connect(stack.urls.livekitPublic, calls.token);
      await teacher.publishTone();
      await eventually(async () => expect((await calls.organization.get('/v1/room/geometry-7b/status')).body.data.isActive).toBe(true));
    },
    // The teacher is connected without a session.
    reportMinutes: async () => {
      const session = await calls.organization.bearer(await joinTokenOf('geometry-7b', person('teacher-12'))).post('/v1/classroom/session');
      calls.classroomToken = session.body.data.classroomToken;
      const { body } = operationOf('reportMinutes').example as { body: { minutes: object[] } };
      const measured = { ...body.minutes[0], connectionSid: teacher.sid, startedAt: new Date().toISOString() };
      calls.bodies['reportMinutes'] = { minutes: [measured] };
    },
    openClassroomSession: async () => void (calls.token = await joinTokenOf('geometry-7b')),
    // A role that may start a recording is asked for no consent.
    answerConsent: async () => {
      const recording = { ask: 'recording', without: 'mute', version: '2026-1', text: 'May this class be recorded?' };
      await calls.organization.patch('/v1/room/geometry-7b', { settings: { consent: { recording } } });
      calls.token = await joinTokenOf('geometry-7b', person('student-88', 'STUDENT'));
      await calls.organization.bearer(calls.token).post('/v1/classroom/session');
    },
    startRecordingInClass: () => recordingIs('COMPLETED'),
    pauseRecording: () => recordingIs('ACTIVE'),
    pauseRecordingInClass: () => recordingIs('ACTIVE'),
    resumeRecording: () => recordingIs('COMPLETED'),
    resumeRecordingInClass: () => recordingIs('COMPLETED'),
    stopRecording: () => recordingIs('ACTIVE'),
    stopRecordingInClass: () => recordingIs('ACTIVE'),
    // The examples before have changed the student's role, and removed the student.
    allowToSpeak: () => joinTokenOf('geometry-7b', person('student-731', 'STUDENT')),
    removeParticipantInClass: () => joinTokenOf('geometry-7b', person('student-731', 'STUDENT')),
    endClass: async () => {
      const { roomId } = await newRoom(calls.organization);
      calls.token = await joinTokenOf(roomId);
      await calls.call(operationOf('openClassroomSession'));
    },
    publishRecording: () => recordingIs('COMPLETED'),
    addCaption: () => areTranscoded(),
    deleteVideo: () => areTranscoded(),
    setRecordingBucket: async () => {
      const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = stack.secrets;
      const place = { endpoint: stack.urls.s3, bucket: 'classroom', prefix: 'recordings/copies' };
      calls.bodies['setRecordingBucket'] = { ...place, accessKeyId, secretAccessKey };
    },
    downloadRecordings: () => recordingIs('COMPLETED'),
    // The end of a postpaid plan closes its cycle with a statement.
    getStatementPdf: async () => {
      const path = `/v1/admin/organizations/${calls.ids['organizationId']}` as const;
      const rate = { creditRate: 0.01, currency: 'USD' };
      for (const billing of [
        { type: 'POSTPAID', billingFrequency: 'MONTHLY', ...rate },
        { type: 'PREPAID', credits: 1000, ...rate },
      ])
        await adminApi(stack).patch(path, { billing });
      await eventually(async () => {
        const { statementId } = first((await calls.organization.get('/v1/billing/statements')).body.data);
        calls.ids['statementId'] = statementId;
      });
    },
    // The class that was ended is charged soon after.
    explainEntryForOrganization: () =>
      eventually(async () => {
        const path = `/v1/admin/organizations/${calls.ids['organizationId']}/ledger` as const;
        const { entries } = (await adminApi(stack).get(path)).body.data as { entries: { kind: string; entryId: string }[] };
        calls.ids['entryId'] = entries.find(({ kind }) => kind === 'CHARGE')?.entryId ?? '';
        expect(calls.ids['entryId']).not.toBe('');
      }),
    // The class of the examples began today.
    listDashboardUsageDays: async () => {
      const today = new Date().toISOString().slice(0, 10);
      calls.queries['listDashboardUsageDays'] = { from: today, to: today };
      calls.queries['listDashboardChargedClasses'] = { day: today };
    },
    endDashboardSession: async () => {
      const { data } = (await calls.organization.post('/v1/dashboard-tokens', { subject: 'deputy', role: 'MEMBER' })).body;
      calls.ids['sessionId'] = data.sessionId;
    },
    openDashboardSession: async () => void (calls.bodies['openDashboardSession'] = { code: calls.ids['code'] }),
    // Of an organization alone, which no legal hold keeps.
    cancelErasure: async () => {
      await calls.organization.post(`/v1/room/geometry-7b/recordings/${calls.ids['recordingId']}/hold`, { legalHold: false });
      const { data } = (await calls.organization.post('/v1/privacy/erasures', { organization: true })).body;
      calls.ids['erasureId'] = data.erasureId;
    },
    listAudit: () =>
      eventually(async () =>
        expect((await calls.organization.get('/v1/audit?operation=createOrganization')).body.data.entries).toHaveLength(1),
      ),
    listAuditOfAll: () =>
      eventually(async () => {
        const { entries } = (await adminApi(stack).get('/v1/admin/audit?operation=revokeDashboardTokensForOrganization')).body.data;
        expect(entries.length).toBeGreaterThan(0);
      }),
    listDeadLetters: () => setFactAside(stack, CONSUMERS.recordingRooms, roomCreated),
    discardDeadLetter: async () => {
      await setFactAside(stack, CONSUMERS.recordingRooms, roomCreated);
      await calls.call(operationOf('listDeadLetters'));
    },
    deleteOrganization: async () => {
      const { id } = (await adminApi(stack).post('/v1/admin/organizations', { name: 'Hillside School' })).body.data;
      calls.ids['organizationId'] = present(id);
    },
    listEvents: () =>
      eventually(async () => expect((await calls.organization.get('/v1/events')).body.data.events.length).toBeGreaterThan(1)),
  };

  const joinTokenOf = async (roomId: string, participant = person('head-1', 'ADMIN')): Promise<string> =>
    (await calls.organization.post(`/v1/room/${roomId}/join`, { participant })).body.data.token;

  const recordingIs = (status: string) =>
    eventually(async () => expect((await calls.organization.get('/v1/room/geometry-7b/recordings')).body.data.at(-1)?.status).toBe(status));

  /** The published recording changes by itself until it is transcoded; the upload of the example is never finished. */
  const areTranscoded = () =>
    eventually(async () => {
      const { videos } = (await calls.organization.get('/v1/cdn/videos')).body.data as { videos: { videoId: string; status: string }[] };
      const others = videos.filter(({ videoId }) => videoId !== calls.ids['videoId']);
      expect(others.filter(({ status }) => !['completed', 'failed'].includes(status))).toEqual([]);
    });

  it('is served as it is in the repository, with a page to try it out', async () => {
    const served = await fetch(`${stack.urls.gateway}/openapi.json`, { headers: { 'accept-encoding': 'br, gzip' } });
    const { default: committed } = await import('../../docs/reference/openapi.json', { with: { type: 'json' } });
    const reference: unknown = await served.json();
    // While examples are updated, the reference is still the old one.
    if (!isUpdate) expect(reference).toEqual(committed);
    expect(served.headers.get('content-encoding')).toBe('br');
    const page = await fetch(`${stack.urls.gateway}/docs/`);
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, expect.stringContaining(`connect-src 'self'`)]);
    expect(await page.text()).toContain('Virtual Classroom API');
  });

  it('links guides that the gateway serves, with their own links', async () => {
    const { info } = (await (await fetch(`${stack.urls.gateway}/openapi.json`)).json()) as { info: { description: string } };
    const guides = [...info.description.matchAll(/\]\((\/guides\/[^)]+)\)/g)].map(([, path = '']) => path);
    expect(guides.length).toBeGreaterThan(4);
    for (const path of guides) expect([path, (await fetch(`${stack.urls.gateway}${path}`)).status]).toEqual([path, 200]);
    const page = await (await fetch(`${stack.urls.gateway}/guides/api/errors.html`)).text();
    expect(page).toContain('<a href="/guides/api/idempotency.html">Idempotency-Key</a>');
    expect(page).not.toMatch(/<script|\]\(idempotency/);
    for (const path of ['/guides/api/nothing.html', '/guides/..%2F..%2FREADME.html', '/guides/api/errors.md'])
      expect([path, (await fetch(`${stack.urls.gateway}${path}`)).status]).toEqual([path, 404]);
  });

  it('for operators is served likewise by a local stack', async () => {
    const served = await fetch(`${stack.urls.gateway}/openapi.internal.json`);
    const { default: committed } = await import('../../docs/reference/openapi.internal.json', { with: { type: 'json' } });
    const reference: unknown = await served.json();
    if (!isUpdate) expect(reference).toEqual(committed);
    expect(served.headers.get('access-control-allow-origin')).toBeNull();
    expect(await (await fetch(`${stack.urls.gateway}/docs/operators/`)).text()).toContain('for operators');
  });

  // Every operation of the contracts: one without an example needs the ids in its path alone, or fails.
  describe.each(inCallOrder(OPERATIONS.map(({ operationId }) => operationId)))('%s', (operationId) => {
    const operation = operationOf(operationId);

    it('is for its callers alone, and for those to whom its resources belong', async () => {
      await before[operationId]?.();
      await refusals.expectUnauthorized(operation);
      await refusals.expectForeign(operation);
      await refusals.expectUnknown(operation);
    });

    it('works as documented', async () => {
      if (operation.auth === 'livekit') return expect(await postWebhook(stack, { event: 'ping', id: randomUUID() })).toBe(200);
      const { body, text } = await calls.call(operation);
      if (!operation.example || operation.produces[0] === 'application/pdf') return undefined;
      const answer = plain(body ?? text);
      const isAsDocumented = JSON.stringify(shapeOf(answer)) === JSON.stringify(shapeOf(documented[operationId]));
      answers[operationId] = isAsDocumented ? documented[operationId] : answer;
      if (!isUpdate) expect(shapeOf(answer)).toEqual(shapeOf(documented[operationId]));
      return undefined;
    });
  });
});
