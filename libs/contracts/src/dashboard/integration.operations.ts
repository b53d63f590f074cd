import { defineAlias } from '../kernel/operation.js';
import { API_KEY, DELIVERY, ENDPOINT } from '../kernel/samples.js';
import { createApiKey, createApiKeyBody, listApiKeys, revokeApiKey, revokeApiKeyQuery } from '../organization/api-keys.operations.js';
import {
  createWebhookEndpoint,
  createWebhookEndpointBody,
  deleteWebhookEndpoint,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhookEndpoints,
  replayWebhookDelivery,
} from '../organization/webhooks.operations.js';

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

export const createDashboardWebhookEndpoint = defineAlias(createWebhookEndpoint, {
  operationId: 'createDashboardWebhookEndpoint',
  summary: 'Create dashboard webhook endpoint',
  description:
    'Registers a URL for webhooks. Only this response contains the secret that signs them. Requires the role OWNER; if an API key issued the token, also its scope `webhooks:manage`.',
  tag: 'Dashboard',
  route: 'POST /v1/dashboard/webhook-endpoints',
  auth: 'dashboard',
  isForOwners: true,
  issuerScope: 'webhooks:manage',
  // The gateway would store the secret together with its answer.
  idempotency: 'owner',
  body: createWebhookEndpointBody,
  message: 'Webhook endpoint created',
  example: { body: { url: 'https://lakeside.example/attendance-webhooks', eventTypes: ['room.finished'] } },
  links: { endpointId: '$response.body#/data/endpointId' },
});

export const deleteDashboardWebhookEndpoint = defineAlias(deleteWebhookEndpoint, {
  operationId: 'deleteDashboardWebhookEndpoint',
  summary: 'Delete dashboard webhook endpoint',
  description:
    'Deletes a webhook endpoint with its deliveries. Requires the role OWNER; if an API key issued the token, also its scope `webhooks:manage`.',
  tag: 'Dashboard',
  route: 'DELETE /v1/dashboard/webhook-endpoints/:endpointId',
  auth: 'dashboard',
  isForOwners: true,
  issuerScope: 'webhooks:manage',
  params: deleteWebhookEndpoint.params,
  message: 'Webhook endpoint deleted',
  example: { params: ENDPOINT },
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

export const getDashboardWebhookDelivery = defineAlias(getWebhookDelivery, {
  operationId: 'getDashboardWebhookDelivery',
  summary: 'Get dashboard delivery',
  description: 'Returns a delivery with the request body. Requires the role OWNER.',
  tag: 'Dashboard',
  route: 'GET /v1/dashboard/webhook-endpoints/:endpointId/deliveries/:deliveryId',
  auth: 'dashboard',
  isForOwners: true,
  params: getWebhookDelivery.params,
  example: { params: DELIVERY },
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

export const createDashboardApiKey = defineAlias(createApiKey, {
  operationId: 'createDashboardApiKey',
  summary: 'Create dashboard API key',
  description:
    'Creates an API key. Only this response contains its secret. Requires the role OWNER; if an API key issued the token, also its scope `keys:manage`, and the new key gets no right that the issuing one lacks.',
  tag: 'Dashboard',
  route: 'POST /v1/dashboard/api-keys',
  auth: 'dashboard',
  isForOwners: true,
  issuerScope: 'keys:manage',
  // The gateway would store the secret together with its answer.
  idempotency: 'owner',
  body: createApiKeyBody,
  toInput: (request) => createApiKey.toInput(request),
  message: 'API key created',
  example: { body: { name: 'Timetable', scopes: ['rooms:read', 'rooms:write'] } },
  links: { keyId: '$response.body#/data/keyId' },
});

export const revokeDashboardApiKey = defineAlias(revokeApiKey, {
  operationId: 'revokeDashboardApiKey',
  summary: 'Revoke dashboard API key',
  description:
    'Revokes an API key immediately, and the keys that it created. Requires the role OWNER; if an API key issued the token, also its scope `keys:manage`.',
  tag: 'Dashboard',
  route: 'DELETE /v1/dashboard/api-keys/:keyId',
  auth: 'dashboard',
  isForOwners: true,
  issuerScope: 'keys:manage',
  params: revokeApiKey.params,
  query: revokeApiKeyQuery,
  toInput: (request) => revokeApiKey.toInput(request),
  message: 'API key revoked',
  example: { params: API_KEY },
});
