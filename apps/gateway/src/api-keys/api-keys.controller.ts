import { Controller, Headers } from '@nestjs/common';
import { apiKeyRpc, createApiKey, listApiKeys, revokeApiKey, rotateApiKey, type EndpointInput, type Organization } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CallingApiKey, CallingOrganization, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';
import type { ApiKeyRights } from '../http/exchange.js';
import { ownersKey } from '../http/idempotency-key.js';

@Controller()
export class ApiKeysController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(createApiKey)
  async create(
    @CallingOrganization() { organizationId }: Organization,
    @CallingApiKey() by: ApiKeyRights | undefined,
    @Input() { body }: EndpointInput<typeof createApiKey>,
    @Headers('idempotency-key') key: string | undefined,
  ) {
    const input = { organizationId, ...body, by, idempotency: ownersKey(key) };
    return success(await this.rpc.call(apiKeyRpc.create, input), 'API key created');
  }

  @Endpoint(listApiKeys)
  async list(@CallingOrganization() { organizationId }: Organization) {
    return success(await this.rpc.call(apiKeyRpc.list, { organizationId }), 'API keys');
  }

  @Endpoint(rotateApiKey)
  async rotate(
    @CallingOrganization() { organizationId }: Organization,
    @CallingApiKey() by: ApiKeyRights | undefined,
    @Input() { params, body }: EndpointInput<typeof rotateApiKey>,
    @Headers('idempotency-key') key: string | undefined,
  ) {
    const input = { organizationId, ...params, ...body, by, idempotency: ownersKey(key) };
    return success(await this.rpc.call(apiKeyRpc.rotate, input), 'API key rotated');
  }

  @Endpoint(revokeApiKey)
  async revoke(
    @CallingOrganization() { organizationId }: Organization,
    @CallingApiKey() by: ApiKeyRights | undefined,
    @Input() { params }: EndpointInput<typeof revokeApiKey>,
  ) {
    return success(await this.rpc.call(apiKeyRpc.revoke, { organizationId, ...params, by }), 'API key revoked');
  }
}
