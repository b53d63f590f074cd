import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ChangeCredentials } from './change-credentials.js';
import { CredentialsRepository } from './credentials.repository.js';
import { FindCredentials } from './find-credentials.js';

@Module({
  imports: [AuditModule],
  providers: [ChangeCredentials, CredentialsRepository, FindCredentials],
  exports: [CredentialsRepository],
})
export class CredentialsModule {}
