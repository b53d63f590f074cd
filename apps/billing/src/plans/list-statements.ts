import { Injectable } from '@nestjs/common';
import { getOrganization, listStatements, type RpcInput } from '@classroom/contracts';
import { Handles, RpcClient } from '@classroom/messaging';
import { StatementsRepository } from './statements.repository.js';
import { toStatement } from './to-statement.js';

@Injectable()
export class ListStatements {
  constructor(
    private readonly statements: StatementsRepository,
    private readonly rpc: RpcClient,
  ) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND, SERVICE_UNAVAILABLE */
  @Handles(listStatements)
  async execute({ organizationId }: RpcInput<typeof listStatements>) {
    const rows = await this.statements.listByOrganization(organizationId);
    if (rows.length === 0) await this.rpc.call(getOrganization, { organizationId });
    return rows.map(toStatement);
  }
}
