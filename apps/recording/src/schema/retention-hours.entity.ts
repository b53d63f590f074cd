import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How long an organization keeps its recordings, if it has set that. */
@Entity('retention_hours')
export class RetentionHoursEntity {
  @PrimaryColumn('text') organizationId!: string;
  @Column('integer') hours!: number;
}
