import type { AiTask, CreditPrice, ModelChoice, ModelPrice } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A model choice as stored, with its API key encrypted. */
export interface StoredChoice {
  provider: ModelChoice['provider'];
  model: string;
  baseUrl?: string;
  sealedKey?: string;
  vision?: boolean;
}

export type StoredChoices = { [task in AiTask]?: StoredChoice } & { prices?: ModelPrice[]; credits?: CreditPrice };

/** An organization's own models and prices. */
@Entity('settings')
export class SettingsEntity {
  @PrimaryColumn('text') organizationId!: string;
  /** Increases with each change. */
  @Column('integer') version!: number;
  @Column('json') choices!: StoredChoices;
  @Column('timestamptz') updatedAt!: Date;
}
