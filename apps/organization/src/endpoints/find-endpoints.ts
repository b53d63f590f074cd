import { Injectable } from '@nestjs/common';
import { getWebhookEndpoint, listWebhookEndpoints, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { EndpointsRepository } from './endpoints.repository.js';
import { toEndpoint } from './to-endpoint.js';

@Injectable()
export class FindEndpoints {
  constructor(private readonly endpoints: EndpointsRepository) {}

  @Handles(listWebhookEndpoints)
  async listWebhookEndpoints({ organizationId }: RpcInput<typeof listWebhookEndpoints>) {
    return { endpoints: (await this.endpoints.listByOrganization(organizationId)).map(toEndpoint) };
  }

  @Handles(getWebhookEndpoint)
  async getWebhookEndpoint({ organizationId, endpointId }: RpcInput<typeof getWebhookEndpoint>) {
    return toEndpoint(await this.endpoints.get(organizationId, endpointId));
  }
}
