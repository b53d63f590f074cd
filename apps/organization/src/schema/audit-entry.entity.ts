import type { AuditActor, AuditChange } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('audit_entries')
export class AuditEntryEntity {
  @PrimaryColumn('text') entryId!: string;
  /** `OPERATORS_LOG` for calls that concern no organization. */
  @Column('text') organizationId!: string;
  @Column('bigint') sequence!: number;
  @Column('timestamptz') at!: Date;
  @Column('text') actorType!: AuditActor['type'];
  @Column('text') actorId!: string;
  @Column('text') operation!: string;
  @Column('text') address!: string;
  @Column('text') requestId!: string;
  @Column('json') target!: Record<string, string>;
  @Column('json') fields!: string[];
  @Column('json') changes!: AuditChange[];
  @Column('integer', { nullable: true }) status!: number | null;
  @Column('bytea') hash!: Buffer;
}
