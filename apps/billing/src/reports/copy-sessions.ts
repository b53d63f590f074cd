import { Injectable } from '@nestjs/common';
import { OPTIONAL_CONSUMERS, type EventData, type EventEnvelope, type participantConnection } from '@classroom/contracts';
import { ConsumesBatch, type Delivery } from '@classroom/messaging';
import { toClickhouseSession } from './clickhouse-rows.js';
import { ClickhouseSessionsRepository } from './clickhouse-sessions.repository.js';

type Connection = EventEnvelope<EventData<typeof participantConnection>>;

/**
 * Copies sessions to ClickHouse, from the facts that billing folds and from the connections that billing fetched for missing facts. The
 * version of a row makes a repeated or late fact harmless, so it needs no row in the inbox.
 */
@Injectable()
export class CopySessions {
  constructor(private readonly sessions: ClickhouseSessionsRepository) {}

  /** @throws AppError SERVICE_UNAVAILABLE: the facts wait in JetStream */
  @ConsumesBatch<Connection>(OPTIONAL_CONSUMERS.billingReports, { concurrency: 1, batchSize: 2_048, keyOf: ({ subject }) => subject })
  async execute(facts: readonly Delivery<Connection>[]): Promise<void> {
    await this.sessions.insert(facts.map(({ body }) => toClickhouseSession(body.data)));
  }
}
