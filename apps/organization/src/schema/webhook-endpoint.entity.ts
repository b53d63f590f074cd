import type { WebhookEndpoint } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('webhook_endpoints')
export class WebhookEndpointEntity {
  @PrimaryColumn('text') endpointId!: string;
  @Column('text') organizationId!: string;
  @Column('text') url!: string;
  @Column('text') description!: string;
  /** Empty: all types. */
  @Column('text', { array: true }) eventTypes!: string[];
  /** Sealed. */
  @Column('text') secret!: string;
  @Column('text', { nullable: true }) previousSecret!: string | null;
  @Column('timestamptz', { nullable: true }) previousSecretUntil!: Date | null;
  @Column('boolean') isEnabled!: boolean;
  @Column('text', { nullable: true }) disabledReason!: WebhookEndpoint['disabledReason'];
  @Column('timestamptz', { nullable: true }) disabledAt!: Date | null;
  /** The first failure after the last success. */
  @Column('timestamptz', { nullable: true }) failingSince!: Date | null;
  /** It asked for silence until then (Retry-After). */
  @Column('timestamptz', { nullable: true }) heldUntil!: Date | null;
  /** Of the request that created it. */
  @Column('text', { nullable: true }) idempotencyKey!: string | null;
  @Column('text', { nullable: true }) idempotencyHash!: string | null;
  /** Of the last request that rotated its secret. */
  @Column('text', { nullable: true }) rotationKey!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
}
