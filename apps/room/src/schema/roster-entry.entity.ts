import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Someone who is expected in a class. */
@Entity('roster_entries')
export class RosterEntryEntity {
  @Column('text') organizationId!: string;
  @PrimaryColumn('text') sid!: string;
  @PrimaryColumn('text') uid!: string;
  @Column('text', { nullable: true }) name!: string | null;
}
