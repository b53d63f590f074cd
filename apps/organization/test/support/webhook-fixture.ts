import { randomUUID } from 'node:crypto';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { Webhook } from 'standardwebhooks';
import {
  createOrganization,
  createWebhookEndpoint,
  getWebhookEndpoint,
  listEvents,
  listWebhookDeliveries,
  participantConnection,
  roomCreated,
  roomStarted,
  type PublicEvent,
  type RpcContract,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { publishFact, TestStack, type ReceivedWebhook, type WebhookReceiver } from '@classroom/testing';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

type Endpoint = RpcOutput<typeof createWebhookEndpoint>;

/** The built organization service with real dependencies. The bench publishes the facts of the other services. */
export class WebhookFixture {
  private constructor(
    readonly stack: TestStack,
    private readonly nats: NatsConnection,
    private readonly rpc: RpcClient,
  ) {}

  static async start(): Promise<WebhookFixture> {
    const stack = await TestStack.start({ parts: ['postgres', 'nats', 'redis', 's3'], apps: ['organization'] });
    const nats = await connect({ ...stack.nats, maxReconnectAttempts: -1, reconnectTimeWait: 200 });
    return new WebhookFixture(stack, nats, new RpcClient(nats));
  }

  async stop(): Promise<void> {
    await this.nats.close();
    await this.stack.stop();
  }

  call<C extends RpcContract>(contract: C, input: RpcRequest<C>): Promise<RpcOutput<C>> {
    return this.rpc.call(contract, input, 20_000);
  }

  async newOrganization(): Promise<string> {
    return (await this.call(createOrganization, { name: 'School' })).id as string;
  }

  newEndpoint(organizationId: string, url: string, overrides: object = {}): Promise<Endpoint> {
    return this.call(createWebhookEndpoint, { organizationId, url, eventTypes: [], description: '', ...overrides });
  }

  /** Publishes `room.created`, in place of the room service. @returns the room's sid */
  async roomCreated(organizationId: string, sid = newSid()): Promise<string> {
    await publishFact(this.stack, roomCreated, sid, { ...room(organizationId, sid), title: 'Class', createdAt: now(), autoRecord: false });
    return sid;
  }

  async roomStarted(organizationId: string, sid: string): Promise<void> {
    await publishFact(this.stack, roomStarted, sid, { ...room(organizationId, sid), title: 'Class', startedAt: now() });
  }

  async connection(
    organizationId: string,
    sid: string,
    connectionSid: string,
    state: { leftAt: string | null; version: number },
  ): Promise<void> {
    const person = { uid: 'ada', name: 'Ada', role: 'STUDENT', ip: '203.0.113.7' };
    const evidence = { openedBy: 'webhook', closedBy: state.leftAt && 'webhook' };
    const data = { ...room(organizationId, sid), connectionSid, ...person, joinedAt: JOINED_AT, ...evidence, ...state };
    await publishFact(this.stack, participantConnection, sid, data);
  }

  /** The whole history, read page by page. */
  async history(organizationId: string, limit = 100): Promise<PublicEvent[]> {
    const events: PublicEvent[] = [];
    for (let after = 0; ;) {
      const page = await this.call(listEvents, { organizationId, after, limit });
      events.push(...page.events);
      if (!page.hasMore) return events;
      after = Number(page.nextCursor);
    }
  }

  async deliveries(organizationId: string, endpointId: string) {
    return (await this.call(listWebhookDeliveries, { organizationId, endpointId, limit: 100 })).deliveries;
  }

  endpoint(organizationId: string, endpointId: string) {
    return this.call(getWebhookEndpoint, { organizationId, endpointId });
  }
}

export const JOINED_AT = '2026-01-01T10:00:00.000Z';
export const newSid = () => `RM_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
const now = () => new Date().toISOString();
const room = (organizationId: string, sid: string) => ({ organizationId, sid, roomId: `room-of-${sid}` });

/** Verifies a webhook with the library of Standard Webhooks. @throws if the signature is wrong */
export const verify = (secret: string, { body, headers }: ReceivedWebhook): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

/** The type of each received webhook, and its room's sid if it has one. */
export const receivedEvents = (receiver: WebhookReceiver, path: string) =>
  receiver.on(path).map(({ event }) => `${event.type} ${String(event.data['sid'] ?? '')}`);
