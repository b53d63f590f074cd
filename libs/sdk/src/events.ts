import type { Data, Query } from './operation.js';
import { Pages } from './pages.js';
import type { RequestOptions, Transport } from './transport.js';
import type { EventType, HistoryEvent } from './webhooks.js';

type EventPage = Omit<Data<'listEvents'>, 'events'> & { events: HistoryEvent[] };

/** The organization's event history: the same events as its webhooks, in order and without gaps. */
export class Events {
  constructor(private readonly api: Transport) {}

  /** All events after a cursor up to now. Keep the last event's `sequence` or a page's `nextCursor` to continue from there later. */
  list = (
    { types, ...query }: Omit<NonNullable<Query<'listEvents'>>, 'types'> & { types?: readonly EventType[] } = {},
    options?: RequestOptions,
  ) =>
    new Pages(
      (after = query.after) =>
        this.api.call('listEvents', { query: { ...query, after, types: types?.join(',') } }, options) as Promise<EventPage>,
      ({ events }) => events,
      ({ hasMore, nextCursor }) => (hasMore ? nextCursor : undefined),
    );
}
