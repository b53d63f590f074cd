import { Controller } from '@nestjs/common';
import { aiSettingsRpc, organizationRpc, type RpcInput } from '@classroom/contracts';
import { RpcClient, RpcHandler } from '@classroom/messaging';
import { SettingsRepository } from './settings.repository.js';
import { toAiSettings } from './settings.row.js';
import { UpdateSettings } from './update-settings.js';

@Controller()
export class SettingsRpc {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly updateSettings: UpdateSettings,
    private readonly rpc: RpcClient,
  ) {}

  @RpcHandler(aiSettingsRpc.get)
  async get({ organizationId }: RpcInput<typeof aiSettingsRpc.get>) {
    await this.rpc.call(organizationRpc.get, { organizationId });
    return toAiSettings(organizationId, await this.settings.find(organizationId));
  }

  @RpcHandler(aiSettingsRpc.update)
  async update({ organizationId, changes }: RpcInput<typeof aiSettingsRpc.update>) {
    return this.updateSettings.execute(organizationId, changes);
  }
}
