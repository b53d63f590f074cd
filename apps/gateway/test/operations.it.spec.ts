import * as contracts from '@classroom/contracts';
import {
  AppError,
  classroomRpc,
  getOrganization,
  HTTP_STATUS,
  ERRORS,
  isOperation,
  listVideos,
  startRecording,
  stopRecording,
  type EndpointAuth,
  type ErrorCode,
  type Operation,
} from '@classroom/contracts';
import type { ApiClient } from '@classroom/testing';
import { documented, GatewayFixture, SCHOOL } from './support/gateway-fixture.js';

const exported: unknown[] = Object.values(contracts);
const operations = contracts
  .endpointsAmong(exported)
  .filter(isOperation)
  // `room` decides who records: `controllers.it.spec.ts` calls both.
  .filter(({ example, permission }) => example !== undefined && permission === undefined);
const named = (those: Operation[]) => those.map((operation) => [operation.operationId, operation] as const);
const ofAuth = (...kinds: EndpointAuth[]) => operations.filter(({ auth }) => kinds.includes(auth));

/** What the service has to return for the documented answer. */
function resultOf({ operationId, dataField }: Operation): unknown {
  const answer = documented[operationId] ?? {};
  return dataField === null
    ? Object.fromEntries(Object.entries(answer).filter(([field]) => !['success', 'message'].includes(field)))
    : answer[dataField];
}

/** Every field of the example call with its value, such as `roomId=geometry-7b`, wherever the service expects it. */
function fieldsOf(value: unknown, name = ''): string[] {
  if (typeof value !== 'object' || value === null) return [`${name}=${String(value)}`];
  return Object.entries(value).flatMap(([key, one]) => fieldsOf(one, Array.isArray(value) ? name : key));
}

/** Every operation that one RPC serves: the gateway's part of it. The test answers for the services by their contracts. */
describe('an operation', () => {
  let gateway: GatewayFixture;
  let clients: Partial<Record<EndpointAuth, ApiClient>>;
  let caller: contracts.ClassroomCaller;

  beforeAll(async () => {
    gateway = await GatewayFixture.start();
    const person = gateway.participant();
    ({ caller } = person);
    clients = {
      organization: gateway.backend,
      dispatch: gateway.operator,
      classroom: person.api,
      participant: person.api,
      dashboard: await gateway.dashboard(),
    };
  });
  beforeEach(() => gateway.reset());
  afterAll(() => gateway?.stop());

  const clientOf = ({ auth }: Operation) => clients[auth] as ApiClient;

  /** Makes the call of the operation's example. */
  function call(operation: Operation, api = clientOf(operation), headers: Record<string, string> = {}) {
    const { params = {}, query = {}, body } = operation.example ?? {};
    const path = operation.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
    return api.call({ method: operation.method, path: `${path}?${search}`, body, headers });
  }

  const succeed = (operation: Operation) => gateway.answer(operation, () => resultOf(operation));

  describe('passes its example on and returns the documented answer:', () => {
    it.each(named(operations))('%s', async (operationId, operation) => {
      const inputs = succeed(operation);
      const { status, body } = await call(operation);
      expect([status, body]).toEqual([200, documented[operationId]]);
      expect(fieldsOf(inputs.at(-1))).toEqual(expect.arrayContaining(fieldsOf(operation.example)));
      if (operation.auth === 'classroom' || operation.auth === 'participant') expect(inputs).toEqual([expect.objectContaining({ caller })]);
      else if (operation.auth !== 'dispatch') {
        expect(inputs).toEqual([expect.objectContaining({ organizationId: SCHOOL.organizationId })]);
        expect(inputs[0]).not.toHaveProperty('caller');
      }
    });
  });

  describe('is rejected without a credential:', () => {
    it.each(named(operations))('%s', async (_, operation) => {
      const inputs = succeed(operation);
      const { status, body, headers } = await call(operation, gateway.anonymous);
      expect([status, body, inputs]).toEqual([
        401,
        {
          success: false,
          error: 'UNAUTHORIZED',
          message: 'Unauthorized',
          requestId: headers.get('x-request-id'),
          details: expect.arrayContaining([{ path: expect.any(String), message: expect.stringContaining('is missing; it may have') }]),
        },
        [],
      ]);
    });
  });

  describe('accepts a dashboard token if its declaration says so, from owners alone where it says that:', () => {
    it.each(named(ofAuth('organization')))('%s', async (_, operation) => {
      const inputs = succeed(operation);
      const others = contracts.SCOPES.filter((scope) => scope !== operation.scope);
      const [owner, member, limited] = await Promise.all([
        gateway.dashboard(),
        gateway.dashboard('MEMBER'),
        gateway.dashboard('OWNER', SCHOOL, [...others, 'dashboard:issue']),
      ]);
      const statuses = [
        (await call(operation, owner)).status,
        (await call(operation, member)).status,
        (await call(operation, limited)).status,
      ];
      const expected = { MEMBER: [200, 200, 200], OWNER: [200, 403, 403], none: [401, 401, 401] };
      expect(statuses).toEqual(expected[operation.dashboardRole ?? 'none']);
      for (const input of inputs) expect(input).toMatchObject({ organizationId: SCHOOL.organizationId });
    });
  });

  describe('accepts an API key with its scope and rejects all others:', () => {
    it.each(named(ofAuth('organization')))('%s', async (operationId, operation) => {
      const inputs = succeed(operation);
      const others = contracts.SCOPES.filter((scope) => scope !== operation.scope);
      const refused = await call(operation, gateway.anonymous.bearer(gateway.apiKey({ scopes: others }).key));
      expect([refused.status, refused.body, inputs]).toMatchObject([
        403,
        { error: 'FORBIDDEN', message: `This API key lacks the scope ${operation.scope}` },
        [],
      ]);
      const { status, body } = await call(operation, gateway.anonymous.bearer(gateway.apiKey({ scopes: [operation.scope ?? ''] }).key));
      expect([status, body]).toEqual([200, documented[operationId]]);
    });
  });

  describe('returns the errors of its service:', () => {
    it.each(named(operations))('%s', async (_, operation) => {
      const codes: ErrorCode[] = [...contracts.replyErrorsOf(operation)].filter((code) => contracts.errorsOf(operation).has(code));
      for (const code of codes) {
        const details = [{ path: 'field', message: 'is wrong' }];
        gateway.answer(operation, () => {
          throw new AppError(code, { message: `Because of ${code}`, details });
        });
        const { status, body } = await call(operation);
        expect([status, body]).toMatchObject([
          HTTP_STATUS[ERRORS[code].kind],
          { success: false, error: code, message: `Because of ${code}`, details },
        ]);
      }
    });
  });

  describe('stores its answer for an Idempotency-Key:', () => {
    const posts = operations.filter(({ method }) => method === 'POST');

    it.each(named(posts.filter(({ idempotency }) => idempotency === 'gateway')))('%s, in the gateway', async (operationId, operation) => {
      const inputs = succeed(operation);
      const key = { 'Idempotency-Key': operationId };
      const [first, second] = [await call(operation, undefined, key), await call(operation, undefined, key)];
      expect([second.status, second.body, inputs.length]).toEqual([200, documented[operationId], 1]);
      expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    });

    it.each(named(posts.filter(({ idempotency }) => idempotency === 'owner')))('%s, in the service', async (operationId, operation) => {
      const inputs: unknown[] = gateway.answer(operation, () => ({ ...(resultOf(operation) as object), isReplayed: inputs.length > 1 }));
      const key = { 'Idempotency-Key': operationId };
      const [first, second] = [await call(operation, undefined, key), await call(operation, undefined, key)];
      const idempotency = { key: operationId, bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown };
      expect(inputs).toEqual([expect.objectContaining({ idempotency }), inputs[0]]);
      expect([second.status, second.body]).toEqual([200, documented[operationId]]);
      expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
      const invalid = await call(operation, undefined, { 'Idempotency-Key': 'a b' });
      expect([invalid.status, invalid.body, inputs.length]).toMatchObject([400, { details: [{ path: 'Idempotency-Key' }] }, 2]);
    });

    it.each(named(posts.filter(({ idempotency }) => idempotency === 'none')))('%s, not at all', async (_, operation) => {
      const inputs = succeed(operation);
      for (let repeated = 0; repeated < 2; repeated++) await call(operation, undefined, { 'Idempotency-Key': 'any' });
      expect(inputs).toHaveLength(2);
      expect(inputs[0]).not.toHaveProperty('idempotency');
    });
  });

  it('is 503 with Retry-After if its service does not respond or its timeout passes', async () => {
    const received = gateway.ignore(classroomRpc.authorize);
    const silent = gateway.ignore(getOrganization);
    const { value } = gateway.credential({ organizationId: 'org_unknown_so_far' });
    const answers = await Promise.all([
      // No service responds.
      gateway.operator.get(`/v1/admin/organizations/${SCHOOL.organizationId}/statements`),
      // The service receives the request.
      gateway.operator.get(`/v1/admin/organizations/${SCHOOL.organizationId}`),
      clientOf(contracts.endClass).post(stopRecording.inClass?.path ?? ''),
      // The service that knows the caller receives the request.
      gateway.withValue(value).get(listVideos.path),
    ]);
    for (const { status, headers, body } of answers) {
      expect([status, body]).toMatchObject([503, { success: false, error: 'SERVICE_UNAVAILABLE' }]);
      expect(headers.get('retry-after')).toBe('2');
    }
    expect([received.length, silent.length]).toEqual([1, 2]);
  });

  it('receives the organization’s logo and the rights of the API key where it needs them', async () => {
    const logoUrl = 'https://lakeside.example/logo.png';
    const school = gateway.organization({ branding: { ...SCHOOL.branding, logoUrl } });
    const recordings = succeed(startRecording);
    await call(startRecording, gateway.backendOf(school));
    await call(startRecording);
    expect(recordings).toMatchObject([{ organizationId: school.organizationId, logoUrl }, { logoUrl: null }]);
    const keys = succeed(contracts.createApiKey);
    const [scopes, expiresAt] = [['keys:manage'], '2999-01-01T00:00:00.000Z'];
    await call(contracts.createApiKey, gateway.anonymous.bearer(gateway.apiKey({ scopes, expiresAt }).key));
    await call(contracts.createApiKey);
    expect(keys).toEqual([
      expect.objectContaining({ by: { keyId: expect.any(String), scopes, expiresAt } }),
      expect.not.objectContaining({ by: expect.anything() }),
    ]);
  });

  it('cannot be called for another organization by a field of the body or the query', async () => {
    const [videos, rooms] = [succeed(contracts.createVideo), succeed(contracts.listRooms)];
    await gateway.backend.post(contracts.createVideo.path, { ...(contracts.createVideo.example?.body as object), organizationId: 'org_b' });
    await gateway.backend.get(`${contracts.listRooms.path}?organizationId=org_b`);
    expect([...videos, ...rooms]).toMatchObject([1, 2].map(() => ({ organizationId: SCHOOL.organizationId })));
  });
});
