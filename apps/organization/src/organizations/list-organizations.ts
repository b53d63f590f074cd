import { Injectable } from '@nestjs/common';
import { invalidField, type organizationRpc, type RpcOutput } from '@classroom/contracts';
import { z } from 'zod';
import { toOrganization, type OrganizationEntity } from './organization.entity.js';
import { OrganizationsRepository, type Position } from './organizations.repository.js';

const position = z.tuple([z.number().int(), z.string()]);

@Injectable()
export class ListOrganizations {
  constructor(private readonly organizations: OrganizationsRepository) {}

  /** Newest first. @throws AppError VALIDATION_FAILED where the cursor is none of ours */
  async execute(cursor: string | undefined, limit: number): Promise<RpcOutput<typeof organizationRpc.list>> {
    const rows = await this.organizations.page(cursor === undefined ? undefined : decode(cursor), limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      organizations: page.map(toOrganization),
      pagination: { nextCursor: last ? encode(last) : null, hasMore: last !== undefined },
    };
  }
}

const encode = ({ createdAt, organizationId }: OrganizationEntity) =>
  Buffer.from(JSON.stringify([createdAt.getTime(), organizationId])).toString('base64url');

function decode(cursor: string): Position {
  try {
    const [time, organizationId] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { createdAt: new Date(time), organizationId };
  } catch (cause) {
    throw invalidField('cursor', 'must be one that a page before gave', cause);
  }
}
