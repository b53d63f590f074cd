import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A dashboard token that was not revoked. */
@Entity('dashboard_sessions')
export class DashboardSessionEntity {
  @PrimaryColumn('text') organizationId!: string;
  @PrimaryColumn('text') sessionId!: string;
  /** When the token expires. */
  @Column('timestamptz') expiresAt!: Date;
}
