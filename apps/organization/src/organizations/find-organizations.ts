import { Injectable } from '@nestjs/common';
import { AppError, getOrganization, listOrganizations, organizationRpc, retentionOf, type RpcInput } from '@classroom/contracts';
import { fitMessage, Handles } from '@classroom/messaging';
import { pageCursor } from '@classroom/persistence';
import { outsideOrganizations } from '@classroom/platform';
import { z } from 'zod';
import { CredentialsRepository } from '../credentials/credentials.repository.js';
import { hashOf } from '../credentials/credential-values.js';
import { domainsCovering } from './domain-names.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { toOrganization } from './to-organization.js';

@Injectable()
export class GetOrganization {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly credentials: CredentialsRepository,
  ) {}

  @Handles(getOrganization)
  async execute({ organizationId }: RpcInput<typeof getOrganization>) {
    const row =
      (await this.organizations.find(organizationId)) ?? (await outsideOrganizations(() => this.findByCredential(organizationId)));
    if (!row) throw new AppError('ORGANIZATION_NOT_FOUND');
    return toOrganization(row);
  }

  /** A gateway of the last release sends the value of VF-ORG-ID. */
  private async findByCredential(value: string) {
    const credential = await this.credentials.findByHash(hashOf(value));
    return credential && this.organizations.find(credential.organizationId);
  }
}

const cursors = pageCursor(z.string());

@Injectable()
export class ListOrganizations {
  constructor(private readonly organizations: OrganizationsRepository) {}

  /** Newest first; fewer than `limit` if one message cannot hold them. @throws AppError VALIDATION_FAILED if the cursor is invalid */
  @Handles(listOrganizations)
  async execute({ cursor, limit }: RpcInput<typeof listOrganizations>) {
    const rows = await this.organizations.page(cursor === undefined ? undefined : cursors.decode(cursor), limit + 1);
    const organizations = fitMessage(rows.slice(0, limit).map(toOrganization));
    const last = rows.length > organizations.length ? rows[organizations.length - 1] : undefined;
    return {
      organizations,
      pagination: {
        nextCursor: last ? cursors.encode({ createdAt: last.createdAt, id: last.organizationId }) : null,
        hasMore: last !== undefined,
      },
    };
  }
}

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

@Injectable()
export class VerifyHost {
  constructor(private readonly organizations: OrganizationsRepository) {}

  @Handles(organizationRpc.isVerifiedHost)
  async execute({ host }: RpcInput<typeof organizationRpc.isVerifiedHost>) {
    return { isVerified: await this.organizations.existsWithDomain(domainsCovering(host)) };
  }
}
