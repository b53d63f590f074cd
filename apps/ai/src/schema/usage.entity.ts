import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One call of a model. Decimals are text, so that they never become binary fractions. */
@Entity('usage')
export class UsageEntity {
  @PrimaryColumn('uuid') usageId!: string;
  @Column('text') organizationId!: string;
  @Column('text') kind!: 'agent' | 'tutor';
  @Column('text') task!: 'chat' | 'summary' | 'transcription' | 'speech' | 'embedding';
  @Column('uuid', { nullable: true }) chatKey!: string | null;
  @Column('uuid', { nullable: true }) turnId!: string | null;
  @Column('text', { nullable: true }) sid!: string | null;
  /** The student who asked a tutor. Whose an agent's chat is stands in the chat alone. */
  @Column('text', { nullable: true }) studentUid!: string | null;
  @Column('text') provider!: string;
  @Column('text') model!: string;
  @Column('text') outcome!: 'finished' | 'cut_off' | 'failed';
  @Column('integer') inputTokens!: number;
  @Column('integer') outputTokens!: number;
  @Column('boolean') isEstimated!: boolean;
  @Column('numeric') audioSeconds!: string;
  @Column('integer') characters!: number;
  @Column('numeric') cost!: string;
  @Column('numeric') credits!: string;
  @Column('integer') latencyMs!: number;
  @Column('integer', { nullable: true }) firstTokenMs!: number | null;
  @Column('timestamptz') recordedAt!: Date;
}
