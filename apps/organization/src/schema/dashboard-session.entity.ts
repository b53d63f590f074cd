import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A dashboard token that was not revoked. */
@Entity('dashboard_sessions')
export class DashboardSessionEntity {
  @PrimaryColumn('text') organizationId!: string;
  @PrimaryColumn('text') sessionId!: string;
  /** The API key that issued the token; null if none did. */
  @Column('text', { nullable: true }) keyId!: string | null;
  /** When the token expires. */
  @Column('timestamptz') expiresAt!: Date;
}
