import type { Role } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('chat_messages')
export class ChatMessageEntity {
  @PrimaryColumn('text') sid!: string;
  /** The class version at which it was sent. */
  @PrimaryColumn('bigint') version!: number;
  @Column('uuid') id!: string;
  @Column('text') uid!: string;
  @Column('text') name!: string;
  @Column('text') role!: Role;
  @Column('text') text!: string;
  @Column('timestamptz') sentAt!: Date;
  /** Only its author and those who manage participants get it. */
  @Column('boolean') isPrivate!: boolean;
  /** A deleted message has no text. */
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
  /** A participant's uid; null if the organization's backend deleted it. */
  @Column('text', { nullable: true }) deletedBy!: string | null;
  /** The class version at which it was last deleted or reported. */
  @Column('bigint', { nullable: true }) changedVersion!: number | null;
}
