import type { Reaction } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('reactions')
export class ReactionEntity {
  @PrimaryColumn('text') sid!: string;
  @PrimaryColumn('bigint') version!: number;
  @Column('uuid') id!: string;
  @Column('text') uid!: string;
  @Column('text') name!: string;
  @Column('text') emoji!: Reaction['emoji'];
  @Column('timestamptz') sentAt!: Date;
}
