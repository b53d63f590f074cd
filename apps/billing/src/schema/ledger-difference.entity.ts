import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An account or a settled room that does not add up. */
@Entity('ledger_differences')
export class LedgerDifferenceEntity {
  @PrimaryColumn('text') what!: 'account' | 'room';
  @PrimaryColumn('text') id!: string;
  /** By which it differs; 0 where it could not be read. */
  @Column('double precision') credits!: number;
  @Column('timestamptz') foundAt!: Date;
}
