import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A copy of the recording service's rows, with what a class shows of them. */
@Entity('room_recordings')
export class RoomRecordingEntity {
  @PrimaryColumn('text') egressId!: string;
  @Column('text') sid!: string;
  @Column('text') status!: string;
  @Column('bigint') version!: number;
  @Column('timestamptz') startedAt!: Date;
  /** Whether it ended by a pause. */
  @Column('boolean') isPaused!: boolean;
}
