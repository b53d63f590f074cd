import type { Admission, PermissionOverrides, Role, UiFlags } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Everyone for whom a token was made, with the latest name and role. */
@Entity('participants')
export class ParticipantEntity {
  @PrimaryColumn('text') sid!: string;
  @PrimaryColumn('text') uid!: string;
  @Column('text') name!: string;
  @Column('text') role!: Role;
  @Column('text', { nullable: true }) photoUrl!: string | null;
  /** What differs from the role and the room by the latest token; null: nothing. */
  @Column('json', { nullable: true }) permissions!: PermissionOverrides | null;
  /** What the page leaves out by the latest token; null: nothing. */
  @Column('json', { nullable: true }) ui!: UiFlags | null;
  @Column('boolean') mayUseAi!: boolean;
  /** The latest answer to the question for consent, and the version that it answers. */
  @Column('text', { nullable: true }) consentVersion!: string | null;
  @Column('boolean', { nullable: true }) consentGranted!: boolean | null;
  /** Null: the participant has not waited, and nothing was decided. It counts where the class has a waiting room. */
  @Column('text', { nullable: true }) admission!: Admission | null;
  @Column('timestamptz', { nullable: true }) waitsSince!: Date | null;
  /** When the page of a waiting participant last asked. */
  @Column('timestamptz', { nullable: true }) waitingSeenAt!: Date | null;
  /** The page's current session; classroom tokens of earlier sessions are invalid. */
  @Column('integer') sessionNumber!: number;
  @Column('timestamptz', { nullable: true }) sessionOpenedAt!: Date | null;
  /** Tokens signed up to this instant are invalid. */
  @Column('timestamptz', { nullable: true }) removedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) handRaisedAt!: Date | null;
  /** Since when a student may use the microphone. */
  @Column('timestamptz', { nullable: true }) speaksSince!: Date | null;
  @Column('text', { nullable: true }) allowedBy!: string | null;
  /** The class version of the latest removal. */
  @Column('bigint', { nullable: true }) removedVersion!: number | null;
  /** When the organization's backend last changed the role; the participant's token may still name the earlier one. */
  @Column('timestamptz', { nullable: true }) roleChangedAt!: Date | null;
  /** How often the participant raised a hand. */
  @Column('integer') handsRaised!: number;
  @Column('integer') reactionsSent!: number;
}
