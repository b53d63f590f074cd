import { Controller, Headers } from '@nestjs/common';
import { apiKeyRpc, listOrganizationApiKeys, provisionApiKey, revokeOrganizationApiKey, type EndpointInput } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import { ownersKey } from '../http/idempotency-key.js';

@Controller()
export class OrganizationApiKeysController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(provisionApiKey)
  async create(@Input() { params, body }: EndpointInput<typeof provisionApiKey>, @Headers('idempotency-key') key: string | undefined) {
    return success(await this.rpc.call(apiKeyRpc.create, { ...params, ...body, idempotency: ownersKey(key) }), 'API key created');
  }

  @Endpoint(listOrganizationApiKeys)
  async list(@Input() { params }: EndpointInput<typeof listOrganizationApiKeys>) {
    return success(await this.rpc.call(apiKeyRpc.list, params), 'API keys');
  }

  @Endpoint(revokeOrganizationApiKey)
  async revoke(@Input() { params }: EndpointInput<typeof revokeOrganizationApiKey>) {
    return success(await this.rpc.call(apiKeyRpc.revoke, params), 'API key revoked');
  }
}
