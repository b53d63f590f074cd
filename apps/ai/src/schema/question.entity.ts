import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A question to the tutor, as the class and its teachers see it. */
@Entity('questions')
export class QuestionEntity {
  /** The `turnId` of its turn. */
  @PrimaryColumn('uuid') questionId!: string;
  @Column('text') organizationId!: string;
  @Column('text') sid!: string;
  @Column('text') studentUid!: string;
  @Column('text') question!: string;
  /** The key that groups equal questions; see `normalize`. */
  @Column('text') normalized!: string;
  @Column('text') answer!: string;
  @Column('float4', { array: true, nullable: true }) embedding!: number[] | null;
  /** Why the question waits for a teacher; null if it does not. */
  @Column('text', { nullable: true }) openReason!: 'asked' | 'unknown' | 'failed' | null;
  @Column('timestamptz', { nullable: true }) resolvedAt!: Date | null;
  @Column('text', { nullable: true }) resolvedBy!: string | null;
  /** What a teacher answered in writing. */
  @Column('text', { nullable: true }) teacherAnswer!: string | null;
  /** The name of who wrote it. */
  @Column('text', { nullable: true }) teacherName!: string | null;
  @Column('timestamptz') askedAt!: Date;
}
