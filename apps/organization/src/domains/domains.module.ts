import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ChangeDomains } from './change-domains.js';
import { CheckDomains } from './check-domains.js';
import { DomainRecords } from './domain-records.js';

@Module({ imports: [AuditModule, OrganizationsModule], providers: [ChangeDomains, CheckDomains, DomainRecords] })
export class DomainsModule {}
