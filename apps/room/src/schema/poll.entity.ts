import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('polls')
export class PollEntity {
  @PrimaryColumn('uuid') pollId!: string;
  @Column('text') sid!: string;
  /** The class version at which it changed last. */
  @Column('bigint') version!: number;
  @Column('text') question!: string;
  @Column('text', { array: true }) options!: string[];
  /** The creator's uid. */
  @Column('text') createdBy!: string;
  /** The creator's name. */
  @Column('text') creator!: string;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) closedAt!: Date | null;
}
