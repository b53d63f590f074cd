import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which process has a task that only one process at a time should do. */
@Entity('leases')
export class LeaseEntity {
  @PrimaryColumn('text') name!: string;
  @Column('text') holder!: string;
  @Column('timestamptz') expiresAt!: Date;
}
