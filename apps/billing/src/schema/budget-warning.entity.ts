import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A share of a class's budget that was published. */
@Entity('budget_warnings')
export class BudgetWarningEntity {
  @PrimaryColumn('text') organizationId!: string;
  @PrimaryColumn('text') sid!: string;
  @PrimaryColumn('smallint') percent!: number;
  @Column('timestamptz') reachedAt!: Date;
}
