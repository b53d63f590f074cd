import {
  adminApi,
  type ApiClient,
  newOrganization,
  newRoom,
  person,
  RecordedOpenAi,
  SimulatedLiveKit,
  TestStack,
} from '@classroom/testing';

/** A stack with all services that answer questions, on the simulated LiveKit, with a provider that records its requests. */
export interface AiBench {
  stack: TestStack;
  livekit: SimulatedLiveKit;
  provider: RecordedOpenAi;
  /** Address of the provider in the AI settings. */
  providerUrl: string;
  stop(): Promise<void>;
}

export interface School {
  organizationId: string;
  api: ApiClient;
}

/** Prices per million tokens: an input token costs 0.001, an output token 0.002. */
export const PRICES = { perMillionInputTokens: '1000', perMillionOutputTokens: '2000' };

/** Starts an installation without models, which therefore answers offline. @param ai additional variables of the AI service */
export async function startAiBench(ai: Record<string, string> = {}): Promise<AiBench> {
  const { gatewayPort, portBase } = await pickPorts();
  const livekit = new SimulatedLiveKit({ webhookUrls: [`http://127.0.0.1:${gatewayPort}/livekit/webhook`] });
  const provider = new RecordedOpenAi();
  let stack: TestStack | undefined;
  const stop = async () => {
    await livekit.stop();
    await stack?.stop();
    await provider.stop();
  };
  try {
    const { url: livekitUrl, apiKey: livekitApiKey, apiSecret: livekitApiSecret } = await livekit.start();
    const { url } = await provider.start();
    const apps = ['organization', 'room', 'gateway', 'billing', 'ai'];
    stack = await TestStack.start({
      gatewayPort,
      portBase,
      apps,
      env: { ai },
      livekit: false,
      livekitUrl,
      livekitApiKey,
      livekitApiSecret,
    });
    return { stack, livekit, provider, providerUrl: url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Creates an organization that uses the recorded provider. `model` is its chat model: each model has its own circuit breaker. */
export async function schoolWithModels({ stack, providerUrl: baseUrl }: AiBench, model = 'recorded-chat'): Promise<School> {
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
export const offlineSchool = ({ stack }: AiBench): Promise<School> => newOrganization(stack);

export interface Class {
  roomId: string;
  /** The body of a student's question, as the backend sends it. */
  ask(student: string, text: string, more?: object): { roomId: string; studentUid: string; organizationId: string; text: string };
}

export async function newClass({ organizationId, api }: School, more: object = {}): Promise<Class> {
  const { roomId } = await newRoom(api, { participant: person('teacher'), ...more });
  return { roomId, ask: (studentUid, text, extra = {}) => ({ roomId, studentUid, organizationId, text, ...extra }) };
}

function pickPorts(): Promise<{ gatewayPort: number; portBase: number }> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const launcher = require('../../../tools/stack') as { pickPorts(): Promise<{ gatewayPort: number; portBase: number }> };
  return launcher.pickPorts();
}

/** Lets a participant join and waits until presence has them. @returns a client with their token, for calls as the class page makes them */
export async function inClass({ livekit }: AiBench, { api }: School, roomId: string, uid: string, role = 'STUDENT'): Promise<ApiClient> {
  const joined = await api.post(`/v1/room/${roomId}/join`, { participant: person(uid, role) });
  if (joined.status !== 200) throw new Error(`${uid} may not join: ${joined.status} ${joined.text}`);
  const { token } = joined.body.data as { token: string };
  const session = await api.bearer(token).post('/v1/classroom/session');
  if (session.status !== 200) throw new Error(`${uid} has no session: ${session.status} ${session.text}`);
  const { livekitToken, classroomToken } = session.body.data as { livekitToken: string; classroomToken: string };
  await livekit.connect(livekitToken);
  return api.bearer(classroomToken);
}
