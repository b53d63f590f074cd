import type { PublicEvent } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('events')
export class EventEntity {
  @PrimaryColumn('text') organizationId!: string;
  @PrimaryColumn('bigint') sequence!: number;
  @Column('text') eventId!: string;
  @Column('text') type!: PublicEvent['type'];
  @Column('timestamptz') occurredAt!: Date;
  @Column('json') data!: PublicEvent['data'];
  @Column('timestamptz') createdAt!: Date;
}
