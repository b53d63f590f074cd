import { Controller } from '@nestjs/common';
import { webhookRpc, type RpcInput } from '@classroom/contracts';
import { RpcHandler } from '@classroom/messaging';
import { ChangeEndpoint } from '../endpoints/change-endpoint.js';
import { CreateEndpoint } from '../endpoints/create-endpoint.js';
import { DeliveryLog } from './delivery-log.js';
import { toEndpoint } from '../endpoints/endpoint.row.js';
import { EndpointsRepository } from '../endpoints/endpoints.repository.js';
import { Replay } from './replay.js';

@Controller()
export class WebhooksRpc {
  constructor(
    private readonly createEndpoint: CreateEndpoint,
    private readonly changeEndpoint: ChangeEndpoint,
    private readonly endpoints: EndpointsRepository,
    private readonly log: DeliveryLog,
    private readonly replay: Replay,
  ) {}

  @RpcHandler(webhookRpc.create)
  async create(input: RpcInput<typeof webhookRpc.create>) {
    return this.createEndpoint.execute(input);
  }

  @RpcHandler(webhookRpc.list)
  async list({ organizationId }: RpcInput<typeof webhookRpc.list>) {
    return { endpoints: (await this.endpoints.ofOrganization(organizationId)).map(toEndpoint) };
  }

  @RpcHandler(webhookRpc.get)
  async get({ organizationId, endpointId }: RpcInput<typeof webhookRpc.get>) {
    return toEndpoint(await this.endpoints.get(organizationId, endpointId));
  }

  @RpcHandler(webhookRpc.update)
  async update(input: RpcInput<typeof webhookRpc.update>) {
    return this.changeEndpoint.update(input);
  }

  @RpcHandler(webhookRpc.delete)
  async delete(input: RpcInput<typeof webhookRpc.delete>) {
    return this.changeEndpoint.delete(input);
  }

  @RpcHandler(webhookRpc.rotateSecret)
  async rotateSecret(input: RpcInput<typeof webhookRpc.rotateSecret>) {
    return this.changeEndpoint.rotateSecret(input);
  }

  @RpcHandler(webhookRpc.test)
  async test(input: RpcInput<typeof webhookRpc.test>) {
    return this.replay.ping(input);
  }

  @RpcHandler(webhookRpc.deliveries)
  async deliveries(input: RpcInput<typeof webhookRpc.deliveries>) {
    return this.log.page(input);
  }

  @RpcHandler(webhookRpc.delivery)
  async delivery(input: RpcInput<typeof webhookRpc.delivery>) {
    return this.log.one(input);
  }

  @RpcHandler(webhookRpc.replayDelivery)
  async replayDelivery(input: RpcInput<typeof webhookRpc.replayDelivery>) {
    return this.replay.one(input);
  }

  @RpcHandler(webhookRpc.replay)
  async replayMany(input: RpcInput<typeof webhookRpc.replay>) {
    return this.replay.many(input);
  }
}
