import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What an organization has used of its quotas. Locked while they are compared. */
@Entity('libraries')
export class LibraryEntity {
  @PrimaryColumn('text') organizationId!: string;
  /** Its beginning, in UTC. */
  @Column('timestamptz') month!: Date;
  /** Length of the videos that were transcoded in the month. */
  @Column('bigint') seconds!: number;
}
