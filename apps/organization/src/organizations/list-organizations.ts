import { Injectable } from '@nestjs/common';
import { listOrganizations, type RpcInput } from '@classroom/contracts';
import { fitMessage, Handles } from '@classroom/messaging';
import { pageCursor } from '@classroom/persistence';
import { z } from 'zod';
import { toOrganization } from './to-organization.js';
import { OrganizationsRepository } from './organizations.repository.js';

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
