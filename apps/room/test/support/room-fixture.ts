import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { jetstream } from '@nats-io/jetstream';
import { connect, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import {
  AppError,
  CLASS_TOPIC,
  createRoom,
  joinRoom,
  liveKitSubject,
  newSettings,
  STREAMS,
  type ClassUpdate,
  type ErrorCode,
  type EventContract,
  type EventData,
  type EventEnvelope,
  type PermissionOverrides,
  type Role,
  type RpcContract,
  type RpcInput,
  type RpcOutput,
  type RpcRequest,
} from '@classroom/contracts';
import { readTextStream, RpcClient } from '@classroom/messaging';
import { eventually, roomState, SimulatedLiveKit, TestStack, type RoomState } from '@classroom/testing';
import { RoomServiceClient } from 'livekit-server-sdk';
import type { z } from 'zod';
import { ClassMember } from './class-member.js';

export interface RoomFixtureOptions {
  /** By how many milliseconds LiveKit's clock is ahead. */
  clockAheadMs?: number;
}

/** Times of a room and of what belongs to it, as `<table>.<column>`. */
type RoomTime =
  | `rooms.${'created' | 'started' | 'ended' | 'finished' | 'verified' | 'due' | 'schedule_due' | 'last_left'}_at`
  | 'rooms.tokens_expire_at'
  | 'rooms.empty_since'
  | 'connections_by_month.joined_at'
  | 'connections_by_month.left_at'
  | 'participants.session_opened_at'
  | 'participants.waiting_seen_at'
  | 'chat_messages.sent_at'
  | 'chat_reports.reported_at'
  | 'reactions.sent_at';

export interface NewRoom {
  sid: string;
  roomId: string;
  token: string;
}

type CreateInput = RpcRequest<typeof createRoom>;
/** A call's input without what names its caller. */
export type Without<Field extends string, Input> = Input extends Record<Field, unknown> ? Omit<Input, Field> : never;

type RoomChoice = Partial<Omit<CreateInput, 'settings' | 'participant'>> & Partial<CreateInput['settings']> & { uid?: string; role?: Role };

/** A webhook in the form in which LiveKit sends it. */
export interface Webhook {
  event: string;
  id?: string;
  room?: { name?: string };
  [key: string]: unknown;
}

/** The built room service with real dependencies and the simulated LiveKit, whose webhooks are stored as the gateway stores them. */
export class RoomFixture {
  organizationId = `org_${randomUUID()}`;
  /** Webhooks of the simulated LiveKit that were stored: `room_started RM_…`. */
  readonly received = new Set<string>();

  private constructor(
    readonly stack: TestStack,
    readonly livekit: SimulatedLiveKit,
    private readonly webhooks: Server,
    private readonly nats: NatsConnection,
    private readonly rpc: RpcClient,
  ) {}

  static async start({ clockAheadMs = 0 }: RoomFixtureOptions = {}): Promise<RoomFixture> {
    const webhooks = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => webhooks.once('listening', resolve));
    const livekit = new SimulatedLiveKit({ webhookUrls: [`http://127.0.0.1:${(webhooks.address() as AddressInfo).port}`], clockAheadMs });
    try {
      await livekit.start();
      const { url: livekitUrl, apiKey: livekitApiKey, apiSecret: livekitApiSecret } = livekit;
      const room = { RECONCILE_SECONDS: '2' };
      const stack = await TestStack.start({
        parts: ['postgres', 'nats', 'redis'],
        apps: ['room'],
        livekit: false,
        livekitUrl,
        livekitApiKey,
        livekitApiSecret,
        env: { room },
      });
      const nats = await connect({ ...stack.nats, maxReconnectAttempts: -1, reconnectTimeWait: 200 });
      const fixture = new RoomFixture(stack, livekit, webhooks, nats, new RpcClient(nats));
      webhooks.on('request', async (request, response) => {
        let body = '';
        for await (const chunk of request) body += String(chunk);
        // LiveKit repeats a webhook that is not accepted.
        const event = JSON.parse(body) as Webhook;
        const stored = await fixture.webhook(event).then(
          () => true,
          () => false,
        );
        if (stored) fixture.received.add(`${event.event} ${event.room?.name}`);
        response.writeHead(stored ? 200 : 503).end();
      });
      return fixture;
    } catch (error) {
      await livekit.stop();
      webhooks.close();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.livekit.stop();
    this.webhooks.closeAllConnections();
    await new Promise((resolve) => this.webhooks.close(resolve));
    await this.nats.close();
    await this.stack.stop();
  }

  /** LiveKit's own API. */
  get admin(): RoomServiceClient {
    const { url, apiKey, apiSecret } = this.livekit;
    return new RoomServiceClient(url, apiKey, apiSecret);
  }

  call<C extends RpcContract>(contract: C, input: RpcRequest<C>, timeoutMs = 60_000): Promise<RpcOutput<C>> {
    return this.rpc.call(contract, input, timeoutMs);
  }

  /** Calls an operation of this organization's backend. */
  asBackend<C extends RpcContract>(contract: C, input: Without<'organizationId', RpcRequest<C>>): Promise<RpcOutput<C>> {
    return this.call(contract, { organizationId: this.organizationId, ...input } as RpcRequest<C>);
  }

  /** A text that the service streams to the organization's backend. */
  async textForBackend<C extends RpcContract<z.ZodType<{ inbox: string }>, z.ZodType<{ control: string }>>>(
    contract: C,
    input: Omit<RpcRequest<C>, 'organizationId' | 'inbox'>,
    inbox?: string,
  ): Promise<string> {
    const open = async (reader: string) =>
      (await this.asBackend(contract, { ...input, inbox: reader } as unknown as Without<'organizationId', RpcRequest<C>>)).control;
    return text(readTextStream(this.nats, open, undefined, inbox));
  }

  /** Resolves when the service has died of this call at a failpoint. The call would wait long for an answer that never comes, so it is not awaited. */
  async diesOf(call: Promise<unknown>): Promise<void> {
    void call.catch(() => undefined);
    expect((await this.stack.app('room').exited).signal).toBe('SIGKILL');
  }

  /** Answers an RPC of another service until the returned subscription ends. `answer` may throw an AppError. */
  answer<C extends RpcContract>(contract: C, answer: (input: RpcInput<C>) => RpcOutput<C>): Subscription {
    return this.nats.subscribe(contract.subject, {
      queue: contract.service,
      callback: (_, message) => {
        try {
          message.respond(JSON.stringify({ data: answer(message.json<RpcInput<C>>()) }));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          message.respond(JSON.stringify({ error: error.toReply() }));
        }
      },
    });
  }

  /** Stores a webhook as the gateway does. */
  async webhook(event: Webhook): Promise<void> {
    const id = event.id ?? `EV_${randomUUID()}`;
    await jetstream(this.nats).publish(liveKitSubject(event.event, event.room?.name ?? ''), JSON.stringify({ ...event, id }));
  }

  /** Every fact of one type, by default about all rooms, that the service has published, in order. */
  async facts<C extends EventContract>(contract: C, sid?: string): Promise<EventData<C>[]> {
    const consumer = await jetstream(this.nats).consumers.get(STREAMS.EVENTS.name, { filter_subjects: [`${contract.subjectPrefix}.>`] });
    const { num_pending: count } = await consumer.info();
    if (count === 0) return [];
    const found: EventData<C>[] = [];
    for await (const message of await consumer.fetch({ max_messages: count, expires: 5_000 })) {
      const { subject, data } = message.json<EventEnvelope<EventData<C>>>();
      if (sid === undefined || subject === sid) found.push(data);
    }
    return found;
  }

  /** A room of this organization. `emptyTimeout` in seconds. */
  async newRoom({ uid = 'ada', role = 'TEACHER', ...choice }: RoomChoice = {}) {
    const given = Object.entries({ maxParticipants: 50, ...choice });
    const isSetting = ([name]: [string, unknown]) => name in newSettings.shape;
    const settings = Object.fromEntries(given.filter(isSetting)) as CreateInput['settings'];
    const { room, token } = await this.call(createRoom, {
      organizationId: this.organizationId,
      roomId: randomUUID(),
      title: 'A class',
      customization: {},
      settings,
      participant: { uid, name: nameOf(uid), role },
      ...(Object.fromEntries(given.filter((one) => !isSetting(one))) as Partial<CreateInput>),
    });
    return { ...room, token } satisfies NewRoom;
  }

  /** A join token. */
  async join({ roomId }: { roomId: string }, uid: string, role: Role = 'STUDENT', permissions?: PermissionOverrides): Promise<string> {
    const participant = { uid, name: nameOf(uid), role, ...(permissions && { permissions }) };
    return (await this.asBackend(joinRoom, { roomId, participant })).token;
  }

  /** A participant with an open session, who is not connected to LiveKit. */
  async member(room: NewRoom, uid: string, role: Role = 'STUDENT', permissions?: PermissionOverrides): Promise<ClassMember> {
    return ClassMember.open(this, room, uid, await this.join(room, uid, role, permissions));
  }

  /** A room and connected participants, by uid and role. The first one creates the room. */
  async classOf<const Roles extends readonly Role[]>(
    roles: Roles,
    choice: RoomChoice = {},
  ): Promise<{ room: NewRoom; people: { [Index in keyof Roles]: ClassMember } }> {
    const uids = roles.map((role, index) => `${role.toLowerCase()}-${index}`);
    const room = await this.newRoom({ uid: uids[0], role: roles[0], ...choice });
    const people: ClassMember[] = [];
    for (const [index, role] of roles.entries()) {
      const member = await this.member(room, uids[index] ?? '', role);
      await member.connect();
      people.push(member);
    }
    await eventually(async () => expect(await this.state(room.sid)).toMatchObject({ state: 'live', count: roles.length }));
    return { room, people: people as { [Index in keyof Roles]: ClassMember } };
  }

  /** Lets a participant join the room and leave it: the room is live and empty. */
  async visited(sid: string): Promise<void> {
    const { sid: connectionSid } = await this.livekit.connect({ room: sid, identity: 'ada', attributes: { role: 'TEACHER' } });
    await eventually(async () => expect(await this.state(sid)).toMatchObject({ state: 'live', count: 1 }));
    await this.livekit.leave(connectionSid);
    await eventually(async () => expect(await this.state(sid)).toMatchObject({ count: 0 }));
  }

  /** The class updates that a connected participant has received over LiveKit. */
  async updates(connectionSid: string): Promise<ClassUpdate[]> {
    const packets = await this.livekit.packets(connectionSid);
    const ours = packets.filter(({ topic }) => topic === CLASS_TOPIC);
    return ours.map(({ data }) => JSON.parse(Buffer.from(data, 'base64').toString()) as ClassUpdate);
  }

  async isInLiveKit(sid: string): Promise<boolean> {
    return (await this.admin.listRooms([sid])).length === 1;
  }

  state(sid: string): Promise<RoomState> {
    return roomState(this.stack, sid);
  }

  /** The reconciler has no answer about the room and asks again soon. */
  async isRetried(sid: string): Promise<boolean> {
    return (await this.stack.rows('SELECT 1 FROM room.live_rooms WHERE sid = $1 AND retry_at IS NOT NULL', [sid])).length === 1;
  }

  /** Moves a room's times into the past, as if so many seconds had passed since then; those of participants for all of them, or for `uid`. */
  async age(sid: string, seconds: number, times: RoomTime | readonly RoomTime[], uid?: string): Promise<void> {
    for (const time of [times].flat()) await this.change(sid, time, (column) => `${column} - make_interval(secs => $2)`, seconds, uid);
  }

  /** Sets one of a room's times, which otherwise only passes. */
  setTime(sid: string, time: RoomTime, at: Date | null, uid?: string): Promise<void> {
    return this.change(sid, time, () => '$2', at, uid);
  }

  private async change(sid: string, time: RoomTime, value: (column: string) => string, given: unknown, uid?: string): Promise<void> {
    const [table, column = ''] = time.split('.');
    const whose = uid === undefined ? '' : 'AND uid = $3';
    const parameters = uid === undefined ? [sid, given] : [sid, given, uid];
    await this.stack.rows(`UPDATE room.${table} SET ${column} = ${value(column)} WHERE sid = $1 ${whose}`, parameters);
  }

  /** Chat messages with these versions, as if the participant `a` had sent them. */
  async fillChat({ sid }: NewRoom, from: number, to: number, text: (version: number) => string, name = 'Ada'): Promise<void> {
    const texts = Array.from({ length: to - from + 1 }, (_, n) => text(from + n));
    await this.stack.rows(
      `INSERT INTO room.chat_messages (sid, version, id, uid, name, role, text, sent_at)
       SELECT $1, $2::int + n - 1, gen_random_uuid(), 'a', $3, 'STUDENT', text, now() FROM unnest($4::text[]) WITH ORDINALITY AS t(text, n)`,
      [sid, from, name, texts],
    );
    await this.stack.rows('UPDATE room.rooms SET class_version = $2, chat_version = $2 WHERE sid = $1', [sid, to]);
  }
}

export const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

export const nameOf = (uid: string) => `Name of ${uid}`;

/** The code and the names of the invalid fields of a call that must fail. */
export async function refusal(call: Promise<unknown>): Promise<ErrorCode | `${ErrorCode} ${string}`> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fields = error.details?.map(({ path }) => path).join(' ');
    return fields ? `${error.code} ${fields}` : error.code;
  }
  throw new Error('the call succeeded');
}
