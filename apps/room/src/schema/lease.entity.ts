import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Which process does a thing that one process at a time should do. */
@Entity('leases')
export class LeaseEntity {
  @PrimaryColumn('text') name!: string;
  @Column('text') holder!: string;
  @Column('timestamptz') expiresAt!: Date;
}
