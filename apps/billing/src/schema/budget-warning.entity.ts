import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A share of a class's budget that was published. */
@Entity('budget_warnings')
export class BudgetWarningEntity {
  @PrimaryColumn('text') organizationId!: string;
  @PrimaryColumn('text') sid!: string;
  @PrimaryColumn('smallint') percent!: number;
  @Column('timestamptz') reachedAt!: Date;
  /** Of the budget by which it was published last. */
  @Column('integer') budgetVersion!: number;
  /** It was published for an earlier budget already. */
  @Column('boolean') isRepeated!: boolean;
}
