import { Injectable } from '@nestjs/common';
import { organizationRpc, retentionOf, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { OrganizationsRepository } from './organizations.repository.js';

@Injectable()
export class ListRetentions {
  constructor(private readonly organizations: OrganizationsRepository) {}

  @Handles(organizationRpc.retentions)
  async execute({ after, limit }: RpcInput<typeof organizationRpc.retentions>) {
    const rows = await this.organizations.retentions(after, limit);
    return {
      organizations: rows.map(({ organizationId, retention }) => ({
        organizationId,
        retention: retentionOf(retention),
        set: Object.entries(retention ?? {}).flatMap(([name, kept]) => (kept === null ? [] : [name])),
      })),
    };
  }
}
