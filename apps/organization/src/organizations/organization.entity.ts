import type { Organization } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('organizations')
export class OrganizationEntity {
  @PrimaryColumn('text', { name: 'organization_id' })
  organizationId!: string;

  @Column('text')
  name!: string;

  @Column('text', { name: 'billing_type', nullable: true })
  billingType!: 'PREPAID' | 'POSTPAID' | null;

  /** A decimal as text: it never becomes a binary fraction inside. */
  @Column('numeric', { name: 'credit_rate', nullable: true })
  creditRate!: string | null;

  @Column('text', { nullable: true })
  currency!: string | null;

  @Column('bigint', { name: 'opening_credits', nullable: true })
  openingCredits!: string | null;

  @Column('text', { name: 'billing_frequency', nullable: true })
  billingFrequency!: 'WEEKLY' | 'MONTHLY' | null;

  @Column('timestamptz', { name: 'cycle_start', nullable: true })
  cycleStart!: Date | null;

  @Column('text', { name: 'verified_domains', array: true })
  verifiedDomains!: string[];

  @Column('text', { name: 'logo_url', nullable: true })
  logoUrl!: string | null;

  @Column('text', { name: 'primary_color', nullable: true })
  primaryColor!: string | null;

  @Column('text', { name: 'accent_color', nullable: true })
  accentColor!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}

/** As every endpoint and event shows it; the rate becomes a number here, at the edge, and nowhere else. */
export function toOrganization(row: OrganizationEntity): Organization {
  return {
    organizationId: row.organizationId,
    name: row.name,
    billing: toBilling(row),
    verifiedDomains: row.verifiedDomains,
    branding: { logoUrl: row.logoUrl, primaryColor: row.primaryColor, accentColor: row.accentColor },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function toBilling(row: OrganizationEntity): Organization['billing'] {
  if (!row.billingType) return null;
  const rate = { creditRate: Number(row.creditRate), currency: row.currency ?? '' };
  if (row.billingType === 'PREPAID') return { type: 'PREPAID', credits: Number(row.openingCredits), ...rate };
  return {
    type: 'POSTPAID',
    billingFrequency: row.billingFrequency ?? 'MONTHLY',
    cycleStartDate: row.cycleStart?.toISOString() ?? '',
    ...rate,
  };
}
