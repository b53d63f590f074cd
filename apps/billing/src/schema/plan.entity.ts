import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One known state of an organization's plan. `updatedAt` is the organization's own time of the change. */
@Entity('plans')
export class PlanEntity {
  @PrimaryColumn('text') organizationId!: string;
  @PrimaryColumn('timestamptz') updatedAt!: Date;
  @Column('text') billingType!: 'PREPAID' | 'POSTPAID';
  @Column('bigint') openingCredits!: number;
  @Column('numeric') creditRate!: string;
  @Column('text') currency!: string;
  /** The account's balance when this state was applied. */
  @Column('bigint') balance!: number;
  /** Whether opening credits were posted with this state. */
  @Column('boolean') isOpened!: boolean;
}
