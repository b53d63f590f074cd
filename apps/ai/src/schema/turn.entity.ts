import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One question and its answer. */
@Entity('turns')
export class TurnEntity {
  @PrimaryColumn('uuid') turnId!: string;
  @Column('uuid') chatKey!: string;
  @Column('integer') dialogIndex!: number;
  @Column('text') question!: string;
  @Column('boolean') hasAudio!: boolean;
  @Column('boolean') hasImage!: boolean;
  @Column('text') answer!: string;
  @Column('text') state!: 'open' | 'finished' | 'cut_off' | 'failed';
  @Column('timestamptz') askedAt!: Date;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
}
