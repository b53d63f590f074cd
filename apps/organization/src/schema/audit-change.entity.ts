import type { AuditChange } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('audit_changes')
export class AuditChangeEntity {
  @PrimaryColumn('bigint') position!: number;
  @Column('text') entryId!: string;
  @Column('text') organizationId!: string;
  @Column('json') change!: AuditChange;
  @Column('timestamptz') createdAt!: Date;
}
