import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Topic and notes that the organization's backend sets for the tutor of a class. */
@Entity('room_contexts')
export class RoomContextEntity {
  @PrimaryColumn('text') sid!: string;
  @Column('text') organizationId!: string;
  @Column('text', { nullable: true }) topic!: string | null;
  @Column('text', { nullable: true }) notes!: string | null;
  @Column('timestamptz') updatedAt!: Date;
}
