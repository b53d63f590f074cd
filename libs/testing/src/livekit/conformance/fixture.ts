import { AccessToken, RoomServiceClient, ServerError, type VideoGrant, type WebhookEvent } from 'livekit-server-sdk';
import { WebhookInbox } from '../webhook-inbox.js';
import type { ConformanceParticipant, LiveKitSubject } from './subject.js';

/** The numbers of @livekit/protocol's enums, which the SDK does not export: livekit_models.proto. */
export const reason = {
  clientInitiated: 1,
  duplicateIdentity: 2,
  participantRemoved: 4,
  roomDeleted: 5,
  signalClose: 9,
  roomClosed: 10,
  connectionTimeout: 14,
} as const;
export const kind = { standard: 0, egress: 2 } as const;
export const state = { joined: 1, active: 2, disconnected: 3 } as const;

export const encode = (text: string) => new TextEncoder().encode(text);

export interface TokenOptions {
  name?: string;
  kind?: 'egress' | 'standard';
  attributes?: Record<string, string>;
  metadata?: string;
  grant?: VideoGrant;
  /** Negative: the token expired this long ago. */
  ttlSeconds?: number;
  secret?: string;
}

export type MakeSubject = (webhookUrl: string) => Promise<LiveKitSubject>;

/** The LiveKit under test with its API client, its webhooks and helpers for tokens and rooms. */
export class ConformanceFixture {
  readonly inbox = new WebhookInbox();
  #subject?: LiveKitSubject;
  #client?: RoomServiceClient;
  #rooms = 0;

  async open(makeSubject: MakeSubject): Promise<void> {
    const subject = await makeSubject(await this.inbox.listen());
    this.#subject = subject;
    this.inbox.trust(subject.apiKey, subject.apiSecret);
    this.#client = new RoomServiceClient(subject.url, subject.apiKey, subject.apiSecret);
  }

  async close(): Promise<void> {
    await this.#subject?.stop();
    await this.inbox.close();
  }

  get subject(): LiveKitSubject {
    if (!this.#subject) throw new Error('the subject is not started');
    return this.#subject;
  }

  get api(): RoomServiceClient {
    if (!this.#client) throw new Error('the subject is not started');
    return this.#client;
  }

  newName(): string {
    return `conformance-${process.pid}-${Date.now()}-${++this.#rooms}`;
  }

  async newRoom(options: { departureTimeout?: number; maxParticipants?: number; metadata?: string } = {}): Promise<string> {
    const name = this.newName();
    await this.api.createRoom({ name, emptyTimeout: 600, departureTimeout: 600, ...options });
    return name;
  }

  async token(room: string, identity: string, options: TokenOptions = {}): Promise<string> {
    const { apiKey, apiSecret } = this.subject;
    const { name, attributes, metadata, ttlSeconds = 600 } = options;
    const token = new AccessToken(apiKey, options.secret ?? apiSecret, { identity, name, attributes, metadata, ttl: ttlSeconds });
    token.addGrant({ roomJoin: true, room, ...options.grant });
    if (options.kind) token.kind = options.kind;
    return token.toJwt();
  }

  async join(room: string, identity: string, options?: TokenOptions): Promise<ConformanceParticipant> {
    return this.connect(room, await this.token(room, identity, options));
  }

  /** Connects and waits until LiveKit reports it: a connection that ends earlier is reported as aborted, not as left. */
  async connect(room: string, token: string): Promise<ConformanceParticipant> {
    const person = await this.subject.connect(token);
    await this.joinedOf(room, person.sid);
    return person;
  }

  joinedOf(room: string, sid: string): Promise<WebhookEvent> {
    return this.inbox.waitFor(room, ({ event, participant }) => event === 'participant_joined' && participant?.sid === sid);
  }

  /** `[status, code]` of a call that must fail. */
  async refusal(call: Promise<unknown>): Promise<[status: number, code: string | undefined]> {
    try {
      await call;
    } catch (error) {
      if (error instanceof ServerError) return [error.status, error.code];
      throw error;
    }
    throw new Error('the call succeeded');
  }
}
