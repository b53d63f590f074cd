import type { AuditedCall } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('audit_pending')
export class AuditPendingEntity {
  @PrimaryColumn('text') entryId!: string;
  @Column('text') organizationId!: string;
  @Column('json') call!: AuditedCall;
  @Column('timestamptz') dueAt!: Date;
}
