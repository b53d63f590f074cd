import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An organization's AI usage in credits, with all decimals, and the whole credits charged for it. */
@Entity('ai_meters')
export class AiMeterEntity {
  @PrimaryColumn('text') organizationId!: string;
  @Column('numeric') used!: string;
  @Column('bigint') chargedCredits!: number;
  @Column('integer') sequence!: number;
}
