import { z } from 'zod';
import { defineEndpoint, envelope } from '../kernel/http.js';
import { instant, text, timestamp } from '../kernel/ids.js';
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
  /** Types that are sent to it; empty for all. */
  eventTypes: eventTypes.default([]),
  description: description.default(''),
});

export const updateWebhookEndpointBody = z
  .object({
    url: url.optional(),
    eventTypes: eventTypes.optional(),
    description: description.optional(),
    /** True again after a disabling: what waited goes out, and what happened meanwhile can be replayed as `missed`. */
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
  /** `requested` by you, `gone` where it answered 410, `failing` where nothing arrived for five days. */
  disabledReason: z.enum(['requested', 'gone', 'failing']).nullable(),
  disabledAt: timestamp.nullable(),
  /** Since when every attempt has failed. */
  failingSince: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** The only answers that show a secret. */
export const webhookEndpointWithSecret = webhookEndpoint.extend({
  /** `whsec_` and the key in base64, as Standard Webhooks' libraries take it. */
  secret: z.string(),
  /** Until then the secret before signs as well. */
  previousSecretExpiresAt: timestamp.nullable(),
});
export type WebhookEndpointWithSecret = z.infer<typeof webhookEndpointWithSecret>;

export const deliveryStatus = z.enum(['pending', 'delivered', 'failed']);

export const webhookDeliverySummary = z.object({
  deliveryId: z.string(),
  eventId: z.string(),
  type: z.string(),
  status: deliveryStatus,
  /** Since it was created or last replayed. */
  attempts: z.number().int(),
  nextAttemptAt: timestamp.nullable(),
  createdAt: timestamp,
  lastAttempt: z
    .object({
      at: timestamp,
      /** Null where no answer came. */
      statusCode: z.number().int().nullable(),
      /** Why it counts as failed, such as `timeout`, `redirect` or `status`; null where it arrived. */
      error: z.string().nullable(),
      durationMs: z.number().int(),
      /** The first KiB of the answer's body. */
      responseBody: z.string().nullable(),
    })
    .nullable(),
});
export type WebhookDeliverySummary = z.infer<typeof webhookDeliverySummary>;

/** With the body that is sent, as text: what is signed are its bytes. */
export const webhookDeliveryDetails = webhookDeliverySummary.extend({ payload: z.string() });

export const replayWebhooksBody = z
  .object({
    /** Events at or after it. */
    since: instant,
    /** Events before it; now, where it is left out. */
    until: instant.optional(),
    types: eventTypes.default([]),
    /** `failed`: what was given up; `missed`: what the endpoint was never to get, because it was not there, off, or did not want it. */
    status: z.enum(['failed', 'missed']).default('failed'),
  })
  .refine(({ since, until }) => until === undefined || Date.parse(until) > Date.parse(since), { path: ['until'], message: 'must be after since' });

export const replayedWebhooks = z.object({
  queued: z.number().int(),
  /** More of them are left: the same call goes on. */
  hasMore: z.boolean(),
});

const REFUSALS = ['VALIDATION_FAILED', 'UNAUTHORIZED', 'WEBHOOK_ENDPOINT_NOT_FOUND'] as const;
const auth = 'organization' as const;
const ENDPOINTS = '/v1/webhook-endpoints' as const;
const ENDPOINT = '/v1/webhook-endpoints/:endpointId' as const;
const DELIVERY = '/v1/webhook-endpoints/:endpointId/deliveries/:deliveryId' as const;

export const createWebhookEndpoint = defineEndpoint({
  operationId: 'createWebhookEndpoint',
  summary: 'Register an address for webhooks; the answer alone shows the secret that signs them',
  method: 'POST',
  path: ENDPOINTS,
  auth,
  body: createWebhookEndpointBody,
  response: envelope(webhookEndpointWithSecret),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED', 'TOO_MANY_WEBHOOK_ENDPOINTS', 'IDEMPOTENCY_CONFLICT'],
  // The gateway would keep the secret with its answer.
  idempotency: 'owner',
});

export const listWebhookEndpoints = defineEndpoint({
  operationId: 'listWebhookEndpoints',
  summary: 'All of an organization’s webhook endpoints, oldest first',
  method: 'GET',
  path: ENDPOINTS,
  auth,
  response: envelope(z.object({ endpoints: z.array(webhookEndpoint) })),
  errors: ['UNAUTHORIZED'],
});

export const getWebhookEndpoint = defineEndpoint({
  operationId: 'getWebhookEndpoint',
  summary: 'Read a webhook endpoint',
  method: 'GET',
  path: ENDPOINT,
  auth,
  params: endpointParams,
  response: envelope(webhookEndpoint),
  errors: REFUSALS,
});

export const updateWebhookEndpoint = defineEndpoint({
  operationId: 'updateWebhookEndpoint',
  summary: 'Change a webhook endpoint, turn it off or on again; what is left out stays',
  method: 'PATCH',
  path: ENDPOINT,
  auth,
  params: endpointParams,
  body: updateWebhookEndpointBody,
  response: envelope(webhookEndpoint),
  errors: REFUSALS,
});

export const deleteWebhookEndpoint = defineEndpoint({
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint with its deliveries',
  method: 'DELETE',
  path: ENDPOINT,
  auth,
  params: endpointParams,
  response: envelope(z.object({ endpointId: z.string(), deletedAt: timestamp })),
  errors: REFUSALS,
});

export const rotateWebhookSecret = defineEndpoint({
  operationId: 'rotateWebhookSecret',
  summary: 'Make a new secret; for 24 hours the one before signs as well',
  method: 'POST',
  path: `${ENDPOINT}/rotate-secret`,
  auth,
  params: endpointParams,
  response: envelope(webhookEndpointWithSecret),
  errors: REFUSALS,
  idempotency: 'owner',
});

export const testWebhookEndpoint = defineEndpoint({
  operationId: 'testWebhookEndpoint',
  summary: 'Send a ping to a webhook endpoint',
  method: 'POST',
  path: `${ENDPOINT}/test`,
  auth,
  params: endpointParams,
  response: envelope(webhookDeliverySummary),
  errors: [...REFUSALS, 'WEBHOOK_ENDPOINT_DISABLED'],
});

export const listWebhookDeliveries = defineEndpoint({
  operationId: 'listWebhookDeliveries',
  summary: 'What was sent to an endpoint in the last 30 days, newest first',
  method: 'GET',
  path: `${ENDPOINT}/deliveries`,
  auth,
  params: endpointParams,
  query: z.object({ status: deliveryStatus.optional(), cursor: z.string().max(256).optional(), limit }),
  response: envelope(z.object({ deliveries: z.array(webhookDeliverySummary), nextCursor: z.string().nullable() })),
  errors: REFUSALS,
});

export const getWebhookDelivery = defineEndpoint({
  operationId: 'getWebhookDelivery',
  summary: 'Read a delivery with the body that is sent',
  method: 'GET',
  path: DELIVERY,
  auth,
  params: deliveryParams,
  response: envelope(webhookDeliveryDetails),
  errors: [...REFUSALS, 'WEBHOOK_DELIVERY_NOT_FOUND'],
});

export const replayWebhookDelivery = defineEndpoint({
  operationId: 'replayWebhookDelivery',
  summary: 'Send a delivery again, whatever became of it',
  method: 'POST',
  path: `${DELIVERY}/replay`,
  auth,
  params: deliveryParams,
  response: envelope(webhookDeliverySummary),
  errors: [...REFUSALS, 'WEBHOOK_DELIVERY_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED'],
});

export const replayWebhooks = defineEndpoint({
  operationId: 'replayWebhooks',
  summary: 'Send again what an endpoint failed to take, or missed; up to 10,000 a call',
  method: 'POST',
  path: `${ENDPOINT}/replay`,
  auth,
  params: endpointParams,
  body: replayWebhooksBody,
  response: envelope(replayedWebhooks),
  errors: [...REFUSALS, 'WEBHOOK_ENDPOINT_DISABLED'],
});

export const listEvents = defineEndpoint({
  operationId: 'listEvents',
  summary: 'What happened to an organization in the last 30 days, in order and without a gap',
  method: 'GET',
  path: '/v1/events',
  auth,
  query: z.object({
    /** `nextCursor` of the page before, or the `sequence` of the last event that is known. */
    after: z.string().regex(/^\d{1,15}$/, 'must be a nextCursor or an event’s sequence').optional(),
    /** Comma separated. */
    types: z
      .string()
      .register(TOLD, { pattern: `^${ONE_TYPE}(,${ONE_TYPE})*$` })
      .transform((value) => value.split(',').map((type) => type.trim()))
      .pipe(z.array(publicEventType))
      .optional(),
    limit: queryIntegerOr(100, { min: 1, max: 1_000 }),
  }),
  response: envelope(
    z.object({
      events: z.array(publicEvent),
      /** Where to go on, now or later; there is always one. */
      nextCursor: z.string(),
      hasMore: z.boolean(),
      /** The earliest that is still kept: an `after` more than one below it has missed what age took. Null where there is none. */
      earliestSequence: z.number().int().nullable(),
    }),
  ),
  errors: ['VALIDATION_FAILED', 'UNAUTHORIZED'],
});
