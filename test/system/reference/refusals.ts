import { randomBytes, randomUUID } from 'node:crypto';
import { createOrganization, createRoom, ERRORS, SCOPES, type EndpointAuth, type EndpointContract } from '@classroom/contracts';
import { adminApi, ApiClient, newOrganization, newRoom, type RunningStack } from '@classroom/testing';
import { OPERATIONS, type ExampleCall, type ExampleCalls } from './example-calls.js';

type Credential = 'organization' | 'apiKey' | 'dispatch' | 'join' | 'media' | 'classroom' | 'dashboard';

const acceptedBy = ({ auth, dashboardRole }: EndpointContract): readonly Credential[] =>
  auth === 'organization' && dashboardRole ? [...ACCEPTED[auth], 'dashboard'] : ACCEPTED[auth];

const ACCEPTED: Record<EndpointAuth, readonly Credential[]> = {
  none: [],
  livekit: [],
  organization: ['organization', 'apiKey'],
  dispatch: ['dispatch'],
  participant: ['join', 'classroom'],
  classroom: ['classroom'],
  dashboard: ['dashboard'],
};

/**
 * Changes by itself while a class runs: the recorder's work, reactions (shown for ten seconds), deliveries, lookups of domains, and the
 * recorded use of credentials.
 */
const MOVING = new Set([
  'requestId',
  'isRecording',
  'recording',
  'reactions',
  'version',
  'lastUsedAt',
  'attempts',
  'nextAttemptAt',
  'lastAttempt',
  'lookup',
  'checkedAt',
]);
const isSteady = ({ tag, scope }: EndpointContract) =>
  !['Recordings', 'Privacy', 'System'].includes(tag) && scope !== 'billing:read' && scope !== 'reports:read';

/** Names and titles in the examples, which no answer to another organization may contain. */
const TEXTS = JSON.stringify([createOrganization.example, createRoom.example])
  .split('"')
  .filter((text) => text.includes(' '));

/** What only dashboards call is below `/v1/dashboard`. */
const areaOf = ({ auth, path }: EndpointContract) => `${auth} ${path.split('/')[auth === 'dashboard' ? 3 : 2]}`;

/** Without the id and the time of an erasure or an export, which each answer has of its own. */
const withoutNew = (text: string) => text.replaceAll(/(?:era|exp)_[A-Za-z0-9]{20}|"requestedAt":"[^"]+"/g, '');

/** An id of the same form that was never given. */
function neverUsed(id: string): string {
  if (/^[0-9a-f]{8}-/.test(id)) return randomUUID();
  const [, kind = '', rest = ''] = /^(.*_)?(.*)$/.exec(id) ?? [];
  if (/^[0-9]+$/.test(rest)) return kind + '9'.repeat(rest.length);
  return kind + randomBytes(rest.length).toString('hex').slice(0, rest.length);
}

/** What a request gets from callers for whom it does not exist: strangers, other kinds of callers, another school. */
export class Refusals {
  private constructor(
    private readonly owner: ExampleCalls,
    /** What the other school has, by parameter. */
    private readonly ids: Record<string, string>,
    private readonly credentials: Record<Credential, string>,
  ) {}

  /** Opens another school with every kind of credential. */
  static async of(owner: ExampleCalls, stack: RunningStack): Promise<Refusals> {
    const { api, value, organizationId } = await newOrganization(stack);
    const path = `/v1/admin/organizations/${organizationId}/dashboard-tokens` as const;
    const { token: join, roomId } = await newRoom(api);
    const [endpoint, key, dashboard, session] = await Promise.all([
      api.post('/v1/webhook-endpoints', { url: 'https://other.example/hook' }),
      api.post('/v1/api-keys', { name: 'Theirs', scopes: SCOPES }),
      adminApi(stack).post(path, { subject: 'them', role: 'OWNER' }),
      api.bearer(join).post('/v1/classroom/session'),
    ]);
    return new Refusals(
      owner,
      { organizationId, roomId, endpointId: endpoint.body.data.endpointId },
      {
        organization: value,
        apiKey: key.body.data.secret,
        dispatch: stack.secrets['dispatchSecret'] ?? '',
        join,
        media: session.body.data.livekitToken,
        classroom: session.body.data.classroomToken,
        dashboard: dashboard.body.data.token,
      },
    );
  }

  private get anonymous(): ApiClient {
    return new ApiClient(this.owner.stack.urls.gateway);
  }

  /** A caller with this credential in every place for credentials. */
  private with(credential: Credential): ApiClient {
    const value = this.credentials[credential];
    return this.anonymous.with({ 'VF-ORG-ID': value, 'X-Dispatch-Secret': value, authorization: `Bearer ${value}` });
  }

  /** The caller of the other school for whom the operation exists. */
  private themselves({ auth }: EndpointContract, credential: Credential): ApiClient {
    const value = this.credentials[credential];
    if (auth === 'organization' && credential === 'organization') return this.anonymous.with({ 'VF-ORG-ID': value });
    return auth === 'dispatch' ? this.anonymous.with({ 'X-Dispatch-Secret': value }) : this.anonymous.bearer(value);
  }

  /** Asserts that no credential, and no credential of another kind, is a 401. */
  async expectUnauthorized(endpoint: EndpointContract): Promise<void> {
    const { auth, unknownOrganization } = endpoint;
    if (auth === 'none') return;
    const request = this.owner.requestOf(endpoint);
    const others = (Object.keys(this.credentials) as Credential[]).filter((one) => !acceptedBy(endpoint).includes(one));
    const codeOf = async (api: ApiClient) => (await this.answer(api, request)).code;
    const [anonymous, ...codes] = await Promise.all([codeOf(this.anonymous), ...others.map((one) => codeOf(this.with(one)))]);
    expect(anonymous).toBe('UNAUTHORIZED');
    // Another kind of credential may have the form of a value of VF-ORG-ID, which is of no organization.
    expect(['UNAUTHORIZED', ...(auth === 'organization' ? [unknownOrganization] : [])]).toEqual(expect.arrayContaining(codes));
  }

  /** Asserts that an id that was never used is a 404 for the owner, in each place, unless the interface answers it otherwise. */
  async expectUnknown(endpoint: EndpointContract): Promise<void> {
    const { organizationId, ...resources } = this.owner.resourcesOf(endpoint);
    const inPath = endpoint.path.includes(':organizationId') && organizationId ? { organizationId, ...resources } : resources;
    await Promise.all(
      Object.entries(inPath).map(async ([name, id]) => {
        const request = this.owner.requestOf(endpoint, { [name]: neverUsed(id) });
        const { status } = await this.answer(this.owner.callerOf(endpoint), request);
        expect([name, status]).toEqual([name, statusOfUnknown(endpoint)]);
      }),
    );
  }

  /**
   * Asserts that the other school's callers learn nothing about the owner's resources: they get the answer for an id that was never
   * used, also where they name something of theirs that should contain it, and the owner sees the same as before.
   */
  async expectForeign(endpoint: EndpointContract): Promise<void> {
    const { auth, method } = endpoint;
    const { organizationId, ...resources } = this.owner.resourcesOf(endpoint);
    const names = Object.keys(resources);
    // Operators read everything: what they name belongs to an organization, or to all of them.
    const isOfAll = auth === 'none' || auth === 'livekit' || (auth === 'dispatch' && (names.length === 0 || organizationId === undefined));
    if (isOfAll || (names.length === 0 && method !== 'GET')) return;
    const before = await this.view(endpoint);
    await Promise.all(
      acceptedBy(endpoint).map(async (credential) => {
        if (names.length === 0) {
          const { status } = await this.answer(this.themselves(endpoint, credential), this.owner.requestOf(endpoint));
          // The other school has set no bucket.
          expect(status).toBe(endpoint.errors.includes('RECORDING_BUCKET_NOT_FOUND') ? 404 : 200);
        }
        for (const [n, name] of names.entries()) {
          // A caller names its own organization; operators name any.
          const theirs = this.ownIds([...(organizationId === undefined ? [] : ['organizationId']), ...names.slice(0, n)]);
          await this.expectAsUnknown(endpoint, credential, theirs, name);
        }
      }),
    );
    expect(await this.view(endpoint)).toEqual(before);
  }

  /** @throws if the other school lacks one of these */
  private ownIds(names: readonly string[]): Record<string, string> {
    const missing = names.find((name) => !(name in this.ids));
    if (missing !== undefined) throw new Error(`the other school has no ${missing}`);
    return Object.fromEntries(names.map((name) => [name, this.ids[name] ?? '']));
  }

  private async expectAsUnknown(endpoint: EndpointContract, credential: Credential, theirs: Record<string, string>, name: string) {
    const api = this.themselves(endpoint, credential);
    const id = this.owner.resourcesOf(endpoint)[name] ?? '';
    const unknown = neverUsed(id);
    const [foreign, expected] = await Promise.all([
      this.answer(api, this.owner.requestOf(endpoint, theirs)),
      this.answer(api, this.owner.requestOf(endpoint, { ...theirs, [name]: unknown })),
    ]);
    expect([foreign.status, withoutNew(foreign.text)]).toEqual([expected.status, withoutNew(expected.text.replaceAll(unknown, id))]);
    // No API key may manage credentials, whatever their ids.
    const isForbidden = expected.code === 'FORBIDDEN' && credential === 'apiKey';
    expect(foreign.status).toBe(isForbidden ? 403 : statusOfUnknown(endpoint));
  }

  /** What the owner reads in the area of an operation that changes something, without what changes by itself. */
  private async view(endpoint: EndpointContract): Promise<unknown> {
    if (endpoint.method === 'GET') return undefined;
    const reads = OPERATIONS.filter(
      (it) => it.method === 'GET' && areaOf(it) === areaOf(endpoint) && isSteady(it) && this.owner.isPossible(it),
    );
    return Promise.all(
      reads.map(async (it) => {
        const { status, text } = await this.owner.callerOf(it).call(this.owner.requestOf(it));
        return [it.operationId, status, JSON.parse(text, (key, value: unknown) => (MOVING.has(key) ? undefined : value))];
      }),
    );
  }

  /** @throws if the answer contains what identifies the owner or is in its data, other than what the request contained */
  private async answer(api: ApiClient, request: ExampleCall): Promise<{ status: number; code: unknown; text: string }> {
    const { status, text, body } = await api.call(request);
    const sent = JSON.stringify(request);
    const canaries = [...TEXTS, ...Object.values(this.owner.ids)].filter((canary) => !sent.includes(canary));
    expect(canaries.filter((canary) => text.includes(canary))).toEqual([]);
    return { status, code: body?.error, text: text.replace(/"requestId":"[^"]+"/, '') };
  }
}

/** What the interface answers about something that does not exist: a room's status, for example, is that there is none. */
const statusOfUnknown = ({ errors }: EndpointContract) => (errors.some((code) => ERRORS[code].kind === 'not_found') ? 404 : 200);
