import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jetstream } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { createRoom, liveKitSubject, type RpcContract, type RpcOutput, type RpcRequest } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { eventually, SimulatedLiveKit, TestStack } from '@classroom/testing';

export interface RoomBenchOptions {
  /** By how many milliseconds LiveKit's clock is ahead. */
  clockAheadMs?: number;
  env?: Record<string, string>;
}

export interface RoomState {
  state: string;
  count: number;
  createdAt: Date;
  startedAt: Date | null;
  lastLeftAt: Date | null;
  dueAt: Date | null;
  endedAt: Date | null;
  verifiedAt: Date | null;
}

/** The built room service with real dependencies and the simulated LiveKit, whose webhooks are stored as the gateway stores them. */
export class RoomBench {
  readonly organizationId = `org_${randomUUID()}`;

  private constructor(
    readonly stack: TestStack,
    readonly livekit: SimulatedLiveKit,
    private readonly webhooks: Server,
    private readonly nats: NatsConnection,
    private readonly rpc: RpcClient,
  ) {}

  static async start({ clockAheadMs = 0, env = {} }: RoomBenchOptions = {}): Promise<RoomBench> {
    const webhooks = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => webhooks.once('listening', resolve));
    const livekit = new SimulatedLiveKit({ webhookUrls: [`http://127.0.0.1:${(webhooks.address() as AddressInfo).port}`], clockAheadMs });
    try {
      await livekit.start();
      const { url: livekitUrl, apiKey: livekitApiKey, apiSecret: livekitApiSecret } = livekit;
      const room = { RECONCILE_SECONDS: '2', ...env };
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
      const bench = new RoomBench(stack, livekit, webhooks, nats, new RpcClient(nats));
      webhooks.on('request', async (request, response) => {
        let body = '';
        for await (const chunk of request) body += String(chunk);
        await bench.webhook(JSON.parse(body) as { event: string; room?: { name?: string } });
        response.writeHead(200).end();
      });
      return bench;
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

  call<C extends RpcContract>(contract: C, input: RpcRequest<C>): Promise<RpcOutput<C>> {
    return this.rpc.call(contract, input, 20_000);
  }

  async webhook(event: { event: string; room?: { name?: string }; [key: string]: unknown }): Promise<void> {
    await jetstream(this.nats).publish(liveKitSubject(event.event, event.room?.name ?? ''), JSON.stringify(event));
  }

  /** @param emptyTimeout seconds */
  async newRoom(emptyTimeout = 300): Promise<{ sid: string; roomId: string }> {
    const roomId = randomUUID();
    const { room } = await this.call(createRoom, {
      organizationId: this.organizationId,
      roomId,
      title: 'A class',
      customization: {},
      settings: { maxParticipants: 50, emptyTimeout, autoRecord: false },
      participant: { uid: 'ada', name: 'Ada', role: 'TEACHER' },
    });
    return { sid: room.sid, roomId };
  }

  /** Lets a participant join the room and leave it: the room is live and empty. */
  async visited(sid: string): Promise<void> {
    const { sid: connectionSid } = await this.livekit.connect({ room: sid, identity: 'ada', attributes: { role: 'TEACHER' } });
    await eventually(async () => expect(await this.state(sid)).toMatchObject({ state: 'live', count: 1 }));
    await this.livekit.leave(connectionSid);
    await eventually(async () => expect(await this.state(sid)).toMatchObject({ count: 0 }));
  }

  async state(sid: string): Promise<RoomState> {
    const [row] = await this.stack.rows<RoomState>(
      `SELECT state, participant_count AS count, created_at AS "createdAt", started_at AS "startedAt", last_left_at AS "lastLeftAt", due_at AS "dueAt",
              ended_at AS "endedAt", verified_at AS "verifiedAt" FROM room.rooms WHERE sid = $1`,
      [sid],
    );
    if (!row) throw new Error(`no room ${sid}`);
    return row;
  }
}
