import type { ClickHouseClient } from '@clickhouse/client';
import type { OnApplicationShutdown } from '@nestjs/common';
import { AppError, type EventData, type participantConnection } from '@classroom/contracts';

const REQUEST_TIMEOUT_MS = 10_000;

const SETTINGS = {
  // Without it a query that fails late has already been answered with 200 and some rows.
  wait_end_of_query: 1,
  // All our numbers are below 2^53.
  output_format_json_quote_64bit_integers: 0,
  // The server collects the rows of many inserts, and answers when they are stored.
  async_insert: 1,
  wait_for_async_insert: 1,
} as const;

type Parameters = Record<string, string | number | null | readonly string[]>;

/**
 * A connection to ClickHouse. Every method throws AppError SERVICE_UNAVAILABLE for any failure: ClickHouse is then unreachable, overloaded or
 * set up wrongly, and a retry may help after an operator has acted.
 */
export class Clickhouse implements OnApplicationShutdown {
  private constructor(private readonly client: ClickHouseClient) {}

  /** Loads the client, so that only a process that is configured for ClickHouse does. It connects with the first call. */
  static async open(url: string): Promise<Clickhouse> {
    const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client');
    // Its log would contain the ids of organizations.
    const log = { level: ClickHouseLogLevel.OFF };
    return new Clickhouse(createClient({ url, log, request_timeout: REQUEST_TIMEOUT_MS, clickhouse_settings: SETTINGS }));
  }

  /** @param query names its parameters, `{uid:String}` */
  async query<Row>(query: string, parameters: Parameters): Promise<Row[]> {
    return available(async () => {
      const result = await this.client.query({ query, query_params: parameters, format: 'JSONEachRow' });
      return result.json<Row>();
    });
  }

  async command(query: string): Promise<void> {
    await available(() => this.client.command({ query }));
  }

  async insert(table: string, rows: readonly object[]): Promise<void> {
    await available(() => this.client.insert({ table, values: rows, format: 'JSONEachRow' }));
  }

  async ping(): Promise<void> {
    const result = await this.client.ping({ select: true });
    if (!result.success) throw new AppError('SERVICE_UNAVAILABLE', { cause: result.error });
  }

  onApplicationShutdown(): Promise<void> {
    return this.client.close();
  }
}

async function available<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new AppError('SERVICE_UNAVAILABLE', { cause: error });
  }
}

/** A row of ClickHouse's table `sessions`. Times are `YYYY-MM-DD hh:mm:ss.ffffff` in UTC. */
export interface ClickhouseSession {
  organization_id: string;
  uid: string;
  connection_sid: string;
  sid: string;
  name: string;
  role: string;
  ip: string | null;
  joined_at: string;
  left_at: string | null;
  version: number;
}

export function toClickhouseSession(connection: EventData<typeof participantConnection>): ClickhouseSession {
  const { organizationId, uid, connectionSid, sid, name, role, ip, joinedAt, leftAt, version } = connection;
  const times = { joined_at: toDateTime(joinedAt), left_at: leftAt === null ? null : toDateTime(leftAt) };
  return { organization_id: organizationId, uid, connection_sid: connectionSid, sid, name, role, ip, ...times, version };
}

const toDateTime = (timestamp: string) => new Date(timestamp).toISOString().replace('T', ' ').replace('Z', '');

/** Microseconds since 1970 as the milliseconds of a date. */
export const fromMicroseconds = (microseconds: number): Date => new Date(Math.floor(microseconds / 1_000));
export const toMicroseconds = (date: Date): number => date.getTime() * 1_000;
