import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The summary of a class's questions. It is valid until another question is asked. */
@Entity('class_summaries')
export class ClassSummaryEntity {
  @PrimaryColumn('text') sid!: string;
  @Column('text') organizationId!: string;
  @Column('integer') questions!: number;
  @Column('timestamptz') lastAskedAt!: Date;
  @Column('text') summary!: string;
  @Column('timestamptz') madeAt!: Date;
}
