import type { ConsumerInfo, JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { STREAMS, type ConsumerDeclaration } from '@classroom/contracts';
import { observedGauges } from '@classroom/platform';

/** How a durable consumer is, as JetStream itself says whenever somebody looks: all processes of a service read the same. */
export function observeConsumer(jetstream: JetStreamClient, declaration: ConsumerDeclaration): void {
  const told = {
    classroom_consumer_waiting: 'Messages that a consumer has not finished',
    classroom_consumer_lag_seconds: 'Age of the oldest of them',
    classroom_dead_letters: 'Messages that a consumer gave up and nobody replayed or dropped',
  };
  observedGauges(told, async () => {
    const { waiting, lagSeconds, dead } = await readConsumer(await jetstream.jetstreamManager(false), declaration);
    const attributes = { consumer: declaration.durable };
    return [
      { name: 'classroom_consumer_waiting', value: waiting, attributes },
      { name: 'classroom_consumer_lag_seconds', value: lagSeconds, attributes },
      { name: 'classroom_dead_letters', value: dead, attributes },
    ];
  });
}

export async function readConsumer(manager: JetStreamManager, { stream, durable, filterSubjects }: ConsumerDeclaration) {
  const [info, dead] = await Promise.all([manager.consumers.info(stream, durable), deadLetters(manager, `dlq.${stream}.${durable}`)]);
  const waiting = info.num_pending + info.num_ack_pending;
  const oldest = waiting === 0 ? undefined : await oldestAfter(manager, info, filterSubjects);
  return { waiting, lagSeconds: oldest === undefined ? 0 : Math.max((Date.now() - oldest) / 1000, 0), dead };
}

async function deadLetters(manager: JetStreamManager, subject: string): Promise<number> {
  const { state } = await manager.streams.info(STREAMS.DLQ.name, { subjects_filter: subject });
  return state.subjects?.[subject] ?? 0;
}

/** Milliseconds since 1970 at which the first message was stored that is not acknowledged together with all before it. */
async function oldestAfter(manager: JetStreamManager, { stream_name, ack_floor }: ConsumerInfo, subjects: string[]): Promise<number | undefined> {
  const found = await Promise.all(
    subjects.map((subject) => {
      const query = { seq: ack_floor.stream_seq + 1, next_by_subj: subject };
      return manager.streams.getMessage(stream_name, query);
    }),
  );
  const times = found.flatMap((message) => (message ? [message.time.getTime()] : []));
  return times.length === 0 ? undefined : Math.min(...times);
}
