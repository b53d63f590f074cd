import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A value of VF-ORG-ID that an organization may use. The value itself is not stored. */
@Entity('organization_credentials')
export class OrganizationCredentialEntity {
  @PrimaryColumn('text') credentialId!: string;
  @Column('text') organizationId!: string;
  /** SHA-256 of the value. */
  @Column('bytea') hash!: Buffer;
  /** The last characters of a long value; empty for a short one. */
  @Column('text') hint!: string;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  /** To about a minute. */
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  @Column('text', { nullable: true }) idempotencyKey!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) revokedAt!: Date | null;
}
