import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A single row: the process that runs the audit, the end of the last full round, and the last audited settled room. */
@Entity('ledger_audit')
export class LedgerAuditEntity {
  @PrimaryColumn('boolean') isOnly!: boolean;
  @Column('uuid', { nullable: true }) holder!: string | null;
  @Column('timestamptz') heldUntil!: Date;
  @Column('timestamptz') completedAt!: Date;
  @Column('timestamptz') settledAt!: Date;
  @Column('text') sid!: string;
}
