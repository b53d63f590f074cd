import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('text') keyId!: string;
  @Column('text') organizationId!: string;
  @Column('text') prefix!: string;
  @Column('text') name!: string;
  @Column('text', { array: true }) scopes!: string[];
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  @Column('text', { nullable: true }) idempotencyKey!: string | null;
  @Column('text', { nullable: true }) rotationKey!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) revokedAt!: Date | null;
}
