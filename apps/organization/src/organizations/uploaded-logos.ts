import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError, logoRpc, sha256OfLogo, UPLOADED, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { LogosRepository } from './logos.repository.js';
import { OrganizationChanges } from './organization-changes.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { toOrganization } from './to-organization.js';

@Injectable()
export class UploadedLogos {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly logos: LogosRepository,
    private readonly changes: OrganizationChanges,
  ) {}

  /** @throws AppError ORGANIZATION_NOT_FOUND (also if its erasure was requested); SERVICE_UNAVAILABLE if another upload began meanwhile */
  @Handles(logoRpc.put)
  put({ organizationId, sha256, number, parts, logoPart }: RpcInput<typeof logoRpc.put>) {
    return this.database.transaction(async (tx) => {
      const row = await this.organizations.lock(tx, organizationId);
      // Of earlier uploads that did not end.
      if (number === 0) await this.logos.removeExcept(tx, organizationId, [sha256, sha256OfLogo(row.logoUrl) ?? '']);
      await this.logos.put(tx, { organizationId, sha256, number, parts, content: Buffer.from(logoPart, 'base64') });
      if (number < parts - 1) return toOrganization(row);

      const logo = await this.logos.read(tx, organizationId, sha256);
      if (createHash('sha256').update(logo).digest('hex') !== sha256) throw new AppError('SERVICE_UNAVAILABLE');
      await this.logos.removeExcept(tx, organizationId, [sha256]);
      return this.changes.save(tx, row, { logoUrl: UPLOADED + sha256 });
    });
  }

  /** @throws AppError NOT_FOUND */
  @Handles(logoRpc.get)
  async get({ sha256, number }: RpcInput<typeof logoRpc.get>) {
    const part = await this.logos.findPart(sha256, number);
    if (!part) throw new AppError('NOT_FOUND');
    return { parts: part.parts, logoPart: part.content.toString('base64') };
  }
}
