import type { ExportedCount, ExportSubject } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A request to export the data of a person, a class or the organization. */
@Entity('exports')
export class ExportEntity {
  @PrimaryColumn('text') exportId!: string;
  @Column('text') organizationId!: string;
  /** Null when the file is deleted. */
  @Column('jsonb', { nullable: true }) subject!: ExportSubject | null;
  /** While it is not completed: an organization has as many unfinished exports as there are slots. */
  @Column('integer', { nullable: true }) slot!: number | null;
  @Column('timestamptz') requestedAt!: Date;
  /** Number of the attempt. An attempt with an older number writes nothing. */
  @Column('integer') attempt!: number;
  @Column('text', { array: true }) waitingFor!: string[];
  /** When an attempt may begin, or replace one whose worker died; null if there is nothing to do. */
  @Column('timestamptz', { nullable: true }) dueAt!: Date | null;
  @Column('timestamptz', { nullable: true }) completedAt!: Date | null;
  @Column('bigint', { nullable: true }) bytes!: number | null;
  @Column('text', { nullable: true }) sha256!: string | null;
  @Column('json', { nullable: true }) stores!: ExportedCount[] | null;
  /** When the file is deleted, or deleted for the second time. */
  @Column('timestamptz', { nullable: true }) deleteAt!: Date | null;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
}
