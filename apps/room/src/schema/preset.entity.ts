import type { Preset } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A named template for rooms. What was omitted is absent. */
@Entity('presets')
export class PresetEntity {
  @PrimaryColumn('text') organizationId!: string;
  @PrimaryColumn('text') name!: string;
  @Column('json') customization!: Preset['customization'];
  @Column('json') settings!: Preset['settings'];
  @Column('timestamptz') updatedAt!: Date;
}
