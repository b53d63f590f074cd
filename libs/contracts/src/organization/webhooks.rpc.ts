import { z } from 'zod';
import { organizationId } from '../kernel/ids.js';
import { defineRpc, replayable } from '../kernel/rpc.js';
import { publicEvent, publicEventType } from './public-events.js';
import {
  createWebhookEndpointBody,
  deliveryId,
  deliveryStatus,
  endpointId,
  replayedWebhooks,
  replayWebhooksBody,
  updateWebhookEndpointBody,
  webhookDeliveryDetails,
  webhookDeliverySummary,
  webhookEndpoint,
  webhookEndpointWithSecret,
} from './webhooks.http.js';

const service = 'organization' as const;
const noun = 'webhook';
const ofEndpoint = z.object({ organizationId, endpointId });
const ofDelivery = ofEndpoint.extend({ deliveryId });

export const webhookRpc = {
  create: defineRpc({
    service,
    noun,
    verb: 'create',
    input: createWebhookEndpointBody.extend({
      organizationId,
      /** The caller's key and a hash of its body: the gateway keeps no answer with a secret in it. */
      idempotency: z.object({ key: z.string(), bodyHash: z.string() }).optional(),
    }),
    output: replayable(webhookEndpointWithSecret),
    errors: ['ORGANIZATION_NOT_FOUND', 'VALIDATION_FAILED', 'TOO_MANY_WEBHOOK_ENDPOINTS', 'IDEMPOTENCY_CONFLICT'],
  }),
  list: defineRpc({ service, noun, verb: 'list', input: z.object({ organizationId }), output: z.object({ endpoints: z.array(webhookEndpoint) }) }),
  get: defineRpc({ service, noun, verb: 'get', input: ofEndpoint, output: webhookEndpoint, errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'] }),
  update: defineRpc({
    service,
    noun,
    verb: 'update',
    input: ofEndpoint.extend({ changes: updateWebhookEndpointBody }),
    output: webhookEndpoint,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'VALIDATION_FAILED'],
  }),
  delete: defineRpc({
    service,
    noun,
    verb: 'delete',
    input: ofEndpoint,
    output: z.object({ endpointId: z.string(), deletedAt: z.string() }),
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  }),
  rotateSecret: defineRpc({
    service,
    noun,
    verb: 'rotate-secret',
    input: ofEndpoint.extend({ idempotency: z.object({ key: z.string() }).optional() }),
    output: replayable(webhookEndpointWithSecret),
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'],
  }),
  test: defineRpc({
    service,
    noun,
    verb: 'test',
    input: ofEndpoint,
    output: webhookDeliverySummary,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED'],
  }),
  deliveries: defineRpc({
    service,
    noun,
    verb: 'deliveries',
    input: ofEndpoint.extend({ status: deliveryStatus.optional(), cursor: z.string().optional(), limit: z.number().int() }),
    output: z.object({ deliveries: z.array(webhookDeliverySummary), nextCursor: z.string().nullable() }),
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'VALIDATION_FAILED'],
  }),
  delivery: defineRpc({
    service,
    noun,
    verb: 'delivery',
    input: ofDelivery,
    output: webhookDeliveryDetails,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND'],
  }),
  replayDelivery: defineRpc({
    service,
    noun,
    verb: 'replay-delivery',
    input: ofDelivery,
    output: webhookDeliverySummary,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED'],
  }),
  replay: defineRpc({
    service,
    noun,
    verb: 'replay',
    input: ofEndpoint.extend(replayWebhooksBody.shape),
    output: replayedWebhooks,
    errors: ['WEBHOOK_ENDPOINT_NOT_FOUND', 'WEBHOOK_ENDPOINT_DISABLED'],
    timeoutMs: 15_000,
  }),
  events: defineRpc({
    service,
    noun: 'event',
    verb: 'list',
    input: z.object({
      organizationId,
      after: z.number().int().min(0),
      types: z.array(publicEventType).optional(),
      limit: z.number().int().min(1).max(1_000),
    }),
    output: z.object({
      events: z.array(publicEvent),
      nextCursor: z.string(),
      hasMore: z.boolean(),
      earliestSequence: z.number().int().nullable(),
    }),
  }),
};
