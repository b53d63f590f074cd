import { Column, Entity, PrimaryColumn } from 'typeorm';

/** AI usage that is charged by the entry with its `aiSequence`; the table is append-only. */
@Entity('ai_usages')
export class AiUsageEntity {
  @PrimaryColumn('text') organizationId!: string;
  @PrimaryColumn('text') usageId!: string;
  @Column('integer') aiSequence!: number;
  @Column('text', { nullable: true }) sid!: string | null;
  @Column('text') kind!: string;
  @Column('bigint') inputTokens!: number;
  @Column('bigint') outputTokens!: number;
  /** With all decimals. */
  @Column('numeric') credits!: string;
  /** All usage of the organization up to this one, in credits with all decimals. */
  @Column('numeric') total!: string;
  @Column('timestamptz') usedAt!: Date;
}
