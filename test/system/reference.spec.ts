import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as contracts from '@classroom/contracts';
import { adminApi, ApiClient, eventually, newRoom, person, RtcParticipant, type RunningStack, sharedStack } from '@classroom/testing';
import { inCallOrder } from './reference/call-order.js';
import { plain, shapeOf } from './reference/plain.js';

/** Of a poll or a question, in the examples. */
const GENERATED_ID = '0b9f2c1e-6d1a-4f0e-9c57-2a8d4e6b1f30';
const ORGANIZATION_ID = 'org_7Kq2LmN4pXy9Rs8Tu0Wx';
const ANSWERS = join(__dirname, '..', '..', 'libs', 'contracts', 'src', 'reference', 'answers.json');
const exported: unknown[] = Object.values(contracts);
const all = exported.filter(contracts.isEndpoint);
/** Stores answers that are new or have another shape, instead of comparing them. */
const isUpdate = process.env['UPDATE_EXAMPLES'] !== undefined;
const documented = JSON.parse(readFileSync(ANSWERS, 'utf8')) as Record<string, unknown>;
const called = inCallOrder(all.filter(({ example }) => example).map(({ operationId }) => operationId));

/** Makes the calls of the reference's examples in the order of one class. Each documented answer must match the real one. */
describe('the reference', () => {
  let stack: RunningStack;
  let organization: ApiClient;
  /** Ids in the examples and the real ids that replace them. */
  const ids = new Map<string, string>();
  const answers: Record<string, unknown> = {};
  let teacher: RtcParticipant;

  beforeAll(async () => {
    stack = await sharedStack();
  });

  afterAll(async () => {
    if (isUpdate) writeFileSync(ANSWERS, `${JSON.stringify(answers, null, 2)}\n`);
    await RtcParticipant.disposeAll();
  });

  /** Preparations without which a call makes no sense. */
  const before: Record<string, () => Promise<unknown>> = {
    getRoomStatus: async () => {
      teacher = await RtcParticipant.connect(stack.urls.livekitPublic, token);
      await teacher.publishTone();
      await eventually(async () => expect((await organization.get('/v1/room/geometry-7b/status')).body.data.isActive).toBe(true));
    },
    openClassroomSession: async () => void (token = await joinTokenOf('geometry-7b')),
    startRecordingInClass: () => recordingIs('COMPLETED'),
    stopRecording: () => recordingIs('ACTIVE'),
    stopRecordingInClass: () => recordingIs('ACTIVE'),
    // The examples before have changed the student's role, and removed the student.
    allowToSpeak: () => joinTokenOf('geometry-7b', person('student-731', 'STUDENT')),
    removeParticipant: () => joinTokenOf('geometry-7b', person('student-731', 'STUDENT')),
    endClass: async () => {
      const { roomId } = await newRoom(organization);
      token = await joinTokenOf(roomId);
      classroomToken = (await call('openClassroomSession')).body.data.classroomToken;
    },
    publishRecording: () => recordingIs('COMPLETED'),
    downloadRecordings: () => recordingIs('COMPLETED'),
    listEvents: () => eventually(async () => expect((await organization.get('/v1/events')).body.data.events.length).toBeGreaterThan(1)),
  };
  let token = '';
  let classroomToken = '';

  const joinTokenOf = async (roomId: string, participant = person('head-1', 'ADMIN')): Promise<string> =>
    (await organization.post(`/v1/room/${roomId}/join`, { participant })).body.data.token;

  const recordingIs = (status: string) =>
    eventually(async () => expect((await organization.get('/v1/room/geometry-7b/recordings')).body.data.at(-1).status).toBe(status));

  const real = (value: string) => ids.get(value) ?? value;

  let dashboardToken = '';

  function clientFor(auth: contracts.EndpointContract['auth']): ApiClient {
    const anonymous = new ApiClient(stack.urls.gateway);
    if (auth === 'dispatch') return adminApi(stack);
    if (auth === 'participant') return anonymous.bearer(token);
    if (auth === 'classroom') return anonymous.bearer(classroomToken);
    if (auth === 'dashboard') return anonymous.bearer(dashboardToken);
    return auth === 'none' ? anonymous : organization;
  }

  async function call(operationId: string): Promise<Awaited<ReturnType<ApiClient['call']>>> {
    const endpoint = all.find((it) => it.operationId === operationId);
    if (!endpoint) throw new Error(`there is no operation ${operationId}`);
    const { params = {}, query, body } = endpoint.example ?? {};
    const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(real(params[name] ?? '')));
    const search = new URLSearchParams(Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]));
    const api = clientFor(endpoint.auth);
    const sent = body && (JSON.parse(JSON.stringify(body).replaceAll(ORGANIZATION_ID, real)) as object);
    const answer = await api.call({ method: endpoint.method, path: `${path}?${search}`, body: sent });
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()]);
    if (endpoint.produces[0] === 'application/json') expect(endpoint.response.safeParse(answer.body).error).toBeUndefined();
    else expect(answer.headers.get('content-type')).toContain(endpoint.produces[0]);
    return answer;
  }

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

  it('for operators is served likewise by a local stack', async () => {
    const served = await fetch(`${stack.urls.gateway}/openapi.internal.json`);
    const { default: committed } = await import('../../docs/reference/openapi.internal.json', { with: { type: 'json' } });
    const reference: unknown = await served.json();
    if (!isUpdate) expect(reference).toEqual(committed);
    expect(served.headers.get('access-control-allow-origin')).toBeNull();
    expect(await (await fetch(`${stack.urls.gateway}/docs/operators/`)).text()).toContain('for operators');
  });

  it.each(called)('%s', async (operationId) => {
    await before[operationId]?.();
    const { body, text } = await call(operationId);
    if (operationId === 'createOrganization') {
      ids.set(ORGANIZATION_ID, body.data.id);
      organization = new ApiClient(stack.urls.gateway, { 'VF-ORG-ID': body.data.organizationId });
    }
    if (operationId === 'createRoom') token = body.data.token;
    if (operationId === 'openClassroomSession') classroomToken = body.data.classroomToken;
    if (operationId === 'createPoll') ids.set(GENERATED_ID, body.data.pollId);
    if (operationId === 'getTutorDialogue') ids.set(GENERATED_ID, body.data.turns[0].questionId);
    if (operationId === 'createDashboardToken') dashboardToken = body.data.token;
    if (['provisionCredential', 'createCredential'].includes(operationId)) ids.set('cred_6vJk9Ln3Pq5Rs8Tu0Wx2', body.data.credentialId);
    if (operationId === 'createApiKey') ids.set('key_5uHj8Km2Np4Qr7St9Vw1', body.data.keyId);
    if (operationId === 'createVideo') ids.set('vid_4tGh7Jk9Lm2Np5Qr8Sv1', body.data.videoId);
    if (operationId === 'createWebhookEndpoint') ids.set('we_8Lm2Np5Qr8Sv1Tg4Jk7x', body.data.endpointId);
    if (operationId === 'listWebhookDeliveries') ids.set('wd_2Np5Qr8Sv1Tg4Jk7Lm9x', body.data.deliveries[0].deliveryId);
    if (operationId === 'startRecording') ids.set('rec_EG_8fKq2LmN4pXy', `rec_${body.data.egressId}`);
    const answer = plain(body ?? text);
    const isAsDocumented = JSON.stringify(shapeOf(answer)) === JSON.stringify(shapeOf(documented[operationId]));
    answers[operationId] = isAsDocumented ? documented[operationId] : answer;
    if (!isUpdate) expect(shapeOf(answer)).toEqual(shapeOf(documented[operationId]));
  });
});
