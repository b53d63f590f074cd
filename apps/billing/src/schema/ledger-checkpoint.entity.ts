import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the ledger of one organization is proved: the sum of its entries up to `position`. */
@Entity('ledger_checkpoints')
export class LedgerCheckpointEntity {
  @PrimaryColumn('text') organizationId!: string;
  @Column('bigint') position!: number;
  @Column('bigint') balance!: number;
}
