import { Inject, Injectable } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { AppError, type PublicEventType } from '@classroom/contracts';
import { NATS } from '@classroom/messaging';
import type { FastifyRequest } from 'fastify';
import { AppendedHint } from './appended-hint.js';
import { eventText, gapAfter, gapText, heartbeatText, openingText } from './event-text.js';
import { HistoryReader, type HistoryPage } from './history-reader.js';

const PAGE_SIZE = 100;
/** Milliseconds until the history is read without a hint. */
const POLL_MS = 5_000;
/** Milliseconds of silence: proxies close a connection that is silent for a minute. */
const HEARTBEAT_MS = 15_000;

export interface StreamedHistory {
  organizationId: string;
  /** Undefined: all. */
  types: PublicEventType[] | undefined;
  after: number;
}

/** Reads a history by sequence, page after page, and then its new events. It holds one page at most. */
@Injectable()
export class FollowHistory {
  constructor(
    private readonly history: HistoryReader,
    @Inject(NATS) private readonly connection: NatsConnection,
  ) {}

  /** Yields server-sent events until the signal fires. The next page is read when the client has taken the one before. */
  async *text(request: FastifyRequest, { organizationId, types, after }: StreamedHistory, signal: AbortSignal): AsyncGenerator<string> {
    // Before the first read, so that no hint is missed.
    const hint = new AppendedHint(this.connection, organizationId);
    let cursor = after;
    let sentAt = performance.now();
    try {
      yield openingText(cursor);
      while (!signal.aborted) {
        const page = await this.read(request, { organizationId, types, after: cursor });
        const gap = page && gapAfter(cursor, page);
        if (gap) yield gapText(gap);
        for (const event of page?.events ?? []) yield eventText(event);
        if (gap || page?.events.length) sentAt = performance.now();
        if (page) cursor = Number(page.nextCursor);
        if (page?.hasMore) continue;
        if (performance.now() - sentAt >= HEARTBEAT_MS) {
          yield heartbeatText(cursor);
          sentAt = performance.now();
        }
        await hint.next(POLL_MS, signal);
      }
    } finally {
      hint.end();
    }
  }

  /** Undefined if the service cannot answer now: the stream stays open and reads again. */
  private async read(request: FastifyRequest, from: StreamedHistory): Promise<HistoryPage | undefined> {
    try {
      return await this.history.read(request, { ...from, limit: PAGE_SIZE, mayBeAhead: true });
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }
}
