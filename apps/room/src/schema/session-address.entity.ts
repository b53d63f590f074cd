import { Column, Entity, PrimaryColumn } from 'typeorm';

/** From which address a participant opened or renewed a session, from `since` until the next row. */
@Entity('session_addresses')
export class SessionAddressEntity {
  @PrimaryColumn('text') sid!: string;
  @PrimaryColumn('text') uid!: string;
  @PrimaryColumn('timestamptz') since!: Date;
  /** Null where the gateway could not say. */
  @Column('text', { nullable: true }) address!: string | null;
}
