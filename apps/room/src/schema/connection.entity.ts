import { Column, Entity, PrimaryColumn } from 'typeorm';

type Evidence = 'webhook' | 'reconciler' | 'room_end';

/** One row for each interval; times are whole seconds of LiveKit's clock. */
@Entity('connections_by_month')
export class ConnectionEntity {
  /** LiveKit's participant sid. */
  @PrimaryColumn('text') connectionSid!: string;
  @Column('text') sid!: string;
  @Column('text') uid!: string;
  @Column('text') name!: string;
  @Column('text') role!: string;
  @Column('text', { nullable: true }) ip!: string | null;
  @Column('timestamptz') joinedAt!: Date;
  @Column('timestamptz', { nullable: true }) leftAt!: Date | null;
  @Column('text') openedBy!: Evidence;
  @Column('text', { nullable: true }) closedBy!: Evidence | null;
  /** A webhook reported the end: no list reopens it. */
  @Column('boolean') isFinal!: boolean;
  /** False for a connection that never became active. */
  @Column('boolean') isCounted!: boolean;
  /** While it is missing from LiveKit's list: the last instant at which it was seen. */
  @Column('timestamptz', { nullable: true }) missingSince!: Date | null;
  @Column('bigint') version!: number;
  /** The month (UTC) in which the room was created, as its first day; 1970-01-01 for rooms from before the months began. It is the row's partition. */
  @PrimaryColumn('date') month!: string;
}
