import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What an organization's use of AI came to in credits, with all decimals, and what of it was charged in whole ones. */
@Entity('ai_meters')
export class AiMeterEntity {
  @PrimaryColumn('text') organizationId!: string;
  @Column('numeric') used!: string;
  @Column('bigint') chargedCredits!: number;
  @Column('integer') sequence!: number;
}
