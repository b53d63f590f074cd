import { Controller } from '@nestjs/common';
import { aiSettingsRpc, getAiSettings, updateAiSettings, type EndpointInput } from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

@Controller()
export class AiSettingsController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(getAiSettings)
  async get(@Input() { params }: EndpointInput<typeof getAiSettings>) {
    return success(await this.rpc.call(aiSettingsRpc.get, params));
  }

  @Endpoint(updateAiSettings)
  async update(@Input() { params, body }: EndpointInput<typeof updateAiSettings>) {
    return success(await this.rpc.call(aiSettingsRpc.update, { ...params, changes: body }), 'AI settings updated');
  }
}
