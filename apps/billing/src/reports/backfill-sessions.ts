import { BackfillRepository } from './copies.repository.js';
import type { ClickhouseSessionsRepository } from './clickhouse-sessions.repository.js';

/** Copies the sessions of Postgres to ClickHouse in the order of their connection sids. Safe to repeat, and to run while workers copy facts. */
export class BackfillSessions {
  constructor(
    private readonly source: BackfillRepository,
    private readonly target: Pick<ClickhouseSessionsRepository, 'insert'>,
  ) {}

  /**
   * @param after the connection sid after which to continue; empty for all sessions
   * @returns after each chunk the number of sessions copied so far, and the last connection sid
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async *run(after = ''): AsyncGenerator<{ copied: number; last: string }> {
    let last: string | undefined = after;
    for (let copied = 0; last !== undefined;) {
      const rows = await this.source.readSessions(last);
      last = rows.at(-1)?.connection_sid;
      if (last === undefined) return;
      await this.target.insert(rows);
      copied += rows.length;
      yield { copied, last };
    }
  }
}
