import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The address from which a participant opened or renewed a session, from `since` until the next row. */
@Entity('session_addresses')
export class SessionAddressEntity {
  @PrimaryColumn('text') sid!: string;
  @PrimaryColumn('text') uid!: string;
  @PrimaryColumn('timestamptz') since!: Date;
  /** Null if the gateway did not know it. */
  @Column('text', { nullable: true }) address!: string | null;
}
