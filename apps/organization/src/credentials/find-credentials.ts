import { Injectable } from '@nestjs/common';
import { AppError, credentialRpc, listCredentials, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { CredentialsRepository } from './credentials.repository.js';
import { toCredential } from './to-credential.js';

@Injectable()
export class FindCredentials {
  constructor(private readonly credentials: CredentialsRepository) {}

  @Handles(listCredentials)
  async listCredentials({ organizationId }: RpcInput<typeof listCredentials>) {
    return { credentials: (await this.credentials.list(organizationId)).map(toCredential) };
  }

  /** For the gateways, which look up the credential of a request and report its uses. @throws AppError CREDENTIAL_NOT_FOUND */
  @Handles(credentialRpc.find)
  async findCredential({ hash }: RpcInput<typeof credentialRpc.find>) {
    const row = await this.credentials.findByHash(Buffer.from(hash, 'hex'));
    if (!row) throw new AppError('CREDENTIAL_NOT_FOUND');
    const { credentialId, organizationId, expiresAt } = row;
    return { credentialId, organizationId, expiresAt: expiresAt?.toISOString() ?? null };
  }

  @Handles(credentialRpc.used)
  async recordUses({ uses }: RpcInput<typeof credentialRpc.used>) {
    await this.credentials.markUsed(uses.map(({ credentialId, usedAt }) => ({ credentialId, usedAt: new Date(usedAt) })));
    return {};
  }
}
