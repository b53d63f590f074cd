import { Injectable } from '@nestjs/common';
import { apiKeyRpc, AppError, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { ApiKeysRepository } from './api-keys.repository.js';

/** Serves the gateways: they look up a key, check its secret themselves, and report its uses. */
@Injectable()
export class UseApiKey {
  constructor(private readonly keys: ApiKeysRepository) {}

  @Handles(apiKeyRpc.find)
  async findApiKey({ prefix }: RpcInput<typeof apiKeyRpc.find>) {
    const rows = await this.keys.findByPrefix(prefix);
    const [row] = rows;
    if (!row) throw new AppError('API_KEY_NOT_FOUND');
    const { keyId, organizationId, scopes, expiresAt } = row;
    const secrets = rows.map(({ hash, validUntil }) => ({ hash: hash.toString('hex'), validUntil: validUntil?.toISOString() ?? null }));
    return { keyId, organizationId, scopes, expiresAt: expiresAt?.toISOString() ?? null, secrets };
  }

  @Handles(apiKeyRpc.used)
  async recordUses({ uses }: RpcInput<typeof apiKeyRpc.used>) {
    await this.keys.markUsed(uses.map(({ keyId, usedAt }) => ({ keyId, usedAt: new Date(usedAt) })));
    return {};
  }
}
