import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One connection of one participant, in its highest known version. The partitions are by `month`. */
@Entity('sessions_by_month')
export class SessionEntity {
  @PrimaryColumn('text') connectionSid!: string;
  @Column('text') sid!: string;
  @PrimaryColumn('text') organizationId!: string;
  @Column('text') uid!: string;
  @Column('text') name!: string;
  @Column('text') role!: string;
  @Column('text', { nullable: true }) ip!: string | null;
  @Column('timestamptz') joinedAt!: Date;
  @Column('timestamptz', { nullable: true }) leftAt!: Date | null;
  @Column('text') openedBy!: string;
  @Column('text', { nullable: true }) closedBy!: string | null;
  @Column('bigint') version!: number;
  @Column('timestamptz', { nullable: true }) behind!: Date | null;
  /** The month (UTC) of the join, as its first day; 1970-01-01 for sessions from before the months began. */
  @PrimaryColumn('date') month!: string;
}
