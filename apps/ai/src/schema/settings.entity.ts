import type { AiTask, CreditPrice, ModelChoice, ModelPrice } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A model choice as stored, with its API key encrypted. */
export interface KeptChoice {
  provider: ModelChoice['provider'];
  model: string;
  baseUrl?: string;
  sealedKey?: string;
  vision?: boolean;
}

export type Kept = { [task in AiTask]?: KeptChoice } & { prices?: ModelPrice[]; credits?: CreditPrice };

/** An organization's own models and prices. */
@Entity('settings')
export class SettingsEntity {
  @PrimaryColumn('text') organizationId!: string;
  /** Increases with each change. */
  @Column('integer') version!: number;
  @Column('json') choices!: Kept;
  @Column('timestamptz') updatedAt!: Date;
}
