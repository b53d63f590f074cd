import { Injectable } from '@nestjs/common';
import { getAiSettings, getOrganization, type RpcInput } from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { SettingsRepository } from './settings.repository.js';
import { toAiSettings } from './to-ai-settings.js';

@Injectable()
export class GetAiSettings {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND */
  @Handles(getAiSettings)
  async execute({ organizationId }: RpcInput<typeof getAiSettings>) {
    await this.rpc.call(getOrganization, { organizationId });
    return toAiSettings(organizationId, await this.settings.find(organizationId));
  }
}
