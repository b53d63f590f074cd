import { connect, createInbox, type NatsConnection } from '@nats-io/transport-node';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { CLOCK_SUBJECT, CONSUMERS, SANDBOX_EVENT_SUBJECT, STREAMS, type SandboxEvent, type SandboxTime } from '@classroom/contracts';

/** How long a process may take to move its clock and to run its loops, in milliseconds. */
const ANSWER_MS = 30_000;

export interface NatsAddress {
  servers: string;
  user?: string | undefined;
  pass?: string | undefined;
}

/** The apps of the sandbox, reached over NATS as its operator. */
export class Processes {
  private constructor(
    private readonly connection: NatsConnection,
    private readonly manager: JetStreamManager,
    private readonly apps: readonly string[],
  ) {}

  /** @param apps the names of those that run */
  static async connect({ servers, user, pass }: NatsAddress, apps: readonly string[]): Promise<Processes> {
    const connection = await connect({ servers, ...(user ? { user, pass } : {}), maxReconnectAttempts: -1 });
    return new Processes(connection, await jetstreamManager(connection), apps);
  }

  /** Resolves when every app has moved its clock. @throws Error that names those that did not answer */
  async move(time: SandboxTime): Promise<void> {
    const missing = new Set(this.apps);
    const inbox = createInbox();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const subscription = this.connection.subscribe(inbox, {
      callback: (_, message) => {
        missing.delete(message.string());
        if (missing.size === 0) resolve();
      },
    });
    const timer = setTimeout(
      () => reject(new Error(`${[...missing].join(', ')} did not follow the clock in ${ANSWER_MS / 1000} s`)),
      ANSWER_MS,
    );
    try {
      this.connection.publish(CLOCK_SUBJECT, JSON.stringify(time), { reply: inbox });
      await promise;
    } finally {
      clearTimeout(timer);
      subscription.unsubscribe();
    }
  }

  /** Messages that consumers have not handled, by the name of the consumer. */
  async unhandled(): Promise<string[]> {
    const consumers = Object.values(CONSUMERS).filter(({ service }) => this.apps.includes(service));
    const counts = await Promise.all(
      consumers.map(async ({ stream, durable }) => {
        const { num_pending: pending, num_ack_pending: delivered } = await this.manager.consumers.info(STREAMS[stream].name, durable);
        return { durable, count: pending + delivered };
      }),
    );
    return counts.filter(({ count }) => count > 0).map(({ durable, count }) => `messages of ${durable} (${count})`);
  }

  /** @throws if the organization service does not take it */
  async send(event: SandboxEvent): Promise<void> {
    await this.connection.request(SANDBOX_EVENT_SUBJECT, JSON.stringify(event), { timeout: 10_000 });
  }

  close(): Promise<void> {
    return this.connection.close();
  }
}
