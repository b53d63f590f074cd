import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the page of a participant measured in a minute of a connection. Durations are milliseconds. */
@Entity('participant_minutes')
export class ParticipantMinuteEntity {
  @PrimaryColumn('text') sid!: string;
  @PrimaryColumn('text') uid!: string;
  /** LiveKit's participant sid. */
  @PrimaryColumn('text') connectionSid!: string;
  /** When it began, to the half minute. */
  @PrimaryColumn('timestamptz') minute!: Date;
  @Column('integer') measuredMs!: number;
  @Column('integer') talkMs!: number;
  @Column('integer') cameraMs!: number;
  /** How often the connection was lost. */
  @Column('integer') reconnections!: number;
  /** From pressing "Join" to being connected; null except in the first minute of a stay. */
  @Column('integer', { nullable: true }) joinMs!: number | null;
  @Column('bigint') bytesReceived!: number;
  @Column('bigint') bytesSent!: number;
  @Column('integer') packetsReceived!: number;
  @Column('integer') packetsLost!: number;
  @Column('integer') packetsSent!: number;
  /** Of the sent packets. */
  @Column('integer') sentLost!: number;
  @Column('integer', { nullable: true }) roundTripMs!: number | null;
  /** Mean time that media waited to be played evenly. */
  @Column('integer', { nullable: true }) bufferMs!: number | null;
  @Column('integer') freezes!: number;
  @Column('integer') frozenMs!: number;
}
