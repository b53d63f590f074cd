import type { WebhookEndpoint } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('webhook_endpoints')
export class WebhookEndpointEntity {
  @PrimaryColumn('text') endpointId!: string;
  @Column('text') organizationId!: string;
  @Column('text') url!: string;
  @Column('text') description!: string;
  /** The event types that the endpoint receives; empty for all. */
  @Column('text', { array: true }) eventTypes!: string[];
  /** Encrypted. */
  @Column('text') secret!: string;
  @Column('text', { nullable: true }) previousSecret!: string | null;
  @Column('timestamptz', { nullable: true }) previousSecretUntil!: Date | null;
  @Column('boolean') isEnabled!: boolean;
  @Column('text', { nullable: true }) disabledReason!: WebhookEndpoint['disabledReason'];
  @Column('timestamptz', { nullable: true }) disabledAt!: Date | null;
  /** Time of the first failure after the last success, or after two days without an attempt; null if there is none. */
  @Column('timestamptz', { nullable: true }) failingSince!: Date | null;
  @Column('timestamptz', { nullable: true }) lastFailedAt!: Date | null;
  /** No webhook is sent before this time, which the endpoint asked for (Retry-After). */
  @Column('timestamptz', { nullable: true }) heldUntil!: Date | null;
  /** Idempotency-Key of the request that created the endpoint. */
  @Column('text', { nullable: true }) idempotencyKey!: string | null;
  @Column('text', { nullable: true }) idempotencyHash!: string | null;
  /** Idempotency-Key of the last request that rotated the secret. */
  @Column('text', { nullable: true }) rotationKey!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
}
