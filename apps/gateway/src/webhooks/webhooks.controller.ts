import { Controller, Headers, Res } from '@nestjs/common';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookDelivery,
  getWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  replayWebhookDelivery,
  replayWebhooks,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
  webhookRpc,
  type EndpointInput,
  type Organization,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import type { FastifyReply } from 'fastify';
import { CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import { ofOwner, ownersKey, ownersKeyOf } from '../http/idempotency-key.js';

@Controller()
export class WebhooksController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(createWebhookEndpoint)
  async create(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { body }: EndpointInput<typeof createWebhookEndpoint>,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const idempotency = ownersKeyOf(key, body);
    const created = await this.rpc.call(webhookRpc.create, { organizationId, ...body, idempotency });
    return success(ofOwner(reply, created), 'Webhook endpoint created');
  }

  @Endpoint(listWebhookEndpoints)
  async list(@CallingOrganization() { organizationId }: Organization) {
    return success(await this.rpc.call(webhookRpc.list, { organizationId }), 'Webhook endpoints');
  }

  @Endpoint(getWebhookEndpoint)
  async get(@CallingOrganization() { organizationId }: Organization, @Input() { params }: EndpointInput<typeof getWebhookEndpoint>) {
    return success(await this.rpc.call(webhookRpc.get, { organizationId, ...params }));
  }

  @Endpoint(updateWebhookEndpoint)
  async update(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params, body }: EndpointInput<typeof updateWebhookEndpoint>,
  ) {
    return success(await this.rpc.call(webhookRpc.update, { organizationId, ...params, changes: body }), 'Webhook endpoint changed');
  }

  @Endpoint(deleteWebhookEndpoint)
  async delete(@CallingOrganization() { organizationId }: Organization, @Input() { params }: EndpointInput<typeof deleteWebhookEndpoint>) {
    return success(await this.rpc.call(webhookRpc.delete, { organizationId, ...params }), 'Webhook endpoint deleted');
  }

  @Endpoint(rotateWebhookSecret)
  async rotateSecret(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params }: EndpointInput<typeof rotateWebhookSecret>,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const rotated = await this.rpc.call(webhookRpc.rotateSecret, { organizationId, ...params, idempotency: ownersKey(key) });
    return success(ofOwner(reply, rotated), 'Secret rotated');
  }

  @Endpoint(testWebhookEndpoint)
  async test(@CallingOrganization() { organizationId }: Organization, @Input() { params }: EndpointInput<typeof testWebhookEndpoint>) {
    return success(await this.rpc.call(webhookRpc.test, { organizationId, ...params }), 'Ping queued');
  }

  @Endpoint(listWebhookDeliveries)
  async deliveries(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params, query }: EndpointInput<typeof listWebhookDeliveries>,
  ) {
    return success(await this.rpc.call(webhookRpc.deliveries, { organizationId, ...params, ...query }), 'Deliveries');
  }

  @Endpoint(getWebhookDelivery)
  async delivery(@CallingOrganization() { organizationId }: Organization, @Input() { params }: EndpointInput<typeof getWebhookDelivery>) {
    return success(await this.rpc.call(webhookRpc.delivery, { organizationId, ...params }));
  }

  @Endpoint(replayWebhookDelivery)
  async replayDelivery(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params }: EndpointInput<typeof replayWebhookDelivery>,
  ) {
    return success(await this.rpc.call(webhookRpc.replayDelivery, { organizationId, ...params }), 'Delivery queued');
  }

  @Endpoint(replayWebhooks)
  async replay(
    @CallingOrganization() { organizationId }: Organization,
    @Input() { params, body }: EndpointInput<typeof replayWebhooks>,
  ) {
    return success(await this.rpc.call(webhookRpc.replay, { organizationId, ...params, ...body }), 'Deliveries queued');
  }
}
