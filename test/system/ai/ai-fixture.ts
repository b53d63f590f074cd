import {
  adminApi,
  type ApiClient,
  eventually,
  newOrganization,
  newRoom,
  person,
  RecordedOpenAi,
  RtcParticipant,
  type RunningStack,
  sharedStack,
  TestStack,
} from '@classroom/testing';

/** A stack without models of its own, which therefore answers offline, and a provider that records its requests. */
export interface AiFixture<S extends RunningStack = RunningStack> {
  stack: S;
  provider: RecordedOpenAi;
  /** Address of the provider in the AI settings. */
  providerUrl: string;
  stop(): Promise<void>;
}

export interface School {
  organizationId: string;
  /** Of VF-ORG-ID. */
  value: string;
  api: ApiClient;
}

/** Prices per million tokens: an input token costs 0.001, an output token 0.002. */
export const PRICES = { perMillionInputTokens: '1000', perMillionOutputTokens: '2000' };

/** A provider for the stack that test files share. */
export const startAiFixture = (): Promise<AiFixture> => withProvider(sharedStack, async () => undefined);

/** A stack that a test may break. @param ai additional variables of the AI service */
export const startOwnAiFixture = (ai: Record<string, string>): Promise<AiFixture<TestStack>> =>
  withProvider(
    () => TestStack.start({ apps: ['organization', 'room', 'gateway', 'billing', 'ai'], env: { ai } }),
    (stack) => stack.stop(),
  );

async function withProvider<S extends RunningStack>(start: () => Promise<S>, stop: (stack: S) => Promise<void>): Promise<AiFixture<S>> {
  const provider = new RecordedOpenAi();
  const { url: providerUrl } = await provider.start();
  try {
    const stack = await start();
    const stopAll = async () => {
      await RtcParticipant.disposeAll();
      await stop(stack);
      await provider.stop();
    };
    return { stack, provider, providerUrl, stop: stopAll };
  } catch (error) {
    await provider.stop();
    throw error;
  }
}

/** Creates an organization that uses the recorded provider. `model` is its chat model: each model has its own circuit breaker. */
export async function schoolWithModels({ stack, providerUrl: baseUrl }: AiFixture, model = 'recorded-chat'): Promise<School> {
  const school = await newOrganization(stack);
  const at = { provider: 'openai-compatible', baseUrl, apiKey: 'a-key-for-tests' };
  const answer = await adminApi(stack).patch(`/v1/admin/organizations/${school.organizationId}/ai`, {
    chat: { ...at, model },
    speechToText: { ...at, model: 'recorded-listener' },
    textToSpeech: { ...at, model: 'recorded-speaker' },
    prices: [{ model, ...PRICES }],
  });
  if (answer.status !== 200) throw new Error(`no models: ${answer.status} ${answer.text}`);
  return school;
}

/** Creates an organization without models, so that it gets the installation's offline provider. */
export const offlineSchool = ({ stack }: AiFixture): Promise<School> => newOrganization(stack);

export interface Class {
  roomId: string;
  /** The body of a student's question, as the backend sends it. */
  ask(student: string, text: string, more?: object): { roomId: string; studentUid: string; organizationId: string; text: string };
}

export async function newClass({ value, api }: School, more: object = {}): Promise<Class> {
  const { roomId } = await newRoom(api, { participant: person('teacher'), ...more });
  return { roomId, ask: (studentUid, text, extra = {}) => ({ roomId, studentUid, organizationId: value, text, ...extra }) };
}

/** Lets a participant join and waits until presence has them. @returns a client with their token, for calls as the class page makes them */
export async function inClass({ stack }: AiFixture, { api }: School, roomId: string, uid: string, role = 'STUDENT'): Promise<ApiClient> {
  const joined = await api.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) });
  if (joined.status !== 200) throw new Error(`${uid} may not join: ${joined.status} ${joined.text}`);
  const { token } = joined.body.data as { token: string };
  const session = await api.bearer(token).post('/v1/classroom/session');
  if (session.status !== 200) throw new Error(`${uid} has no session: ${session.status} ${session.text}`);
  const { livekitToken, classroomToken } = session.body.data as { livekitToken: string; classroomToken: string };
  await RtcParticipant.connect(stack.urls.livekitPublic, livekitToken);
  await eventually(async () => {
    const { participants } = (await api.get(`/v1/room/${roomId}/participants`)).body.data;
    expect(participants).toContainEqual(expect.objectContaining({ uid, isConnected: true }));
  });
  return api.bearer(classroomToken);
}
