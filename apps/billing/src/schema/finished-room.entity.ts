import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One row: how far the ends that the room service has written are known here. */
@Entity('finished_rooms')
export class FinishedRoomEntity {
  @PrimaryColumn('boolean') isOnly!: boolean;
  @Column('timestamptz') through!: Date;
}
