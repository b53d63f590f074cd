import { Controller } from '@nestjs/common';
import { apiKeyRpc, AppError, type RpcInput } from '@classroom/contracts';
import { RpcHandler } from '@classroom/messaging';
import { Clock } from '@classroom/platform';
import { toApiKey } from './api-key.row.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ChangeApiKey } from './change-api-key.js';
import { CreateApiKey } from './create-api-key.js';

@Controller()
export class ApiKeysRpc {
  constructor(
    private readonly createApiKey: CreateApiKey,
    private readonly changeApiKey: ChangeApiKey,
    private readonly keys: ApiKeysRepository,
    private readonly clock: Clock,
  ) {}

  @RpcHandler(apiKeyRpc.create)
  async create(input: RpcInput<typeof apiKeyRpc.create>) {
    return this.createApiKey.execute(input);
  }

  @RpcHandler(apiKeyRpc.list)
  async list({ organizationId }: RpcInput<typeof apiKeyRpc.list>) {
    const rows = await this.keys.ofOrganization(organizationId, this.clock.now());
    return { apiKeys: rows.map((row) => toApiKey(row, row.previousUntil)) };
  }

  @RpcHandler(apiKeyRpc.rotate)
  async rotate(input: RpcInput<typeof apiKeyRpc.rotate>) {
    return this.changeApiKey.rotate(input);
  }

  @RpcHandler(apiKeyRpc.revoke)
  async revoke(input: RpcInput<typeof apiKeyRpc.revoke>) {
    return this.changeApiKey.revoke(input);
  }

  @RpcHandler(apiKeyRpc.find)
  async find({ prefix }: RpcInput<typeof apiKeyRpc.find>) {
    const rows = await this.keys.byPrefix(prefix);
    const [row] = rows;
    if (!row) throw new AppError('API_KEY_NOT_FOUND');
    const { keyId, organizationId, scopes, expiresAt } = row;
    const secrets = rows.map(({ hash, validUntil }) => ({ hash: hash.toString('hex'), validUntil: validUntil?.toISOString() ?? null }));
    return { keyId, organizationId, scopes, expiresAt: expiresAt?.toISOString() ?? null, secrets };
  }

  @RpcHandler(apiKeyRpc.used)
  async used({ uses }: RpcInput<typeof apiKeyRpc.used>) {
    await this.keys.markUsed(uses.map(({ keyId, usedAt }) => ({ keyId, usedAt: new Date(usedAt) })));
    return {};
  }
}
