import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The sum of the entries of an organization's open cycle, up to `position`. */
@Entity('cycle_sums')
export class CycleSumsEntity {
  @PrimaryColumn('text') organizationId!: string;
  @Column('timestamptz') cycleStart!: Date;
  @Column('bigint') position!: number;
  @Column('bigint') credits!: number;
  @Column('numeric') amount!: string;
}
