import { Column, Entity, PrimaryColumn } from 'typeorm';

/** This service's own copy of a room: only what automatic recording and the deadlines of recordings need. */
@Entity('rooms')
export class RoomEntity {
  @PrimaryColumn('text') sid!: string;
  /** Null while only the room's tracks are known. */
  @Column('text', { nullable: true }) organizationId!: string | null;
  @Column('text', { nullable: true }) roomId!: string | null;
  @Column('boolean') autoRecord!: boolean;
  /** When `autoRecord` was chosen; null if it was not. */
  @Column('timestamptz', { nullable: true }) autoRecordSetAt!: Date | null;
  @Column('timestamptz', { nullable: true }) endedAt!: Date | null;
  /** When the first participant began to publish. */
  @Column('timestamptz', { nullable: true }) publishingAt!: Date | null;
  /** When the automatic recording is due; null again once it began or the class ended. */
  @Column('timestamptz', { nullable: true }) autoWantedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) autoRecordedAt!: Date | null;
}
