import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('poll_votes')
export class PollVoteEntity {
  @PrimaryColumn('uuid') pollId!: string;
  @PrimaryColumn('text') uid!: string;
  @Column('text') name!: string;
  /** Index of the chosen option. */
  @Column('integer') option!: number;
  @Column('timestamptz') votedAt!: Date;
}
