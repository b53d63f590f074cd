import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import {
  apiKeyRpc,
  AppError,
  classroomRpc,
  credentialRpc,
  dashboardTokenRpc,
  getOrganization,
  validationError,
  type ClassroomCaller,
  type EndpointContract,
  type Organization,
  type RpcContract,
  type RpcInput,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import { startTextStream, type TextSource } from '@classroom/messaging';
import { adminApi, ApiClient, TestStack, type StackOptions } from '@classroom/testing';
import type { z } from 'zod';

type Answer<C extends RpcContract> = (input: RpcInput<C>) => RpcOutput<C> | Promise<RpcOutput<C>>;
type KnownCredential = RpcOutput<typeof credentialRpc.find>;
type KnownKey = RpcOutput<typeof apiKeyRpc.find>;

interface Handler {
  subscription: Subscription;
  handle: (body: unknown) => Promise<unknown>;
}

const ANSWERS = join(__dirname, '..', '..', '..', '..', 'libs', 'api-reference', 'src', 'answers.json');

/** The answers to the examples, as the API reference documents them, by operation id. */
export const documented = JSON.parse(readFileSync(ANSWERS, 'utf8')) as Record<string, Record<string, unknown>>;

/** The `data` of a documented answer, of the type that its contract declares. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
export const dataOf = <T>({ operationId }: Pick<EndpointContract, 'operationId'>): T => documented[operationId]?.['data'] as T;

/** The organization of the examples. */
export const SCHOOL = dataOf<Organization>(getOrganization);

/** Subjects that every test needs. */
const IDENTIFYING = new Set(
  [
    getOrganization,
    credentialRpc.find,
    credentialRpc.used,
    apiKeyRpc.find,
    apiKeyRpc.used,
    classroomRpc.authenticate,
    dashboardTokenRpc.open,
    dashboardTokenRpc.version,
  ].map(({ subject }) => subject),
);

const base64url = (bytes: number) => randomBytes(bytes).toString('base64url');
/** The fixture's value of VF-ORG-ID for an organization. */
export const valueOf = (organizationId: string) => `value-of-${organizationId}`;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
/** Has the form of a token. Only the service that a test simulates knows it. */
const newBearer = () => [8, 32, 32].map(base64url).join('.');

/** The built gateway on real NATS and Redis. The test answers for the services by their contracts. */
export class GatewayFixture {
  private readonly handlers = new Map<string, Handler>();
  private readonly organizations = new Map<string, Organization>([[SCHOOL.organizationId, SCHOOL]]);
  /** By the hash of the value. */
  private readonly credentials = new Map<string, KnownCredential>();
  private readonly keys = new Map<string, KnownKey>();
  private readonly tokenVersions = new Map<string, number>();
  /** Ids of the open ones. */
  private readonly dashboardSessions = new Set<string>();
  private readonly participants = new Map<string, ClassroomCaller>();

  /** Calls without any credential. */
  readonly anonymous: ApiClient;
  /** Calls of the operators. */
  readonly operator: ApiClient;
  /** Calls of the backend of the examples' organization. */
  readonly backend: ApiClient;

  private constructor(
    readonly stack: TestStack,
    readonly nats: NatsConnection,
  ) {
    this.anonymous = new ApiClient(stack.urls.gateway);
    this.operator = adminApi(stack);
    this.backend = this.backendOf(SCHOOL);
    this.credential(SCHOOL);
    this.identifyCallers();
  }

  static async start({ env, ...options }: StackOptions = {}): Promise<GatewayFixture> {
    const livekit = { LIVEKIT_PUBLIC_URL: 'wss://livekit.example', EGRESS_LIVEKIT_URL: 'ws://livekit.internal:7880' };
    const gateway = { ...livekit, HEALTH_REQUESTS_PER_MINUTE: '10000', ...env?.['gateway'] };
    const stack = await TestStack.start({
      parts: ['nats', 'redis', 's3'],
      apps: ['gateway'],
      livekit: false,
      ...options,
      env: { ...env, gateway },
    });
    return new GatewayFixture(stack, await connect(stack.nats));
  }

  async stop(): Promise<void> {
    await this.nats.close();
    await this.stack.stop();
  }

  /** From now on, no service responds, apart from those that identify callers. */
  async reset(): Promise<void> {
    for (const [subject, { subscription }] of this.handlers) {
      if (IDENTIFYING.has(subject)) continue;
      subscription.unsubscribe();
      this.handlers.delete(subject);
    }
    this.identifyCallers();
    // A request that the server passes to an ended subscription would be lost.
    await this.nats.flush();
  }

  private identifyCallers(): void {
    this.answer(getOrganization, ({ organizationId }) => found(this.organizations.get(organizationId), 'ORGANIZATION_NOT_FOUND'));
    const versionOf = (organizationId: string) => {
      found(this.organizations.get(organizationId), 'ORGANIZATION_NOT_FOUND');
      return this.tokenVersions.get(organizationId) ?? 0;
    };
    this.answer(dashboardTokenRpc.version, ({ organizationId, sessionId = '' }) => ({
      version: versionOf(organizationId),
      isOpen: this.dashboardSessions.has(sessionId),
    }));
    this.answer(dashboardTokenRpc.open, ({ organizationId, sessionId }) => {
      this.dashboardSessions.add(sessionId);
      return { version: versionOf(organizationId) };
    });
    this.answer(credentialRpc.find, ({ hash }) => found(this.credentials.get(hash), 'CREDENTIAL_NOT_FOUND'));
    this.answer(credentialRpc.used, () => ({}));
    this.answer(apiKeyRpc.find, ({ prefix }) => found(this.keys.get(prefix), 'API_KEY_NOT_FOUND'));
    this.answer(apiKeyRpc.used, () => ({}));
    this.answer(classroomRpc.authenticate, ({ bearer }) => found(this.participants.get(bearer), 'UNAUTHORIZED'));
  }

  /**
   * Answers an RPC of a service from now on. `answer` may throw an AppError. An input that does not match the contract is refused.
   * @returns the inputs that are received, as they were sent
   */
  answer<C extends RpcContract>(contract: C, answer: Answer<C>): RpcRequest<C>[] {
    const { subject, service, input } = contract;
    const received: RpcRequest<C>[] = [];
    const handle = async (body: unknown) => {
      const parsed = input.safeParse(body);
      if (!parsed.success) throw validationError(parsed.error);
      received.push(body as RpcRequest<C>);
      return answer(parsed.data as RpcInput<C>);
    };
    const callback = (_: unknown, message: Msg) => void this.respond(message, subject);
    const subscription = this.handlers.get(subject)?.subscription ?? this.nats.subscribe(subject, { queue: service, callback });
    this.handlers.set(subject, { subscription, handle });
    return received;
  }

  private async respond(message: Msg, subject: string): Promise<void> {
    try {
      message.respond(JSON.stringify({ data: await this.handlers.get(subject)?.handle(message.json()) }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      message.respond(JSON.stringify({ error: error.toReply() }));
    }
  }

  /** Receives an RPC and never answers it. */
  ignore<C extends RpcContract>(contract: C): RpcRequest<C>[] {
    return this.answer(contract, () => new Promise(() => undefined));
  }

  /** Answers an RPC with a text stream. */
  stream<C extends RpcContract<z.ZodType<{ inbox: string }>>>(contract: C, source: TextSource): RpcRequest<C>[] {
    const open = ({ inbox }: { inbox: string }) => ({ control: startTextStream(this.nats, inbox, source).control });
    return this.answer(contract, open as unknown as Answer<C>);
  }

  /** A new organization, which no cache of the gateway contains. */
  organization(overrides: Partial<Organization> = {}): Organization {
    const school = this.change({ ...SCHOOL, organizationId: `org_${randomUUID()}`, ...overrides });
    this.credential(school);
    return school;
  }

  /** Changes what the organization service answers from now on. */
  change(organization: Organization): Organization {
    this.organizations.set(organization.organizationId, organization);
    return organization;
  }

  /** The organization service no longer knows the organization. */
  forget({ organizationId }: Organization): void {
    this.organizations.delete(organizationId);
  }

  /** A credential of an organization, by default the one of `backendOf`. @returns its value and its id */
  credential(
    { organizationId }: Pick<Organization, 'organizationId'>,
    { value = valueOf(organizationId), expiresAt = null }: { value?: string; expiresAt?: string | null } = {},
  ): { value: string; credentialId: string } {
    const credentialId = `cred_${randomBytes(10).toString('hex')}`;
    this.credentials.set(sha256(value), { credentialId, organizationId, expiresAt });
    return { value, credentialId };
  }

  /** The organization service no longer knows the credential. */
  revokeCredential(value: string): void {
    this.credentials.delete(sha256(value));
  }

  /** The organization service refuses the dashboard tokens that exist. @returns the version that is valid from now on */
  revokeDashboardTokens({ organizationId }: Organization): number {
    const version = (this.tokenVersions.get(organizationId) ?? 0) + 1;
    this.tokenVersions.set(organizationId, version);
    return version;
  }

  /** The organization service no longer knows the session. */
  endDashboardSession(sessionId: string): void {
    this.dashboardSessions.delete(sessionId);
  }

  /** Calls of an organization's backend, with the first value of VF-ORG-ID. */
  backendOf({ organizationId }: Pick<Organization, 'organizationId'>): ApiClient {
    return this.withValue(valueOf(organizationId));
  }

  /** Calls with any value of VF-ORG-ID. */
  withValue(value: string): ApiClient {
    return this.anonymous.with({ 'VF-ORG-ID': value });
  }

  /** A new API key. `validUntil` and `expiresAt` are timestamps. */
  apiKey({ validUntil = null, ...overrides }: Partial<KnownKey> & { validUntil?: string | null } = {}): { key: string; prefix: string } {
    const prefix = randomBytes(8).toString('hex');
    const { organizationId } = SCHOOL;
    const keyId = `key_${randomBytes(10).toString('hex')}`;
    this.keys.set(prefix, { keyId, organizationId, scopes: [], expiresAt: null, secrets: [], ...overrides });
    return { key: this.rotate(prefix, validUntil), prefix };
  }

  /** @returns the key with another secret, in addition to the earlier ones */
  rotate(prefix: string, validUntil: string | null = null): string {
    const secret = base64url(32);
    this.keys.get(prefix)?.secrets.push({ hash: sha256(secret), validUntil });
    return `vc_live_${prefix}_${secret}`;
  }

  /** The organization service no longer knows the key. */
  revoke(prefix: string): void {
    this.keys.delete(prefix);
  }

  /** The organization service accepts none of the key's secrets until now. */
  expireSecrets(prefix: string): void {
    this.keys.get(prefix)?.secrets.splice(0);
  }

  /** A participant of a new class, whose join token and classroom token are the same here. */
  participant(overrides: Partial<ClassroomCaller> = {}): { caller: ClassroomCaller; bearer: string; api: ApiClient } {
    const bearer = newBearer();
    const sid = `RM_${randomBytes(8).toString('hex')}`;
    const { organizationId } = SCHOOL;
    const caller = { sid, uid: 'student-731', organizationId, sessionNumber: 1, issuedAt: Date.now(), ...overrides };
    this.participants.set(bearer, caller);
    return { caller, bearer, api: this.anonymous.bearer(bearer) };
  }

  /** Calls of a user of an organization's dashboard. */
  async dashboard(
    role: 'OWNER' | 'MEMBER' = 'OWNER',
    { organizationId }: Pick<Organization, 'organizationId'> = SCHOOL,
  ): Promise<ApiClient> {
    const path = `/v1/admin/organizations/${organizationId}/dashboard-tokens`;
    const { body, text } = await this.operator.post(path, { subject: 'head@lakeside.example', role });
    if (!body.data) throw new Error(`no dashboard token: ${text}`);
    return this.anonymous.bearer(body.data.token as string);
  }
}

function found<T>(value: T | undefined, code: ConstructorParameters<typeof AppError>[0]): T {
  if (value === undefined) throw new AppError(code);
  return value;
}
