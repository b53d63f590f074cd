import type { WebhookDeliverySummary } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('webhook_deliveries')
export class WebhookDeliveryEntity {
  @PrimaryColumn('text') deliveryId!: string;
  @Column('bigint') position!: number;
  @Column('text') endpointId!: string;
  @Column('text') eventId!: string;
  @Column('text') type!: string;
  @Column('timestamptz') eventAt!: Date;
  /** The exact bytes that are sent; every attempt signs the same ones. */
  @Column('text') payload!: string;
  @Column('text', { nullable: true }) trace!: string | null;
  @Column('text') status!: WebhookDeliverySummary['status'];
  @Column('integer') attempts!: number;
  /** Number of the attempt; it never decreases. An attempt with an older number writes nothing. */
  @Column('integer') claim!: number;
  @Column('timestamptz', { nullable: true }) dueAt!: Date | null;
  @Column('timestamptz', { nullable: true }) leasedUntil!: Date | null;
  @Column('timestamptz', { nullable: true }) attemptedAt!: Date | null;
  @Column('integer', { nullable: true }) statusCode!: number | null;
  @Column('text', { nullable: true }) error!: string | null;
  @Column('integer', { nullable: true }) durationMs!: number | null;
  @Column('text', { nullable: true }) responseBody!: string | null;
  @Column('timestamptz') createdAt!: Date;
}
