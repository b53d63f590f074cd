import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The totals of a closed cycle; append-only. */
@Entity('statements')
export class StatementEntity {
  @PrimaryColumn('uuid') statementId!: string;
  @PrimaryColumn('text') organizationId!: string;
  @Column('timestamptz') cycleStart!: Date;
  @Column('timestamptz') cycleEnd!: Date;
  @Column('bigint') credits!: number;
  @Column('numeric') amount!: string;
  @Column('text') currency!: string;
  @Column('integer') classrooms!: number;
  @Column('timestamptz') closedAt!: Date;
}
