import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('text') keyId!: string;
  @Column('text') organizationId!: string;
  @Column('text') prefix!: string;
  @Column('text') name!: string;
  @Column('text', { array: true }) scopes!: string[];
  /** What the scopes mean: see `scopesOf`. */
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  /** The key that created this one, if a key did. */
  @Column('text', { nullable: true }) createdByKey!: string | null;
  @Column('text', { nullable: true }) idempotencyKey!: string | null;
  @Column('text', { nullable: true }) rotationKey!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) revokedAt!: Date | null;
}
