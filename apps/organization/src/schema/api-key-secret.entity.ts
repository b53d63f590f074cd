import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('api_key_secrets')
export class ApiKeySecretEntity {
  @PrimaryColumn('text') keyId!: string;
  @PrimaryColumn('bytea') hash!: Buffer;
  @Column('timestamptz', { nullable: true }) validUntil!: Date | null;
}
