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
}
