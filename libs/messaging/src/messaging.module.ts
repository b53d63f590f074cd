import { Global, Inject, Module, type DynamicModule, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { CLOCK_SUBJECT, type AppName, type ServiceName, type ControlledTime, type SandboxTime } from '@classroom/contracts';
import { boot, Clock, ControlledClock, Dependencies, NestLogger, runLoops, SandboxClock, type BaseConfig } from '@classroom/platform';
import { connectNats, pingNats, JETSTREAM, NATS, nameOf } from './connection.js';
import { Consumers } from './consumes.js';
import { DueWorks } from './due-work/due-works.js';
import { StreamPublisher } from './jetstream/stream-publisher.js';
import { Outbox, OutboxRelay } from './outbox/outbox.js';
import { Prune } from './outbox/prune.js';
import { RpcClient } from './rpc/client.js';
import { healthOf, reportsOf } from './rpc/health.js';
import { drained, RpcServer } from './rpc/server.js';
import { missingStreams } from './streams/apply-streams.js';
import { TextStreams } from './text-stream.js';

@Global()
@Module({})
export class MessagingModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(NATS) private readonly connection: NatsConnection,
    @Inject(Dependencies) private readonly dependencies: Dependencies,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * `service` is set if the app answers RPC. It then has a schema with the tables of this library's migrations, unless
   * `hasOutbox` is false.
   */
  static forRoot(options: { name: AppName; config: BaseConfig; service?: ServiceName; hasOutbox?: boolean }): DynamicModule {
    const { name, config, service, hasOutbox = service !== undefined } = options;
    const withOutbox = hasOutbox ? [OutboxRelay, Outbox, Prune] : [];
    return {
      module: MessagingModule,
      imports: [DiscoveryModule],
      providers: [
        { provide: NATS, useFactory: () => connectNats(config.NATS_URL, name) },
        { provide: JETSTREAM, useFactory: (connection: NatsConnection) => jetstream(connection), inject: [NATS] },
        RpcClient,
        RpcServer,
        StreamPublisher,
        Consumers,
        DueWorks,
        reportsOf(name),
        ...(service ? [healthOf(service)] : []),
        TextStreams,
        ...withOutbox,
      ],
      exports: [NATS, JETSTREAM, DueWorks, RpcClient, RpcServer, StreamPublisher, TextStreams, ...withOutbox],
    };
  }

  onModuleInit(): void {
    this.dependencies.register('nats', () => pingNats(this.connection), { required: true });
    this.dependencies.register('streams', () => this.checkStreams(), { required: true });
    if (this.clock instanceof ControlledClock) followControlledClock(this.connection, this.clock);
    if (this.clock instanceof SandboxClock) followSandboxClock(this.connection, this.clock);
  }

  async onApplicationShutdown(): Promise<void> {
    await drained(this.connection);
  }

  private async checkStreams(): Promise<void> {
    const missing = await missingStreams(this.connection);
    if (missing.length > 0) throw new Error(`missing streams: ${missing.join(', ')}; run the migration step`);
  }
}

/** A test moves the clock. */
function followControlledClock(connection: NatsConnection, clock: ControlledClock): void {
  connection.subscribe(CLOCK_SUBJECT, {
    callback: (error, message) => {
      if (!error) clock.moveTo(message.json<ControlledTime>().offsetMs);
    },
  });
}

/** The sandbox moves the clock, and waits for the answer of each process: its name, when its clock has moved and its loops have run. */
function followSandboxClock(connection: NatsConnection, clock: SandboxClock): void {
  connection.subscribe(CLOCK_SUBJECT, {
    callback: (error, message) => {
      if (error) return;
      const { now, runsLoops } = message.json<SandboxTime>();
      clock.moveTo(new Date(now));
      void (runsLoops ? runLoops() : Promise.resolve()).then(() => message.respond(nameOf(connection)));
    },
  });
}

/** The whole main.ts of a service: configuration, container, RPC if the role includes it, probes, drain. */
export function bootService<C extends BaseConfig>(readConfig: () => C, module: (config: C) => DynamicModule): void {
  void boot(readConfig, async (config) => {
    const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(module(config), {
      inject: [RpcServer],
      useFactory: (server: RpcServer) => ({ strategy: server }),
      logger: new NestLogger(),
      abortOnError: false,
    } as AsyncMicroserviceOptions);
    await app.listen();
    return app;
  });
}
