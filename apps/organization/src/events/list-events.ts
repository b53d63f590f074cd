import { Injectable } from '@nestjs/common';
import { invalidField, listEvents, type RpcInput } from '@classroom/contracts';
import { fitMessage, Handles } from '@classroom/messaging';
import { HistoryRepository } from './history.repository.js';

@Injectable()
export class ListEvents {
  constructor(private readonly history: HistoryRepository) {}

  /** A position after the end is of a history that this one replaced, as after a restore. @throws AppError VALIDATION_FAILED (`after`) */
  @Handles(listEvents)
  async execute({ organizationId, after, types, limit, mayBeAhead }: RpcInput<typeof listEvents>) {
    const { events, lastSequence, earliestSequence } = await this.history.page(organizationId, after, types, limit + 1);
    if (after > lastSequence && !mayBeAhead)
      throw invalidField('after', `is after the end of the history (${lastSequence}): read it again from the beginning`);
    const page = fitMessage(events.slice(0, limit));
    const hasMore = events.length > page.length;
    // If no more events of these types exist, the cursor is the end of the history, so that the next call reads only new events.
    const next = hasMore ? (page.at(-1)?.sequence ?? after) : lastSequence;
    return { events: page, nextCursor: String(next), hasMore, earliestSequence, lastSequence };
  }
}
