import { Injectable } from '@nestjs/common';
import { listApiKeys, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { toApiKey } from './to-api-key.js';
import { ApiKeysRepository } from './api-keys.repository.js';

@Injectable()
export class ListApiKeys {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly clock: Clock,
  ) {}

  @Handles(listApiKeys)
  async execute({ organizationId }: RpcInput<typeof listApiKeys>) {
    const rows = await this.keys.listByOrganization(organizationId, this.clock.now());
    return { apiKeys: rows.map((row) => toApiKey(row, row.previousUntil)) };
  }
}
