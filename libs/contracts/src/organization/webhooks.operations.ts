import { z } from 'zod';
import { defineOperation } from '../kernel/operation.js';
import { DELIVERY, ENDPOINT } from '../kernel/samples.js';
import { instant, organizationId, text, timestamp } from '../kernel/ids.js';
import { queryIntegerOr } from '../kernel/query.js';
import { oneOfThese, TOLD } from '../kernel/told.js';
import { publicEvent, publicEventType } from './public-events.js';

export const endpointId = z.string().regex(/^we_[A-Za-z0-9]{20}$/, 'must be an endpoint id such as we_…');
export const deliveryId = z.string().regex(/^wd_[A-Za-z0-9]{20}$/, 'must be a delivery id such as wd_…');
const endpointParams = z.object({ endpointId });
const deliveryParams = z.object({ endpointId, deliveryId });

const url = z.url('must be an address such as https://school.example/webhooks').max(2048);
const eventTypes = z
  .array(publicEventType)
  .max(100)
  .transform((types) => [...new Set(types)])
  .pipe(z.array(publicEventType));
const ONE_TYPE = `\\s*(${publicEventType.options.join('|').replaceAll('.', '\\.')})\\s*`;
const description = text(256, 0);
const limit = queryIntegerOr(20, { min: 1, max: 100 });

export const createWebhookEndpointBody = z.object({
  /** A public HTTPS address. */
  url,
  /** The event types to send; empty means all. */
  eventTypes: eventTypes.default([]),
  description: description.default(''),
});

export const updateWebhookEndpointBody = z
  .object({
    url: url.optional(),
    eventTypes: eventTypes.optional(),
    description: description.optional(),
    /** True enables the endpoint again: waiting deliveries are sent, and events of the time in between can be replayed as `missed`. */
    isEnabled: z.boolean().optional(),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), 'nothing to change was given')
  .register(TOLD, oneOfThese('url', 'eventTypes', 'description', 'isEnabled'));

export const webhookEndpoint = z.object({
  endpointId: z.string(),
  url: z.string(),
  eventTypes: z.array(z.string()),
  description: z.string(),
  isEnabled: z.boolean(),
  /** `requested`: you disabled it. `gone`: it answered 410. `failing`: every attempt failed for five days. */
  disabledReason: z.enum(['requested', 'gone', 'failing']).nullable(),
  disabledAt: timestamp.nullable(),
  /** The time since which every attempt has failed. */
  failingSince: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** The only answers that contain a secret. */
export const webhookEndpointWithSecret = webhookEndpoint.extend({
  /** `whsec_` and the key in base64, the form that the Standard Webhooks libraries accept. */
  secret: z.string(),
  /** Until this time deliveries are signed with the previous secret as well. */
  previousSecretExpiresAt: timestamp.nullable(),
});
export type WebhookEndpointWithSecret = z.infer<typeof webhookEndpointWithSecret>;

export const deliveryStatus = z.enum(['pending', 'delivered', 'failed']);

export const webhookDeliverySummary = z.object({
  deliveryId: z.string(),
  eventId: z.string(),
  type: z.string(),
  status: deliveryStatus,
  /** Attempts since the delivery was created or last replayed. */
  attempts: z.number().int(),
  nextAttemptAt: timestamp.nullable(),
  createdAt: timestamp,
  lastAttempt: z
    .object({
      at: timestamp,
      /** Null if the endpoint did not answer. */
      statusCode: z.number().int().nullable(),
      /** Why the attempt failed, such as `timeout`, `redirect` or `status`; null if it succeeded. */
      error: z.string().nullable(),
      durationMs: z.number().int(),
      /** The first KiB of the response body. */
      responseBody: z.string().nullable(),
    })
    .nullable(),
});
export type WebhookDeliverySummary = z.infer<typeof webhookDeliverySummary>;

/** `payload` is the request body as text; the signature covers its bytes. */
export const webhookDeliveryDetails = webhookDeliverySummary.extend({ payload: z.string() });

export const replayWebhooksBody = z
  .object({
    /** Events at or after this time. */
    since: instant,
    /** Events before this time; default: now. */
    until: instant.optional(),
    types: eventTypes.default([]),
    /**
     * `failed`: deliveries that were given up. `missed`: events that were never queued for the endpoint, because it did not
     * exist, was disabled or did not want the type.
     */
    status: z.enum(['failed', 'missed']).default('failed'),
  })
  .refine(({ since, until }) => until === undefined || Date.parse(until) > Date.parse(since), {
    path: ['until'],
    message: 'must be after since',
  });

export const replayedWebhooks = z.object({
  queued: z.number().int(),
  /** There are more events; repeat the same call to continue. */
  hasMore: z.boolean(),
});

export const createWebhookEndpoint = defineOperation({
  operationId: 'createWebhookEndpoint',
  summary: 'Create webhook endpoint',
  description: 'Registers a URL for webhooks. Only this response contains the secret that signs them.',
  tag: 'Webhooks and events',
  sdk: 'webhookEndpoints.create',
  route: 'POST /v1/webhook-endpoints',
  auth: 'organization',
  scope: 'webhooks:manage',
  // The gateway would store the secret together with its answer.
  idempotency: 'owner',
  service: 'organization',
  rpc: 'webhook.create',
  body: createWebhookEndpointBody,
  output: webhookEndpointWithSecret,
  message: 'Webhook endpoint created',
  errors: ['TOO_MANY_WEBHOOK_ENDPOINTS', 'ORGANIZATION_NOT_FOUND'],
  example: { body: { url: 'https://lakeside.example/classroom-webhooks', eventTypes: ['room.finished'] } },
  links: { endpointId: '$response.body#/data/endpointId' },
});

export const listWebhookEndpoints = defineOperation({
  operationId: 'listWebhookEndpoints',
  summary: 'List webhook endpoints',
  description: 'Returns the organization’s webhook endpoints, oldest first.',
  tag: 'Webhooks and events',
  sdk: 'webhookEndpoints.list',
  route: 'GET /v1/webhook-endpoints',
  auth: 'organization',
  scope: 'webhooks:manage',
  service: 'organization',
  rpc: 'webhook.list',
  output: z.object({ endpoints: z.array(webhookEndpoint) }),
  message: 'Webhook endpoints',
  example: {},
});

export const getWebhookEndpoint = defineOperation({
  operationId: 'getWebhookEndpoint',
  summary: 'Get webhook endpoint',
  description: 'Returns a webhook endpoint.',
  tag: 'Webhooks and events',
  sdk: 'webhookEndpoints.get',
  route: 'GET /v1/webhook-endpoints/:endpointId',
  auth: 'organization',
  scope: 'webhooks:manage',
  service: 'organization',
  rpc: 'webhook.get',
  params: endpointParams,
  output: webhookEndpoint,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  example: { params: ENDPOINT },
});

export const updateWebhookEndpoint = defineOperation({
  operationId: 'updateWebhookEndpoint',
  summary: 'Update webhook endpoint',
  description: 'Changes, disables or enables a webhook endpoint. Omitted fields stay as they are.',
  tag: 'Webhooks and events',
  sdk: 'webhookEndpoints.update',
  route: 'PATCH /v1/webhook-endpoints/:endpointId',
  auth: 'organization',
  scope: 'webhooks:manage',
  service: 'organization',
  rpc: 'webhook.update',
  params: endpointParams,
  body: updateWebhookEndpointBody,
  input: z.object({ organizationId, endpointId, changes: updateWebhookEndpointBody }),
  toInput: ({ params, body }) => ({ ...params, changes: body }),
  output: webhookEndpoint,
  message: 'Webhook endpoint changed',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  example: { params: ENDPOINT, body: { eventTypes: ['room.finished', 'recording.completed'] } },
});

export const deleteWebhookEndpoint = defineOperation({
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete webhook endpoint',
  description: 'Deletes a webhook endpoint with its deliveries.',
  tag: 'Webhooks and events',
  sdk: 'webhookEndpoints.delete',
  route: 'DELETE /v1/webhook-endpoints/:endpointId',
  auth: 'organization',
  scope: 'webhooks:manage',
  service: 'organization',
  rpc: 'webhook.delete',
  params: endpointParams,
  output: z.object({ endpointId: z.string(), deletedAt: timestamp }),
  message: 'Webhook endpoint deleted',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  example: { params: ENDPOINT },
});

export const rotateWebhookSecret = defineOperation({
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate webhook secret',
  description: 'Creates a new signing secret. The previous secret also signs for 24 hours.',
  tag: 'Webhooks and events',
  sdk: 'webhookEndpoints.rotateSecret',
  route: 'POST /v1/webhook-endpoints/:endpointId/rotate-secret',
  auth: 'organization',
  scope: 'webhooks:manage',
  idempotency: 'owner',
  service: 'organization',
  rpc: 'webhook.rotate-secret',
  params: endpointParams,
  output: webhookEndpointWithSecret,
  message: 'Secret rotated',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  example: { params: ENDPOINT },
});

export const testWebhookEndpoint = defineOperation({
  operationId: 'testWebhookEndpoint',
  summary: 'Ping webhook endpoint',
  description: 'Sends a ping event to a webhook endpoint.',
  tag: 'Webhooks and events',
  sdk: 'webhookEndpoints.test',
  route: 'POST /v1/webhook-endpoints/:endpointId/test',
  auth: 'organization',
  scope: 'webhooks:manage',
  service: 'organization',
  rpc: 'webhook.test',
  params: endpointParams,
  output: webhookDeliverySummary,
  message: 'Ping queued',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED'],
  example: { params: ENDPOINT },
  links: { endpointId: '$request.path.endpointId', deliveryId: '$response.body#/data/deliveryId' },
});

export const listWebhookDeliveries = defineOperation({
  operationId: 'listWebhookDeliveries',
  summary: 'List deliveries',
  description: 'Returns the deliveries to an endpoint in the last 30 days, newest first.',
  tag: 'Webhooks and events',
  sdk: 'webhookEndpoints.deliveries',
  route: 'GET /v1/webhook-endpoints/:endpointId/deliveries',
  auth: 'organization',
  scope: 'webhooks:manage',
  service: 'organization',
  rpc: 'webhook.deliveries',
  params: endpointParams,
  query: z.object({ status: deliveryStatus.optional(), cursor: z.string().max(256).optional(), limit }),
  output: z.object({ deliveries: z.array(webhookDeliverySummary), nextCursor: z.string().nullable() }),
  message: 'Deliveries',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  example: { params: ENDPOINT, query: { limit: 1 } },
});

export const getWebhookDelivery = defineOperation({
  operationId: 'getWebhookDelivery',
  summary: 'Get delivery',
  description: 'Returns a delivery with the request body.',
  tag: 'Webhooks and events',
  sdk: 'webhookEndpoints.delivery',
  route: 'GET /v1/webhook-endpoints/:endpointId/deliveries/:deliveryId',
  auth: 'organization',
  scope: 'webhooks:manage',
  service: 'organization',
  rpc: 'webhook.delivery',
  params: deliveryParams,
  output: webhookDeliveryDetails,
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND'],
  example: { params: DELIVERY },
});

export const replayWebhookDelivery = defineOperation({
  operationId: 'replayWebhookDelivery',
  summary: 'Retry delivery',
  description: 'Sends a delivery again, whether it had succeeded or failed.',
  tag: 'Webhooks and events',
  sdk: 'webhookEndpoints.replayDelivery',
  route: 'POST /v1/webhook-endpoints/:endpointId/deliveries/:deliveryId/replay',
  auth: 'organization',
  scope: 'webhooks:manage',
  service: 'organization',
  rpc: 'webhook.replay-delivery',
  params: deliveryParams,
  output: webhookDeliverySummary,
  message: 'Delivery queued',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED'],
  example: { params: DELIVERY },
});

export const replayWebhooks = defineOperation({
  operationId: 'replayWebhooks',
  summary: 'Replay deliveries',
  description: 'Sends failed or missed deliveries of an endpoint again, up to 10,000 per call.',
  tag: 'Webhooks and events',
  sdk: 'webhookEndpoints.replay',
  route: 'POST /v1/webhook-endpoints/:endpointId/replay',
  auth: 'organization',
  scope: 'webhooks:manage',
  service: 'organization',
  rpc: 'webhook.replay',
  timeoutMs: 15_000,
  params: endpointParams,
  body: replayWebhooksBody,
  output: replayedWebhooks,
  message: 'Deliveries queued',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED'],
  example: { params: ENDPOINT, body: { since: '2026-01-15T00:00:00.000Z', status: 'failed' } },
});

export const listEvents = defineOperation({
  operationId: 'listEvents',
  summary: 'List events',
  description: 'Returns the events of an organization in the last 30 days, in order and without gaps.',
  tag: 'Webhooks and events',
  sdk: 'events.list',
  route: 'GET /v1/events',
  auth: 'organization',
  scope: 'events:read',
  service: 'organization',
  rpc: 'event.list',
  query: z.object({
    /** `nextCursor` of the previous page, or the `sequence` of the last event that the caller has. */
    after: z
      .string()
      .regex(/^\d{1,15}$/, 'must be a nextCursor or an event’s sequence')
      .optional(),
    /** Comma separated. */
    types: z
      .string()
      .register(TOLD, { pattern: `^${ONE_TYPE}(,${ONE_TYPE})*$` })
      .transform((value) => value.split(',').map((type) => type.trim()))
      .pipe(z.array(publicEventType))
      .optional(),
    limit: queryIntegerOr(100, { min: 1, max: 1_000 }),
  }),
  input: z.object({
    organizationId,
    after: z.number().int().min(0),
    types: z.array(publicEventType).optional(),
    limit: z.number().int().min(1).max(1_000),
  }),
  toInput: ({ query: { after, ...page } }) => ({ ...page, after: Number(after ?? 0) }),
  output: z.object({
    events: z.array(publicEvent),
    /** Cursor for the next call, now or later. Always present. */
    nextCursor: z.string(),
    hasMore: z.boolean(),
    /**
     * The earliest sequence that is still kept, or null if there is none. If `after` is more than one below it, the caller has
     * missed events that expired.
     */
    earliestSequence: z.number().int().nullable(),
  }),
  message: 'Events',
  example: { query: { after: '0', limit: 2 } },
});
