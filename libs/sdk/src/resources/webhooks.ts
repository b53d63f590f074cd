import type { Body, Data, Query } from '../operation.js';
import { Pages } from '../pages.js';
import type { RequestOptions, Transport } from '../transport.js';
import type { EventType, HistoryEvent } from '../webhooks.js';

/** Addresses of yours that are told of events. */
export class WebhookEndpoints {
  constructor(private readonly api: Transport) {}

  /** The answer alone shows the secret: keep it for `verifyWebhook`. */
  create = (endpoint: Body<'createWebhookEndpoint'>, options?: RequestOptions) => this.api.call('createWebhookEndpoint', { body: endpoint }, options);

  list = (options?: RequestOptions) => this.api.call('listWebhookEndpoints', {}, options);

  get = (endpointId: string, options?: RequestOptions) => this.api.call('getWebhookEndpoint', { params: { endpointId } }, options);

  /** What is left out stays; `isEnabled` turns it off and on again. */
  update = (endpointId: string, changes: Body<'updateWebhookEndpoint'>, options?: RequestOptions) =>
    this.api.call('updateWebhookEndpoint', { params: { endpointId }, body: changes }, options);

  delete = (endpointId: string, options?: RequestOptions) => this.api.call('deleteWebhookEndpoint', { params: { endpointId } }, options);

  /** A new secret; for 24 hours the one before signs as well. */
  rotateSecret = (endpointId: string, options?: RequestOptions) => this.api.call('rotateWebhookSecret', { params: { endpointId } }, options);

  /** Sends a ping. */
  test = (endpointId: string, options?: RequestOptions) => this.api.call('testWebhookEndpoint', { params: { endpointId } }, options);

  /** What was sent in the last 30 days, newest first. */
  deliveries = (endpointId: string, query: Query<'listWebhookDeliveries'> = {}, options?: RequestOptions) =>
    new Pages(
      (cursor = query.cursor) => this.api.call('listWebhookDeliveries', { params: { endpointId }, query: { ...query, cursor } }, options),
      ({ deliveries }) => deliveries,
      ({ nextCursor }) => nextCursor,
    );

  /** With the body that is sent. */
  delivery = (endpointId: string, deliveryId: string, options?: RequestOptions) =>
    this.api.call('getWebhookDelivery', { params: { endpointId, deliveryId } }, options);

  /** Sends one again, whatever became of it. */
  replayDelivery = (endpointId: string, deliveryId: string, options?: RequestOptions) =>
    this.api.call('replayWebhookDelivery', { params: { endpointId, deliveryId } }, options);

  /** Sends again what failed, or was missed, since some time. */
  replay = (endpointId: string, which: Body<'replayWebhooks'>, options?: RequestOptions) =>
    this.api.call('replayWebhooks', { params: { endpointId }, body: which }, options);
}

type EventPage = Omit<Data<'listEvents'>, 'events'> & { events: HistoryEvent[] };

/** The organization's history: the same facts as its webhooks, in order and without a gap. */
export class Events {
  constructor(private readonly api: Transport) {}

  /** All after a cursor up to now. Keep the last event's `sequence`, or a page's `nextCursor`, and go on from there later. */
  list = ({ types, ...query }: Omit<NonNullable<Query<'listEvents'>>, 'types'> & { types?: readonly EventType[] } = {}, options?: RequestOptions) =>
    new Pages(
      (after = query.after) => this.api.call('listEvents', { query: { ...query, after, types: types?.join(',') } }, options) as Promise<EventPage>,
      ({ events }) => events,
      ({ hasMore, nextCursor }) => (hasMore ? nextCursor : undefined),
    );
}
