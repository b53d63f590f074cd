import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The audit's progress in one organization's ledger: the sum of its entries up to `position`. */
@Entity('ledger_checkpoints')
export class LedgerCheckpointEntity {
  @PrimaryColumn('text') organizationId!: string;
  @Column('bigint') position!: number;
  @Column('bigint') balance!: number;
}
