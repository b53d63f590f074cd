import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ChangeApiKey } from './change-api-key.js';
import { CreateApiKey } from './create-api-key.js';
import { ListApiKeys } from './list-api-keys.js';
import { UseApiKey } from './use-api-key.js';

@Module({ imports: [AuditModule, OrganizationsModule], providers: [ApiKeysRepository, ChangeApiKey, CreateApiKey, ListApiKeys, UseApiKey] })
export class ApiKeysModule {}
