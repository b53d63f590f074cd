import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When a live room is compared with LiveKit. */
@Entity('live_rooms')
export class LiveRoomEntity {
  @PrimaryColumn('text') sid!: string;
  /** When the room is compared next. */
  @Column('timestamptz') reconcileAt!: Date;
  /** While LiveKit gives no answer for the room: when to ask again. Until then `reconcileAt` does not count. */
  @Column('timestamptz', { nullable: true }) retryAt!: Date | null;
}
