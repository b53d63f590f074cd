import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A dialogue with memory. */
@Entity('chats')
export class ChatEntity {
  @PrimaryColumn('uuid') chatKey!: string;
  @Column('text') organizationId!: string;
  @Column('text') kind!: 'agent' | 'tutor';
  /** The caller's chatId, or `<room's sid>/<student's uid>`. */
  @Column('text') name!: string;
  @Column('text', { nullable: true }) sid!: string | null;
  @Column('text', { nullable: true }) roomId!: string | null;
  /** The student; of an agent's chat the participant whom the caller named, if any. */
  @Column('text', { nullable: true }) studentUid!: string | null;
  /** The index of the next turn. */
  @Column('integer') nextIndex!: number;
  /** Summary of the turns before `summarizedTo`. */
  @Column('text', { nullable: true }) summary!: string | null;
  /** Index of the first turn that a model receives in full. */
  @Column('integer') summarizedTo!: number;
  /** Holder of the lease, which answers the current turn. */
  @Column('uuid', { nullable: true }) leaseHolder!: string | null;
  @Column('timestamptz', { nullable: true }) leaseUntil!: Date | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
}
