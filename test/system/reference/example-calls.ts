import * as contracts from '@classroom/contracts';
import { adminApi, type Answer, ApiClient, type RunningStack } from '@classroom/testing';

type Endpoint = contracts.EndpointContract;

/** All operations that the contracts declare. */
export const OPERATIONS = contracts.endpointsAmong(Object.values(contracts));

const namesIn = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
const fieldsOf = (value: unknown) => (typeof value === 'object' ? Object.entries(value ?? {}) : []) as [string, string][];

/** The names of what a path can identify, such as `roomId`. */
const PARAMETERS = new Set(OPERATIONS.flatMap(({ path }) => namesIn(path)));
/** By parameter, the id of an example: for operations that have none. */
const SAMPLES = Object.assign({}, ...OPERATIONS.map(({ example }) => example?.params)) as Record<string, string>;

/** Where the answer of an operation has the ids of later calls, by the parameter that they are for. */
const MADE: Record<string, Record<string, string>> = {
  createOrganization: { organizationId: 'id', value: 'organizationId' },
  createCredentialForOrganization: { credentialId: 'credentialId' },
  createCredential: { credentialId: 'credentialId' },
  createApiKeyForOrganization: { keyId: 'keyId' },
  createApiKey: { keyId: 'keyId' },
  createRoom: { sid: 'room.sid' },
  createPoll: { pollId: 'pollId' },
  sendChatMessage: { messageId: 'id' },
  getTutorDialogue: { questionId: 'turns.0.questionId' },
  addBoardPage: { pageId: 'pageId' },
  createDocument: { documentId: 'documentId' },
  createDocumentInClass: { documentId: 'documentId' },
  createVideo: { videoId: 'videoId' },
  createWebhookEndpoint: { endpointId: 'endpointId' },
  listWebhookDeliveries: { deliveryId: 'deliveries.0.deliveryId' },
  listDeadLetters: { deadLetterId: 'deadLetters.0.deadLetterId' },
  issueDashboardTokenForOrganization: { sessionId: 'sessionId' },
  issueDashboardToken: { code: 'code', sessionId: 'sessionId' },
  createErasure: { erasureId: 'erasureId' },
  createExport: { exportId: 'exportId' },
  startRecording: { egressId: 'egressId' },
};

/** @returns the text at a path of names and indexes @throws if there is none */
function textAt(data: unknown, path: string): string {
  const found = path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], data);
  if (typeof found !== 'string') throw new Error(`no ${path} in ${JSON.stringify(data)}`);
  return found;
}

export interface ExampleCall {
  method: string;
  path: string;
  body?: object | undefined;
}

/** Makes the calls of the reference's examples for one school, with real ids in place of the documented ones. */
export class ExampleCalls {
  /** Real ids by parameter. One that is not here is used as the example has it. */
  readonly ids: Record<string, string> = {};
  /** Fields in place of those of an example's body, by operation. */
  readonly bodies: Record<string, object> = {};
  /** The same for the query. */
  readonly queries: Record<string, object> = {};
  organization: ApiClient;
  /** A join token, a classroom token and a dashboard token. */
  token = '';
  classroomToken = '';
  dashboardToken = '';

  constructor(readonly stack: RunningStack) {
    this.organization = new ApiClient(stack.urls.gateway);
  }

  /** The caller for whom the operation exists. */
  callerOf({ auth }: Endpoint): ApiClient {
    const anonymous = new ApiClient(this.stack.urls.gateway);
    const bearers = { participant: this.token, classroom: this.classroomToken, dashboard: this.dashboardToken };
    if (auth === 'dispatch') return adminApi(this.stack);
    if (auth === 'organization') return this.organization;
    return auth === 'none' || auth === 'livekit' ? anonymous : anonymous.bearer(bearers[auth]);
  }

  /**
   * The resources that the call names and does not create: the ids by parameter, those of the path first.
   * @throws if there is neither an example of a parameter nor a real id: then `MADE` lacks where it comes from
   */
  resourcesOf({ path, example, links = {} }: Endpoint): Record<string, string> {
    const isMade = (name: string) => links[name]?.startsWith('$response') ?? false;
    const inPath = namesIn(path)
      .filter((name) => !isMade(name))
      .map((name): [string, string] => [name, example?.params?.[name] ?? SAMPLES[name] ?? '']);
    const elsewhere = [...fieldsOf(example?.query), ...fieldsOf(example?.body)].filter(([name]) => PARAMETERS.has(name) && !isMade(name));
    return Object.fromEntries([...inPath, ...elsewhere].map(([name, sample]) => [name, this.idOf(name, sample)]));
  }

  /** Whether the call can be made already. */
  isPossible({ path }: Endpoint): boolean {
    return namesIn(path).every((name) => name in this.ids || name in SAMPLES);
  }

  private idOf(name: string, sample: string): string {
    const id = this.ids[name] ?? sample;
    if (!id) throw new Error(`there is no value of :${name}`);
    return id;
  }

  /** @param others ids in place of this school's, by parameter */
  requestOf(endpoint: Endpoint, others: Record<string, string> = {}): ExampleCall {
    const ids = { ...this.resourcesOf(endpoint), ...others };
    const { query, body } = endpoint.example ?? {};
    const named = (values: unknown) => Object.fromEntries(fieldsOf(values).map(([name, value]) => [name, ids[name] ?? value]));
    const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(ids[name] ?? SAMPLES[name] ?? ''));
    const search = new URLSearchParams({ ...named(query), ...this.queries[endpoint.operationId] }).toString();
    return {
      method: endpoint.method,
      path: search ? `${path}?${search}` : path,
      ...(body === undefined ? {} : { body: { ...named(body), ...this.bodies[endpoint.operationId] } }),
    };
  }

  /** Makes the call as its documentation says, which must succeed, and takes the ids and tokens of the answer for later calls. */
  async call(endpoint: Endpoint): Promise<Answer> {
    const { operationId } = endpoint;
    const answer = await this.callerOf(endpoint).call(this.requestOf(endpoint));
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()]);
    if (endpoint.produces[0] === 'application/json') expect(endpoint.response.safeParse(answer.body).error).toBeUndefined();
    else expect(answer.headers.get('content-type')).toContain(endpoint.produces[0]);
    const data = (answer.body as { data?: unknown } | undefined)?.data;
    for (const [parameter, path] of Object.entries(MADE[operationId] ?? {})) this.ids[parameter] = textAt(data, path);
    if (operationId === 'startRecording') this.ids['recordingId'] = `rec_${textAt(data, 'egressId')}`;
    if (operationId === 'createOrganization') this.organization = this.organization.with({ 'VF-ORG-ID': textAt(data, 'organizationId') });
    if (operationId === 'createRoom') this.token = textAt(data, 'token');
    if (operationId === 'openClassroomSession') this.classroomToken = textAt(data, 'classroomToken');
    if (operationId === 'issueDashboardTokenForOrganization' || operationId === 'issueDashboardToken')
      this.dashboardToken = textAt(data, 'token');
    return answer;
  }
}
