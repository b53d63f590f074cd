import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { WithSettings } from './settings.js';

@Entity('rooms')
export class RoomEntity {
  /** Our permanent id of the room, and its name in LiveKit. */
  @PrimaryColumn('text') sid!: string;
  @Column('text') organizationId!: string;
  @Column('text') roomId!: string;
  @Column('text') title!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('json', { nullable: true }) metadata!: Record<string, unknown> | null;
  @Column('json') customization!: { showLobby?: boolean; showVideoControls?: boolean; theme?: string };
  /** Read by `settingsOf`. */
  @Column('json') settings!: WithSettings['settings'];
  /** When the schedule next has something to do. */
  @Column('timestamptz', { nullable: true }) scheduleDueAt!: Date | null;
  /** The end that was announced. */
  @Column('timestamptz', { nullable: true }) endNoticed!: Date | null;
  /** creating → created → live → finished; abandoned is a creation that LiveKit refused. */
  @Column('text') state!: 'creating' | 'created' | 'live' | 'finished' | 'abandoned';
  /** open: LiveKit should have the room; closing: it is to be removed from LiveKit; closed: it has been removed. */
  @Column('text') media!: 'open' | 'closing' | 'closed';
  /** Rises with every change of a connection. */
  @Column('bigint') version!: number;
  @Column('integer') participantCount!: number;
  @Column('boolean') hasTeacher!: boolean;
  @Column('boolean') isRecording!: boolean;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) startedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) endedAt!: Date | null;
  @Column('text', { nullable: true }) endReason!: 'deleted' | 'class_ended' | 'empty' | 'schedule' | 'unused' | 'budget' | null;
  @Column('timestamptz', { nullable: true }) lastLeftAt!: Date | null;
  /** When LiveKit's list last confirmed who is connected, by LiveKit's clock. */
  @Column('timestamptz', { nullable: true }) verifiedAt!: Date | null;
  /** When the room ends by itself if it is still empty then. */
  @Column('timestamptz', { nullable: true }) dueAt!: Date | null;
  /** Expiry of the latest join token. */
  @Column('timestamptz', { nullable: true }) tokensExpireAt!: Date | null;
  @Column('text', { nullable: true }) idempotencyKey!: string | null;
  @Column('text', { nullable: true }) idempotencyHash!: string | null;
  /** Rises with every change of the class's shared state; each part keeps the version at which it last changed. */
  @Column('bigint') classVersion!: number;
  @Column('bigint') handsVersion!: number;
  @Column('bigint') speakersVersion!: number;
  @Column('bigint') chatVersion!: number;
  @Column('bigint') pollsVersion!: number;
  @Column('bigint') reactionsVersion!: number;
  @Column('bigint') removalsVersion!: number;
  @Column('bigint') detailsVersion!: number;
  @Column('bigint') recordingVersion!: number;
  @Column('bigint') waitingVersion!: number;
  /** When the end was written, by our own clock. */
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
  /** When emptyTimeout begins, if that is later than the last leave; by LiveKit's clock. */
  @Column('timestamptz', { nullable: true }) emptySince!: Date | null;
  /** Number of changes of the budget. */
  @Column('integer') budgetVersion!: number;
  /** The budget was reached: only who was in class may join. */
  @Column('boolean') doorsClosed!: boolean;
}
