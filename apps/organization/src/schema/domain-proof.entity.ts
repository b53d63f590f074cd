import type { Domain } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A domain whose owner proves it by a TXT record. */
@Entity('domain_proofs')
export class DomainProofEntity {
  @PrimaryColumn('text') organizationId!: string;
  @PrimaryColumn('text') domain!: string;
  /** The value of the record. */
  @Column('text') token!: string;
  @Column('timestamptz') createdAt!: Date;
  @Column('text', { nullable: true }) lookup!: Domain['lookup'];
  @Column('timestamptz', { nullable: true }) checkedAt!: Date | null;
  /** When the record was found first. */
  @Column('timestamptz', { nullable: true }) provedAt!: Date | null;
  /** Since when a record that was found is missing. */
  @Column('timestamptz', { nullable: true }) missingSince!: Date | null;
  /** When it is looked for again; null if it is looked for on request only. */
  @Column('timestamptz', { nullable: true }) checkAt!: Date | null;
}
