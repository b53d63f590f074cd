import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the entries of an organization's open cycle add up to, as far as `position`. */
@Entity('cycle_sums')
export class CycleSumsEntity {
  @PrimaryColumn('text') organizationId!: string;
  @Column('timestamptz') cycleStart!: Date;
  @Column('bigint') position!: number;
  @Column('bigint') credits!: number;
  @Column('numeric') amount!: string;
}
