import { z } from 'zod';
import { cursor, queryIntegerOr, shown } from '../kernel/fields.js';
import { defineOperation } from '../kernel/operation.js';
import { atLeastOneOf, DELIVERY, ENDPOINT, givesSome, NAMES, schemaHints } from '../kernel/reference.js';
import { instant, organizationId, text, timestamp } from '../kernel/values.js';
import { publicEventType } from './public-events.js';

export const endpointId = z.string().regex(/^we_[A-Za-z0-9]{20}$/, 'must be an endpoint id such as we_…');
export const deliveryId = z.string().regex(/^wd_[A-Za-z0-9]{20}$/, 'must be a delivery id such as wd_…');
const endpointParams = z.object({ endpointId: endpointId.describe('Id of the endpoint, `we_` and 20 characters.') });
const deliveryParams = z.object({
  endpointId: endpointId.describe('Id of the endpoint, `we_` and 20 characters.'),
  deliveryId: deliveryId.describe('Id of the delivery, `wd_` and 20 characters.'),
});

/** Of an organization. */
export const MAX_WEBHOOK_ENDPOINTS = 16;
const MAX_EVENT_TYPES = 100;

const url = z.url('must be an address such as https://school.example/webhooks').max(2048);
const eventTypes = z
  .array(publicEventType)
  .max(MAX_EVENT_TYPES)
  .transform((types) => [...new Set(types)])
  .pipe(z.array(publicEventType));
const description = text(256, 0);
const limit = queryIntegerOr(20, { min: 1, max: 100 });

export const createWebhookEndpointBody = z.object({
  url: url.describe('A public HTTPS address, at most 2,048 characters.'),
  eventTypes: eventTypes.default([]).describe('The event types to send, at most 100; empty means all. Default: all.'),
  description: description.default('').describe('A note of your own, at most 256 characters. Default: empty.'),
});

export const updateWebhookEndpointBody = z
  .object({
    url: url.optional().describe('A public HTTPS address, at most 2,048 characters.'),
    eventTypes: eventTypes.optional().describe('The event types to send, at most 100; empty means all.'),
    description: description.optional().describe('A note of your own, at most 256 characters.'),
    isEnabled: z
      .boolean()
      .optional()
      .describe(
        '`false` disables the endpoint. `true` enables it again: waiting deliveries are sent, and events of the time in between can be replayed as `missed`.',
      ),
  })
  .refine(...givesSome('url', 'eventTypes', 'description', 'isEnabled'))
  .register(schemaHints, atLeastOneOf('url', 'eventTypes', 'description', 'isEnabled'));

export const webhookEndpoint = z
  .object({
    endpointId: z.string().describe('Id of the endpoint.'),
    url: z.string().describe('Address to which events are sent.'),
    eventTypes: z.array(z.string()).max(MAX_EVENT_TYPES).describe('The event types to send; empty means all.'),
    description: z.string().describe('A note of your own.'),
    isEnabled: z.boolean().describe('Whether events are sent.'),
    disabledReason: z
      .enum(['requested', 'gone', 'failing'])
      .nullable()
      .describe(
        '`requested`: you disabled it. `gone`: it answered 410. `failing`: every attempt failed for five days. Null while enabled.',
      ),
    disabledAt: timestamp.nullable().describe('When it was disabled; null while enabled.'),
    failingSince: timestamp
      .nullable()
      .describe('The time since which every attempt has failed, without two days in which none was made; null if the last one succeeded.'),
    createdAt: timestamp.describe('When the endpoint was created.'),
    updatedAt: timestamp.describe('When it last changed.'),
  })
  .register(NAMES, { id: 'WebhookEndpoint', description: 'A URL that receives events.' });
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** The only answers that contain a secret. */
export const webhookEndpointWithSecret = webhookEndpoint
  .extend({
    secret: z
      .string()
      .describe(
        'The secret that signs deliveries: `whsec_` and the key in base64, as the Standard Webhooks libraries accept it. It is shown only here.',
      ),
    previousSecretExpiresAt: timestamp
      .nullable()
      .describe('Until this time deliveries are signed with the previous secret as well; null if there is none.'),
  })
  .register(NAMES, { id: 'WebhookEndpointWithSecret', description: 'A webhook endpoint and its signing secret.' });
export type WebhookEndpointWithSecret = z.infer<typeof webhookEndpointWithSecret>;

export const deliveryStatus = z.enum(['pending', 'delivered', 'failed']);

export const webhookDeliverySummary = z
  .object({
    deliveryId: z.string().describe('Id of the delivery.'),
    eventId: z.string().describe('Id of the event.'),
    type: z.string().describe('Type of the event.'),
    status: deliveryStatus.describe('`pending`: an attempt will follow. `delivered`: the endpoint answered 2xx. `failed`: given up.'),
    attempts: z.number().int().describe('Attempts since the delivery was created or last replayed.'),
    nextAttemptAt: timestamp.nullable().describe('When the next attempt is due; null if none is.'),
    createdAt: timestamp.describe('When the delivery was created.'),
    lastAttempt: z
      .object({
        at: timestamp.describe('When it was made.'),
        statusCode: z.number().int().nullable().describe('HTTP status of the response; null if there was none.'),
        error: z.string().nullable().describe('Why the attempt failed, such as `timeout`, `redirect` or `status`; null if it succeeded.'),
        durationMs: z.number().int().describe('Milliseconds until the response or the failure.'),
        responseBody: z.string().nullable().describe('The first KiB of the response body; null if there was none.'),
      })
      .nullable()
      .describe('The last attempt; null before the first.'),
  })
  .register(NAMES, { id: 'WebhookDelivery', description: 'An event on its way to an endpoint.' });
export type WebhookDeliverySummary = z.infer<typeof webhookDeliverySummary>;

/** `payload` is the request body as text; the signature covers its bytes. */
export const webhookDeliveryDetails = webhookDeliverySummary
  .extend({
    payload: z.string().describe('The request body as text. The signature covers its bytes.'),
  })
  .register(NAMES, { id: 'WebhookDeliveryDetails', description: 'A delivery with the request body.' });

export const replayWebhooksBody = z
  .object({
    since: instant.describe('Events at or after this time.'),
    until: instant.optional().describe('Events before this time; after `since`. Default: now.'),
    types: eventTypes.default([]).describe('The event types to send again, at most 100; empty means all. Default: all.'),
    status: z
      .enum(['failed', 'missed'])
      .default('failed')
      .describe(
        '`failed`: deliveries that were given up. `missed`: events that were never queued for the endpoint, because it did not exist, was disabled or did not want the type. Default: `failed`.',
      ),
  })
  .refine(({ since, until }) => until === undefined || Date.parse(until) > Date.parse(since), {
    path: ['until'],
    message: 'must be after since',
  });

export const replayedWebhooks = z
  .object({
    queued: z.number().int().describe('Deliveries that will be sent, at most 10,000 per call.'),
    hasMore: z.boolean().describe('Whether there are more events; repeat the same call to continue.'),
  })
  .register(NAMES, { id: 'ReplayedWebhooks', description: 'How many deliveries will be sent again.' });

export const createWebhookEndpoint = defineOperation({
  operationId: 'createWebhookEndpoint',
  summary: 'Create webhook endpoint',
  description: 'Registers a URL for webhooks. Only this response contains the secret that signs them.',
  tag: 'Webhook endpoints',
  sdk: 'webhookEndpoints.create',
  route: 'POST /v1/webhook-endpoints',
  auth: 'organization',
  scope: 'webhooks:manage',
  dashboardRole: 'OWNER',
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
  tag: 'Webhook endpoints',
  sdk: 'webhookEndpoints.list',
  route: 'GET /v1/webhook-endpoints',
  auth: 'organization',
  scope: 'webhooks:manage',
  dashboardRole: 'OWNER',
  service: 'organization',
  rpc: 'webhook.list',
  output: z.object({ endpoints: z.array(webhookEndpoint).max(MAX_WEBHOOK_ENDPOINTS).describe('The endpoints, oldest first.') }),
  message: 'Webhook endpoints',
  example: {},
});

export const getWebhookEndpoint = defineOperation({
  operationId: 'getWebhookEndpoint',
  summary: 'Get webhook endpoint',
  description: 'Returns a webhook endpoint.',
  tag: 'Webhook endpoints',
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
  tag: 'Webhook endpoints',
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
  tag: 'Webhook endpoints',
  sdk: 'webhookEndpoints.delete',
  route: 'DELETE /v1/webhook-endpoints/:endpointId',
  auth: 'organization',
  scope: 'webhooks:manage',
  dashboardRole: 'OWNER',
  service: 'organization',
  rpc: 'webhook.delete',
  params: endpointParams,
  output: z.object({
    endpointId: z.string().describe('Id of the endpoint.'),
    deletedAt: timestamp.describe('When the endpoint was deleted.'),
  }),
  message: 'Webhook endpoint deleted',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  example: { params: ENDPOINT },
});

export const rotateWebhookSecret = defineOperation({
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate webhook secret',
  description: 'Creates a new signing secret. The previous secret also signs for 24 hours.',
  tag: 'Webhook endpoints',
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
  tag: 'Webhook endpoints',
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
  tag: 'Webhook endpoints',
  sdk: 'webhookEndpoints.deliveries',
  route: 'GET /v1/webhook-endpoints/:endpointId/deliveries',
  auth: 'organization',
  scope: 'webhooks:manage',
  dashboardRole: 'OWNER',
  service: 'organization',
  rpc: 'webhook.deliveries',
  params: endpointParams,
  query: z.object({
    status: deliveryStatus.optional().describe('Only deliveries with this status. Default: all.'),
    cursor: cursor,
    limit: limit.describe('Deliveries per page, 1 to 100. Default: 20.'),
  }),
  output: z.object({
    deliveries: z.array(webhookDeliverySummary).max(100).describe('The deliveries, newest first.'),
    nextCursor: shown.nextCursor,
  }),
  message: 'Deliveries',
  errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  example: { params: ENDPOINT, query: { limit: 1 } },
});

export const getWebhookDelivery = defineOperation({
  operationId: 'getWebhookDelivery',
  summary: 'Get delivery',
  description: 'Returns a delivery with the request body.',
  tag: 'Webhook endpoints',
  sdk: 'webhookEndpoints.delivery',
  route: 'GET /v1/webhook-endpoints/:endpointId/deliveries/:deliveryId',
  auth: 'organization',
  scope: 'webhooks:manage',
  dashboardRole: 'OWNER',
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
  tag: 'Webhook endpoints',
  sdk: 'webhookEndpoints.replayDelivery',
  route: 'POST /v1/webhook-endpoints/:endpointId/deliveries/:deliveryId/replay',
  auth: 'organization',
  scope: 'webhooks:manage',
  dashboardRole: 'OWNER',
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
  tag: 'Webhook endpoints',
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
