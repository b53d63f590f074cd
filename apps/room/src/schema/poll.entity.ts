import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('polls')
export class PollEntity {
  @PrimaryColumn('uuid') pollId!: string;
  @Column('text') sid!: string;
  /** The class version at which it changed last. */
  @Column('bigint') version!: number;
  @Column('text') question!: string;
  @Column('text', { array: true }) options!: string[];
  /** Whether only who manages polls sees the votes for each option before the poll is closed. */
  @Column('boolean', { default: false }) hideResult!: boolean;
  /** Index of the option that is marked as correct. */
  @Column('integer', { nullable: true }) correctOption!: number | null;
  /** The creator's uid. */
  @Column('text') createdBy!: string;
  /** The creator's name. */
  @Column('text') creator!: string;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) closedAt!: Date | null;
}
