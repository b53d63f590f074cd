import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A single row: up to which time billing knows the finished rooms of the room service. */
@Entity('finished_rooms')
export class FinishedRoomEntity {
  @PrimaryColumn('boolean') isOnly!: boolean;
  @Column('timestamptz') through!: Date;
}
