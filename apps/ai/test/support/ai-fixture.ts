import { createHash, randomUUID } from 'node:crypto';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  agentRpc,
  tutorRpc,
  type AiEvent,
  type ClassroomCaller,
  type RpcContract,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import { readTextStream, RpcClient } from '@classroom/messaging';
import { Bucket, eventually, RecordedOpenAi, TestStack } from '@classroom/testing';
import { PeerServices } from './peer-services.js';

export const PRICES = [
  { model: 'chat-model', perMillionInputTokens: '0.15', perMillionOutputTokens: '0.6' },
  { model: 'ears', perMinuteOfAudio: '0.006' },
  { model: 'voice', perMillionCharacters: '15' },
  { model: 'meaning', perMillionInputTokens: '0.02' },
];

export interface Answer {
  events: AiEvent[];
  begun: Extract<AiEvent, { type: 'begun' }>;
  text: string;
  audio: Buffer[];
  usage: Extract<AiEvent, { type: 'usage' }>['usage'];
}

interface UsageRow {
  kind: string;
  task: string;
  outcome: string;
  provider: string;
  model: string;
  input_tokens: number;
  output_tokens: number;
  cost: string;
}

type AgentInput = Omit<RpcRequest<typeof agentRpc.chat>, 'inbox'>;
type TutorInput = Omit<RpcRequest<typeof tutorRpc.chat>, 'inbox'>;
type AskInput = Omit<RpcRequest<typeof tutorRpc.ask>, 'inbox'>;

/** Runs the AI service as a process with real Postgres, NATS and object storage. A test controls the models and the other services. */
export class AiFixture {
  readonly rpc: RpcClient;

  private constructor(
    readonly stack: TestStack,
    readonly model: RecordedOpenAi,
    readonly connection: NatsConnection,
    readonly peers: PeerServices,
  ) {
    this.rpc = new RpcClient(connection);
  }

  static async start(env: Record<string, string> = {}, more: object = {}): Promise<AiFixture> {
    const model = new RecordedOpenAi();
    const { url } = await model.start();
    const of = (model: string) => ({ provider: 'openai-compatible', model, baseUrl: url, apiKey: 'key' });
    const models = { chat: of('chat-model'), speechToText: of('ears'), textToSpeech: of('voice'), ...more };
    const stack = await TestStack.start({
      parts: ['postgres', 'nats', 's3'],
      apps: ['ai'],
      env: { ai: { AI_MODELS: JSON.stringify(models), AI_PRICES: JSON.stringify(PRICES), ...env } },
    });
    const connection = await connect(stack.nats);
    return new AiFixture(stack, model, connection, new PeerServices(connection));
  }

  /** An embedding model, which most tests do not need. */
  static embedding(url: string): object {
    return { embedding: { provider: 'openai-compatible', model: 'meaning', baseUrl: url, apiKey: 'key' } };
  }

  async stop(): Promise<void> {
    await this.connection.close();
    await this.stack.stop();
    await this.model.stop();
  }

  call<C extends RpcContract>(contract: C, input: RpcRequest<C>): Promise<RpcOutput<C>> {
    return this.rpc.call(contract, input);
  }

  agent(input: Partial<AgentInput> & { organizationId: string }, signal?: AbortSignal): AsyncGenerator<AiEvent> {
    const whole = { chatId: 'chat', message: 'Hello', isWhole: false, responseModality: 'text' as const, ...input };
    return this.events((inbox) => this.rpc.call(agentRpc.chat, { ...whole, inbox }), signal);
  }

  tutor(
    input: Partial<TutorInput> & { organizationId: string; roomId: string; studentUid: string },
    signal?: AbortSignal,
  ): AsyncGenerator<AiEvent> {
    const whole = { isWhole: false, responseModality: 'text' as const, ...input };
    return this.events((inbox) => this.rpc.call(tutorRpc.chat, { ...whole, inbox }), signal);
  }

  ask(caller: ClassroomCaller, input: Partial<AskInput> = {}): AsyncGenerator<AiEvent> {
    const whole = { caller, text: 'What is light?', isWhole: false, responseModality: 'text' as const, ...input };
    return this.events((inbox) => this.rpc.call(tutorRpc.ask, { ...whole, inbox }));
  }

  /** Stores an input as the gateway does. */
  async upload(organizationId: string, body: Buffer): Promise<{ key: string }> {
    const tenant = createHash('sha256').update(organizationId).digest('hex').slice(0, 24);
    const key = `ai-inputs/${tenant}/${randomUUID()}`;
    // The local storage deletes empty folders, even while a file is being written into one, so the upload is retried.
    await eventually(() => this.bucket.put(key, body));
    return { key };
  }

  get bucket(): Bucket {
    return Bucket.of(this.stack);
  }

  usageRows(organizationId: string): Promise<UsageRow[]> {
    return this.stack.rows<UsageRow>('SELECT * FROM ai.usage WHERE organization_id = $1 ORDER BY recorded_at', [organizationId]);
  }

  /** The turns of an organization's chats, oldest first. */
  turns(organizationId: string): Promise<{ state: string; question: string }[]> {
    return this.stack.rows(
      'SELECT state, question FROM ai.turns JOIN ai.chats USING (chat_key) WHERE organization_id = $1 ORDER BY dialog_index',
      [organizationId],
    );
  }

  /** Another process takes the chats of an organization, for so many seconds from now. */
  async takeChats(organizationId: string, seconds: number): Promise<void> {
    const lease = 'lease_holder = gen_random_uuid(), lease_until = now() + make_interval(secs => $2)';
    await this.stack.rows(`UPDATE ai.chats SET ${lease} WHERE organization_id = $1`, [organizationId, seconds]);
  }

  private async *events(open: (inbox: string) => Promise<{ control: string }>, signal?: AbortSignal): AsyncGenerator<AiEvent> {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const bytes of readTextStream(this.connection, async (inbox) => (await open(inbox)).control, signal)) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as AiEvent;
    }
  }
}

/** Reads an answer to its end, and throws if it is incomplete. */
export async function whole(source: AsyncIterable<AiEvent>): Promise<Answer> {
  const events: AiEvent[] = [];
  for await (const event of source) events.push(event);
  const [begun] = events;
  const usage = events.at(-1);
  if (begun?.type !== 'begun' || usage?.type !== 'usage') throw new Error(`not a whole answer: ${JSON.stringify(events).slice(0, 500)}`);
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  const audio = events.flatMap((event) => (event.type === 'audio' ? [Buffer.from(event.audio, 'base64')] : []));
  return { events, begun, text, audio, usage: usage.usage };
}

/** Reads the rest of an answer. @returns its last event */
export async function lastOf(source: AsyncIterable<AiEvent>): Promise<AiEvent | undefined> {
  let last: AiEvent | undefined;
  for await (const event of source) last = event;
  return last;
}

/** Everything that was sent to a model, as one text. */
export const messagesSentTo = (request: { body: Record<string, unknown> } | undefined) => JSON.stringify(request?.body['messages'] ?? []);

export const newOrganizationId = () => `org_${randomUUID().slice(0, 13)}`;
