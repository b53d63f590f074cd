import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One connection of one participant, in its highest known version. */
@Entity('sessions')
export class SessionEntity {
  @PrimaryColumn('text') connectionSid!: string;
  @Column('text') sid!: string;
  @Column('text') organizationId!: string;
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
}
