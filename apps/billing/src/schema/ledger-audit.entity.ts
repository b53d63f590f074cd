import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One row: the process that runs the rounds, the end of the last full round, and how far settled rooms are proved. */
@Entity('ledger_audit')
export class LedgerAuditEntity {
  @PrimaryColumn('boolean') isOnly!: boolean;
  @Column('uuid', { nullable: true }) holder!: string | null;
  @Column('timestamptz') heldUntil!: Date;
  @Column('timestamptz') completedAt!: Date;
  @Column('timestamptz') settledAt!: Date;
  @Column('text') sid!: string;
}
