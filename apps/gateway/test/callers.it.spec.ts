import { randomBytes } from 'node:crypto';
import {
  dashboardTokenRpc,
  endDashboardSession,
  apiKeyChanged,
  apiKeyRpc,
  classroomRpc,
  createRoom,
  credentialRevoked,
  credentialRpc,
  dashboardTokensRevoked,
  eventSubject,
  getBalance,
  getClassState,
  getDashboardProfile,
  getHealth,
  getOrganization,
  healthRpc,
  joinRoom,
  listVoices,
  openClassroomSession,
  organizationRpc,
  organizationUpdated,
  revokeApiKey,
  revokeCredential,
  rotateApiKey,
  type DependencyState,
  type EndpointContract,
  type EventContract,
  type RpcContract,
  type ServiceName,
} from '@classroom/contracts';
import { eventually, type ApiClient } from '@classroom/testing';
import { dataOf, GatewayFixture, SCHOOL, valueOf } from './support/gateway-fixture.js';

const PREVIOUS_SECRET = 'the previous secret of the operators';
const MIB = 1024 ** 2;
const { organizationId } = SCHOOL;
const SCOPES = ['ai:use'];
const [PAST, FUTURE] = ['2020-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'];

/** Who calls, in which order the gateway checks a request, and the callers without an organization. */
describe('a caller', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await GatewayFixture.start({
      env: {
        gateway: { DISPATCH_SECRET_PREVIOUS: PREVIOUS_SECRET, CLASSROOM_URL: 'https://classroom.example', RATE_LIMIT_PER_MINUTE: '100' },
      },
    });
  });
  beforeEach(() => gateway.reset());
  afterAll(() => gateway?.stop());

  /** The status and the error code of a call, which is served if no check of the caller fails. */
  async function outcome(api: ApiClient, path: string = listVoices.path) {
    gateway.answer(listVoices, () => ({ voices: [] }));
    const { status, body } = await api.get(path);
    return status === 200 ? 200 : `${status} ${body.error}`;
  }
  const REFUSED = '401 UNAUTHORIZED';
  const keyApi = (key: string) => gateway.anonymous.bearer(key);

  /** Publishes an event about an entity until the gateway has applied it. */
  async function until(contract: EventContract, subject: string, check: () => Promise<unknown>): Promise<void> {
    await eventually(async () => {
      gateway.nats.publish(eventSubject(contract, subject), JSON.stringify({ subject }));
      await check();
    });
  }

  describe('with VF-ORG-ID', () => {
    it('is served with a credential of an organization, and not with its id', async () => {
      const school = gateway.organization();
      expect(await outcome(gateway.backendOf(school))).toBe(200);
      for (const value of [school.organizationId, 'org_unknown', 'not a value', 'x'.repeat(65), ''])
        expect(await outcome(gateway.withValue(value))).toBe(REFUSED);
    });

    it('is served with each of several credentials, but not with one that has expired', async () => {
      const school = gateway.organization();
      const { value: second } = gateway.credential(school, { value: 'second', expiresAt: FUTURE });
      const { value: expired } = gateway.credential(school, { value: 'expired', expiresAt: PAST });
      expect(await outcome(gateway.withValue(second))).toBe(200);
      expect(await outcome(gateway.backendOf(school))).toBe(200);
      expect(await outcome(gateway.withValue(expired))).toBe(REFUSED);
    });

    it('is refused as soon as an event announces that the credential is revoked', async () => {
      const { value, credentialId } = gateway.credential(gateway.organization(), { value: 'revoked-soon' });
      expect(await outcome(gateway.withValue(value))).toBe(200);
      gateway.revokeCredential(value);
      expect(await outcome(gateway.withValue(value))).toBe(200);
      await until(credentialRevoked, credentialId, async () => expect(await outcome(gateway.withValue(value))).toBe(REFUSED));
    });

    it('reports the use of the credential, by its id', async () => {
      const reports = gateway.answer(credentialRpc.used, () => ({}));
      const { value, credentialId } = gateway.credential(gateway.organization(), { value: 'reported' });
      await outcome(gateway.withValue(value));
      await eventually(() =>
        expect(reports.flatMap(({ uses }) => uses)).toContainEqual({ credentialId, usedAt: expect.any(String) as unknown }),
      );
    });

    it('that does not exist gets 404 where the contract says so', async () => {
      expect(await outcome(gateway.withValue('org_unknown'), getBalance.path)).toBe('404 ORGANIZATION_NOT_FOUND');
      expect(await outcome(gateway.withValue('not an id'), getBalance.path)).toBe(REFUSED);
    });

    it('causes one request to the owner, until an event announces a change', async () => {
      const school = gateway.organization();
      const api = await gateway.dashboard('OWNER', school);
      const nameOf = async () => (await api.get('/v1/dashboard/profile')).body.data.name;
      expect(await nameOf()).toBe(school.name);
      gateway.change({ ...school, name: 'A new name' });
      expect(await nameOf()).toBe(school.name);
      await until(organizationUpdated, school.organizationId, async () => expect(await nameOf()).toBe('A new name'));
    });
  });

  describe('with an API key', () => {
    it('is served as its organization', async () => {
      const school = gateway.organization();
      const { key } = gateway.apiKey({ organizationId: school.organizationId, scopes: SCOPES, expiresAt: FUTURE, validUntil: FUTURE });
      expect(await outcome(keyApi(key))).toBe(200);
      expect(await outcome(keyApi(key).with({ 'VF-ORG-ID': valueOf(school.organizationId) }))).toBe(200);
      expect(await outcome(keyApi(key).with({ 'VF-ORG-ID': valueOf(organizationId) }))).toBe(REFUSED);
      expect(await outcome(gateway.anonymous.with({ authorization: `bearer   ${key}` }))).toBe(200);
    });

    it.each<[string, (key: string) => string | Promise<string>]>([
      ['of another secret', (key) => `${key.slice(0, -43)}${randomBytes(32).toString('base64url')}`],
      ['of an unknown prefix', (key) => key.replace(/[0-9a-f]{16}/, '0123456789abcdef')],
      ['that is too short', (key) => key.slice(0, -1)],
      ['that is too long', (key) => `${key}A`],
      ['with another beginning', (key) => key.replace('vc_live_', 'vc_test_')],
      ['that has expired', () => gateway.apiKey({ scopes: SCOPES, expiresAt: PAST }).key],
      ['whose secret has expired', () => gateway.apiKey({ scopes: SCOPES, validUntil: PAST }).key],
      ['of an organization that does not exist', () => gateway.apiKey({ scopes: SCOPES, organizationId: 'org_gone' }).key],
    ])('%s is rejected', async (_, wrong) => {
      expect(await outcome(keyApi(await wrong(gateway.apiKey({ scopes: SCOPES }).key)))).toBe(REFUSED);
    });

    it('that was rotated is served with both secrets, and after its revocation with neither', async () => {
      const { key, prefix } = gateway.apiKey({ scopes: SCOPES });
      expect(await outcome(keyApi(key))).toBe(200);
      const rotated = gateway.rotate(prefix);
      // The gateway has the earlier answer in its cache.
      expect([await outcome(keyApi(rotated)), await outcome(keyApi(key))]).toEqual([200, 200]);
      const lookups = gateway.ignore(apiKeyRpc.find);
      expect([await outcome(keyApi(rotated)), lookups.length]).toEqual([200, 0]);
      await gateway.reset();
      gateway.revoke(prefix);
      await until(apiKeyChanged, prefix, async () => expect(await outcome(keyApi(key))).toBe(REFUSED));
      expect(await outcome(keyApi(rotated))).toBe(REFUSED);
    });

    it('needs no credential of an organization where a participant calls', async () => {
      const received = gateway.answer(classroomRpc.authenticate, () => gateway.participant().caller);
      expect(await outcome(keyApi(gateway.apiKey({ scopes: SCOPES }).key), getClassState.path)).toBe(REFUSED);
      expect(received).toEqual([]);
    });
  });

  describe('with the operators’ secret', () => {
    const path = getOrganization.path.replace(':organizationId', organizationId);

    it('is served, also with the previous one', async () => {
      expect(await outcome(gateway.operator, path)).toBe(200);
      expect(await outcome(gateway.anonymous.with({ 'X-Dispatch-Secret': PREVIOUS_SECRET }), path)).toBe(200);
      for (const secret of ['', 'wrong', `${PREVIOUS_SECRET}.`]) {
        expect(await outcome(gateway.anonymous.with({ 'X-Dispatch-Secret': secret }), path)).toBe(REFUSED);
      }
      expect(await outcome(gateway.backend, path)).toBe(REFUSED);
    });
  });

  describe('with a token of a class', () => {
    it('is authenticated by the room service, which learns what kind of token is needed', async () => {
      const { api, bearer } = gateway.participant();
      gateway.answer(getClassState, () => dataOf(getClassState));
      const received = gateway.answer(classroomRpc.authenticate, () => gateway.participant().caller);
      await api.get(getClassState.path);
      await api.post(openClassroomSession.path);
      expect(received).toEqual([
        { bearer, accept: 'classroom' },
        { bearer, accept: 'participant' },
      ]);
    });

    it('that cannot be a token is rejected without an RPC', async () => {
      const received = gateway.answer(classroomRpc.authenticate, () => gateway.participant().caller);
      gateway.answer(getClassState, () => dataOf(getClassState));
      const token = (length: number) => `Bearer ${'a'.repeat(length - 'Bearer .b.c'.length)}.b.c`;
      const answers: unknown[] = [];
      for (const authorization of [
        'a.b.c',
        'Bearer a.b',
        'Bearer a.b.c.d',
        'Bearer a.b.c!',
        'Basic a.b.c',
        token(8193),
        token(8192),
        'bearer a.b.c',
      ]) {
        answers.push(await outcome(gateway.anonymous.with({ authorization }), getClassState.path));
      }
      expect(answers).toEqual([REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, 200, 200]);
      expect(received.map(({ bearer }) => bearer.length)).toEqual([8192 - 'Bearer '.length, 'a.b.c'.length]);
    });
  });

  describe('with a dashboard token', () => {
    const profile = getDashboardProfile.path;

    it('is served only at the dashboard, while the organization exists', async () => {
      const school = gateway.organization();
      const api = await gateway.dashboard('MEMBER', school);
      expect(await outcome(api, getDashboardProfile.path)).toBe(200);
      expect(await outcome(api)).toBe(REFUSED);
      gateway.forget(school);
      await until(organizationUpdated, school.organizationId, async () =>
        expect(await outcome(api, getDashboardProfile.path)).toBe(REFUSED),
      );
      expect(await outcome(gateway.anonymous, getDashboardProfile.path)).toBe(REFUSED);
    });

    it('is refused as soon as an event announces that the organization’s tokens are revoked', async () => {
      const [school, neighbour] = [gateway.organization(), gateway.organization()];
      const [revoked, other] = [await gateway.dashboard('OWNER', school), await gateway.dashboard('OWNER', neighbour)];
      expect(await outcome(revoked, profile)).toBe(200);
      gateway.revokeDashboardTokens(school);
      expect(await outcome(revoked, profile)).toBe(200);
      await until(dashboardTokensRevoked, school.organizationId, async () => expect(await outcome(revoked, profile)).toBe(REFUSED));
      expect(await outcome(other, profile)).toBe(200);
    });

    it('that is later than the revocation is served even before the event, which is then not needed for earlier tokens', async () => {
      const school = gateway.organization();
      const earlier = await gateway.dashboard('OWNER', school);
      expect(await outcome(earlier, profile)).toBe(200);
      gateway.revokeDashboardTokens(school);
      expect(await outcome(await gateway.dashboard('MEMBER', school), profile)).toBe(200);
      expect(await outcome(earlier, profile)).toBe(REFUSED);
    });
  });

  it.each(['its organization', 'an operator'])(
    'is refused in the next call at the gateway at which %s ended its credential',
    async (by) => {
      const school = gateway.organization();
      const [api, base] =
        by === 'an operator' ? [gateway.operator, `/v1/admin/organizations/${school.organizationId}`] : [gateway.backendOf(school), '/v1'];
      const key = (): [{ prefix: string }, ApiClient] => {
        const made = gateway.apiKey({ organizationId: school.organizationId, scopes: SCOPES });
        return [made, keyApi(made.key)];
      };
      const [[revokedKey, revoked], [, neighbour]] = [key(), key()];
      const { value } = gateway.credential(school, { value: `second-of-${school.organizationId}` });
      const tokens = `/v1/admin/organizations/${school.organizationId}/dashboard-tokens` as const;
      const { token, sessionId } = (await gateway.operator.post(tokens, { subject: 'deputy', role: 'MEMBER' })).body.data;
      const staff = gateway.anonymous.bearer(token);
      const ends = <C extends RpcContract>(contract: C, of: EndpointContract, end: () => void) =>
        gateway.answer(contract, () => {
          end();
          return dataOf(of);
        });
      ends(revokeApiKey, revokeApiKey, () => gateway.revoke(revokedKey.prefix));
      ends(revokeCredential, revokeCredential, () => gateway.revokeCredential(value));
      ends(dashboardTokenRpc.end, endDashboardSession, () => gateway.endDashboardSession(sessionId));
      for (const [caller, path, ended] of [
        [revoked, listVoices.path, `${base}/api-keys/${revokeApiKey.example?.params?.['keyId']}`],
        [gateway.withValue(value), listVoices.path, `${base}/credentials/${revokeCredential.example?.params?.['credentialId']}`],
        [staff, getDashboardProfile.path, `${base}/dashboard-sessions/${sessionId}`],
      ] as const) {
        expect([ended, await outcome(caller, path)]).toEqual([ended, 200]);
        expect([ended, (await api.delete(ended)).status]).toEqual([ended, 200]);
        expect([ended, await outcome(caller, path)]).toEqual([ended, REFUSED]);
      }
      expect(await outcome(neighbour)).toBe(200);
    },
  );

  it('is refused in the next call at the gateway at which its API key was rotated without grace', async () => {
    const school = gateway.organization();
    const { key, prefix } = gateway.apiKey({ organizationId: school.organizationId, scopes: SCOPES });
    let rotated = '';
    gateway.answer(rotateApiKey, () => {
      gateway.expireSecrets(prefix);
      rotated = gateway.rotate(prefix);
      return dataOf(rotateApiKey);
    });
    expect(await outcome(keyApi(key))).toBe(200);
    const path = rotateApiKey.path.replace(':keyId', `${rotateApiKey.example?.params?.['keyId']}`);
    expect((await gateway.backendOf(school).post(path, { graceSeconds: 0 })).status).toBe(200);
    expect([await outcome(keyApi(key)), await outcome(keyApi(rotated))]).toEqual([REFUSED, 200]);
  });

  describe('has a quota', () => {
    const quotaOf = async (api: ApiClient, path: string) => {
      const { headers } = await api.get(path);
      return [headers.get('ratelimit-policy'), headers.get('ratelimit')?.split(';')[1]];
    };

    it('of its organization, of its dashboard, of its person or of its address', async () => {
      gateway.answer(listVoices, () => ({ voices: [] }));
      const school = gateway.organization();
      const dashboard = await gateway.dashboard('OWNER', school);
      const organization = '"organization";q=100;w=60';
      const { key } = gateway.apiKey({ organizationId: school.organizationId, scopes: SCOPES });
      expect([
        await quotaOf(gateway.backendOf(school), listVoices.path),
        await quotaOf(keyApi(key), listVoices.path),
        await quotaOf(dashboard, getDashboardProfile.path),
      ]).toEqual([
        [organization, 'r=99'],
        [organization, 'r=98'],
        [organization, 'r=99'],
      ]);
      expect(await quotaOf(gateway.participant().api, getClassState.path)).toEqual(['"classroom";q=10000000;w=60', 'r=9999999']);
      expect((await quotaOf(gateway.operator, '/v1/admin/organizations/org_x'))[0]).toBe('"admin";q=10000000;w=60');
      expect((await quotaOf(gateway.anonymous, getHealth.path))[0]).toBe('"health";q=10000;w=60');
      expect(await quotaOf(gateway.anonymous, listVoices.path)).toEqual([null, undefined]);
    });

    it('after which it gets 429, also for a request that would be rejected later', async () => {
      gateway.answer(listVoices, () => ({ voices: [] }));
      const school = gateway.organization();
      const api = gateway.backendOf(school);
      const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await api.get(listVoices.path)).status));
      expect(new Set(statuses)).toEqual(new Set([200]));
      const over = await api.get(listVoices.path);
      expect([over.status, over.body.error, over.headers.get('retry-after')]).toEqual([
        429,
        'RATE_LIMITED',
        expect.stringMatching(/^\d+$/),
      ]);
      const { key } = gateway.apiKey({ organizationId: school.organizationId });
      expect(await outcome(keyApi(key))).toBe('429 RATE_LIMITED');
    });
  });

  it('is checked before its body, its body before the plan, and the plan before the service', async () => {
    const school = gateway.organization({ billing: null });
    const rooms = gateway.answer(createRoom, () => dataOf(createRoom));
    const key = keyApi(gateway.apiKey({ organizationId: school.organizationId }).key);
    const post = async (api: ApiClient, path: string, raw: string, contentType = 'application/json') => {
      const { status, body } = await api.call({ method: 'POST', path, raw, headers: { 'content-type': contentType } });
      return `${status} ${body.error}`;
    };
    const { path } = createRoom;
    const valid = JSON.stringify(createRoom.example?.body);
    expect([
      await post(gateway.anonymous, '/v1/nowhere', '{'),
      await post(gateway.anonymous, '/v1/billing/balance', '{'),
      await post(gateway.anonymous, path, '{'),
      await post(key, path, '{'),
      await post(gateway.backendOf(school), path, valid, 'text/plain'),
      await post(gateway.backendOf(school), path, `"${'x'.repeat(MIB)}"`),
      await post(gateway.backendOf(school), path, '{'),
      await post(gateway.backendOf(school), path, '{}'),
      await post(gateway.backendOf(school), path, valid),
    ]).toEqual([
      '404 NOT_FOUND',
      '405 METHOD_NOT_ALLOWED',
      REFUSED,
      '403 FORBIDDEN',
      '415 UNSUPPORTED_MEDIA_TYPE',
      '413 PAYLOAD_TOO_LARGE',
      '400 VALIDATION_FAILED',
      '400 VALIDATION_FAILED',
      '422 ORGANIZATION_SETUP_INCOMPLETE',
    ]);
    expect(rooms).toEqual([]);
    const notAllowed = await gateway.anonymous.post('/v1/billing/balance');
    expect(notAllowed.headers.get('allow')).toBe('GET');
  });

  it('from another site is allowed if the site is our own or a verified domain', async () => {
    const asked = gateway.answer(organizationRpc.isVerifiedHost, ({ host }) => ({ isVerified: host === 'school.example' }));
    const preflight = async (origin: string, path: string = openClassroomSession.path) => {
      const { status, headers } = await gateway.anonymous.call({ method: 'OPTIONS', path, headers: { origin } });
      return [status === 204, headers.get('access-control-allow-origin'), headers.get('vary')];
    };
    const [own, school] = ['https://classroom.example', 'https://school.example'];
    expect(await preflight(own)).toEqual([true, own, 'Origin']);
    expect(await preflight(school)).toEqual([true, school, 'Origin']);
    expect(await preflight('https://other.example')).toEqual([false, null, 'Origin']);
    expect(await preflight(own, joinRoom.path)).toEqual([false, null, null]);
    expect(asked).toEqual([{ host: 'school.example' }, { host: 'other.example' }]);
    const { headers } = await gateway.participant().api.call({ method: 'GET', path: '/v1/classroom/nothing', headers: { origin: school } });
    expect([headers.get('access-control-allow-origin'), headers.get('access-control-allow-methods')]).toEqual([school, null]);
  });

  describe('without a credential', () => {
    const WELL: Record<string, DependencyState> = { postgres: 'up' };
    const DOWN: typeof WELL = { postgres: 'down' };
    const health = async () => {
      const { status, headers, body } = await gateway.anonymous.get(getHealth.path);
      expect(headers.get('cache-control')).toBe('no-store');
      return { status, body };
    };
    const answerOf = (status: string) => ({
      success: true,
      message: `System is ${status}`,
      data: { status, healthy: status === 'healthy', timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as unknown, version: '0.2.0' },
    });
    const become = (status: string, code: number) =>
      eventually(async () => expect(await health()).toEqual({ status: code, body: answerOf(status) }));

    it('gets the health: healthy, degraded without billing, unhealthy without rooms', async () => {
      const services: ServiceName[] = ['organization', 'room', 'billing', 'recording', 'media', 'ai'];
      for (const service of services) gateway.answer(healthRpc(service), () => ({ dependencies: WELL }));
      await become('healthy', 200);
      gateway.answer(healthRpc('billing'), () => ({ dependencies: DOWN }));
      await become('degraded', 200);
      gateway.answer(healthRpc('room'), () => ({ dependencies: DOWN }));
      await become('unhealthy', 503);
    });
  });
});
