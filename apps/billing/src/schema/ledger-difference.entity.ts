import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An account or a settled room whose credits differ. */
@Entity('ledger_differences')
export class LedgerDifferenceEntity {
  @PrimaryColumn('text') what!: 'account' | 'room';
  @PrimaryColumn('text') id!: string;
  /** The difference in credits; 0 if it could not be read. */
  @Column('double precision') credits!: number;
  @Column('timestamptz') foundAt!: Date;
}
