import { Injectable } from '@nestjs/common';
import { listEvents, type RpcInput } from '@classroom/contracts';
import { fitMessage, Handles } from '@classroom/messaging';
import { HistoryRepository } from './history.repository.js';

@Injectable()
export class ListEvents {
  constructor(private readonly history: HistoryRepository) {}

  @Handles(listEvents)
  async execute({ organizationId, after, types, limit }: RpcInput<typeof listEvents>) {
    const { events, lastSequence, earliestSequence } = await this.history.page(organizationId, after, types, limit + 1);
    const page = fitMessage(events.slice(0, limit));
    const hasMore = events.length > page.length;
    // If no more events of these types exist, the cursor is the end of the history, so that the next call reads only new events.
    const next = hasMore ? (page.at(-1)?.sequence ?? after) : Math.max(after, lastSequence);
    return { events: page, nextCursor: String(next), hasMore, earliestSequence, lastSequence };
  }
}
