import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A class whose sessions were changed by retention or an erasure, until their copy in ClickHouse is replaced. */
@Entity('stale_copies')
export class StaleCopyEntity {
  @PrimaryColumn('text') organizationId!: string;
  /** Empty: all classes of the organization, which has been erased. */
  @PrimaryColumn('text') sid!: string;
  /** Rises with each change. */
  @Column('bigint') mark!: number;
}
