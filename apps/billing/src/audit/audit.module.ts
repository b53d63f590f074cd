import { Module } from '@nestjs/common';
import { AuditRepository } from './audit.repository.js';
import { LedgerAudit } from './ledger-audit.js';
import { SessionDrift } from './session-drift.js';

@Module({
  providers: [AuditRepository, LedgerAudit, SessionDrift],
})
export class AuditModule {}
