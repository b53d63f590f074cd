import { defineAlias } from '../kernel/operation.js';
import { DELIVERY, ENDPOINT } from '../kernel/samples.js';
import { listApiKeys } from '../organization/api-keys.operations.js';
import { listWebhookDeliveries, listWebhookEndpoints, replayWebhookDelivery } from '../organization/webhooks.operations.js';

/** What connects an organization's backend, as its owners read it. Addresses and answers of the backend may contain secrets of its own. */

export const listDashboardWebhookEndpoints = defineAlias(listWebhookEndpoints, {
  operationId: 'listDashboardWebhookEndpoints',
  summary: 'List dashboard webhook endpoints',
  description: 'Returns the organization’s webhook endpoints, oldest first. Requires the role OWNER.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/webhook-endpoints',
  auth: 'dashboard',
  isForOwners: true,
  message: 'Webhook endpoints',
  example: {},
});

export const listDashboardWebhookDeliveries = defineAlias(listWebhookDeliveries, {
  operationId: 'listDashboardWebhookDeliveries',
  summary: 'List dashboard deliveries',
  description: 'Returns the deliveries to an endpoint in the last 30 days, newest first. Requires the role OWNER.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/webhook-endpoints/:endpointId/deliveries',
  auth: 'dashboard',
  isForOwners: true,
  params: listWebhookDeliveries.params,
  query: listWebhookDeliveries.query,
  message: 'Deliveries',
  example: { params: ENDPOINT, query: { limit: 1 } },
});

export const replayDashboardWebhookDelivery = defineAlias(replayWebhookDelivery, {
  operationId: 'replayDashboardWebhookDelivery',
  summary: 'Retry dashboard delivery',
  description: 'Sends a delivery again, whether it had succeeded or failed. Requires the role OWNER.',
  tag: 'Dashboard',
  route: 'POST /v1/dashboard/webhook-endpoints/:endpointId/deliveries/:deliveryId/replay',
  auth: 'dashboard',
  isForOwners: true,
  params: replayWebhookDelivery.params,
  message: 'Delivery queued',
  example: { params: DELIVERY },
});

export const listDashboardApiKeys = defineAlias(listApiKeys, {
  operationId: 'listDashboardApiKeys',
  summary: 'List dashboard API keys',
  description: 'Returns the organization’s API keys without their secrets, oldest first. Requires the role OWNER.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/api-keys',
  auth: 'dashboard',
  isForOwners: true,
  message: 'API keys',
  example: {},
});
