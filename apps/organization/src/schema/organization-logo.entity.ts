import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A part of an uploaded logo, of the size that fits in a message of NATS. */
@Entity('organization_logos')
export class OrganizationLogoEntity {
  @PrimaryColumn('text') organizationId!: string;
  /** Of the whole logo. */
  @PrimaryColumn('text') sha256!: string;
  /** From 0. */
  @PrimaryColumn('integer') number!: number;
  /** How many parts the logo has. */
  @Column('integer') parts!: number;
  @Column('bytea') content!: Buffer;
}
