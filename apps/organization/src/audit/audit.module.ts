import { Module } from '@nestjs/common';
import { AppendCalls } from './append-calls.js';
import { AuditChanges } from './audit-changes.js';
import { AuditChangesRepository } from './audit-changes.repository.js';
import { AuditLogRepository } from './audit-log.repository.js';
import { AuditPendingRepository } from './audit-pending.repository.js';
import { ListAudit } from './list-audit.js';
import { RecordCalls } from './record-calls.js';

@Module({
  providers: [AppendCalls, AuditChanges, AuditChangesRepository, AuditLogRepository, AuditPendingRepository, ListAudit, RecordCalls],
  exports: [AuditChanges, AuditLogRepository],
})
export class AuditModule {}
