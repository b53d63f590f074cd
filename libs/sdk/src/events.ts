import { ConnectionError } from './errors.js';
import type { Data, Query } from './operation.js';
import { Pages } from './pages.js';
import { delay, retryDelay } from './retry.js';
import { messagesOf } from './server-sent-events.js';
import type { RequestOptions, Transport } from './transport.js';
import type { EventType, HistoryEvent } from './webhooks.js';

type EventPage = Omit<Data<'listEvents'>, 'events'> & { events: HistoryEvent[] };
type Filtered<Q> = Omit<NonNullable<Q>, 'types'> & { types?: readonly EventType[] };
type StreamQuery = Filtered<Query<'streamEvents'>>;

/** Events that the stream does not send, because they have expired: those with a sequence of `from` to `to`. `from` is 1 after a restore of the history from a backup. */
export interface GapEvent {
  type: 'gap';
  data: { from: number; to: number };
}

/** The organization's event history: the same events as its webhooks, in order and without gaps. */
export class Events {
  constructor(private readonly api: Transport) {}

  /** All events after a cursor up to now. Keep the last event's `sequence` or a page's `nextCursor` to continue from there later. */
  list = ({ types, ...query }: Filtered<Query<'listEvents'>> = {}, options?: RequestOptions) =>
    new Pages(
      (after = query.after) =>
        this.api.call('listEvents', { query: { ...query, after, types: types?.join(',') } }, options) as Promise<EventPage>,
      ({ events }) => events,
      ({ hasMore, nextCursor }) => (hasMore ? nextCursor : undefined),
    );

  /**
   * Every event from now on, or after a `sequence`, as soon as it happens; without an end. Once the stream has begun, it connects again by itself
   * after each failure that may pass, and continues where it was. Leaving the loop, or the signal, closes it.
   * @throws as any call, if the stream cannot begin or the service refuses it, such as after the credential was revoked
   */
  stream = (query: StreamQuery = {}, options: RequestOptions = {}): AsyncGenerator<HistoryEvent | GapEvent> => this.follow(query, options);

  private async *follow({ types, after }: StreamQuery, options: RequestOptions): AsyncGenerator<HistoryEvent | GapEvent> {
    let cursor = after;
    let failures = 0;
    for (let hasBegun = false; ;) {
      try {
        const query = { after: cursor, types: types?.join(',') };
        const again = hasBegun ? { ...options, maxRetries: 0 } : options;
        for await (const { event, data, id } of messagesOf(this.api.stream('streamEvents', { query }, again))) {
          hasBegun = true;
          failures = 0;
          cursor = id ?? cursor;
          if (data !== '') yield parse(event, data);
        }
        throw new ConnectionError('The stream ended');
      } catch (failure) {
        const delayMs = hasBegun ? retryDelay(failure, ++failures) : undefined;
        if (delayMs === undefined || options.signal?.aborted) throw failure;
        await delay(delayMs, options.signal);
      }
    }
  }
}

const parse = (event: string, data: string): HistoryEvent | GapEvent =>
  event === 'gap' ? { type: 'gap', data: JSON.parse(data) as GapEvent['data'] } : (JSON.parse(data) as HistoryEvent);
