import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the organization's backend tells the tutor of a class. */
@Entity('room_contexts')
export class RoomContextEntity {
  @PrimaryColumn('text') sid!: string;
  @Column('text') organizationId!: string;
  @Column('text', { nullable: true }) topic!: string | null;
  @Column('text', { nullable: true }) notes!: string | null;
  @Column('timestamptz') updatedAt!: Date;
}
