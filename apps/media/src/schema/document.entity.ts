import type { VideoStatus } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A document of a class. The row is deleted after its objects. */
@Entity('documents')
export class DocumentEntity {
  @PrimaryColumn('text') documentId!: string;
  @Column('text') organizationId!: string;
  @Column('text') roomId!: string;
  @Column('text') sid!: string;
  @Column('text') title!: string;
  /** Where the file is loaded from; null for an upload. */
  @Column('text', { nullable: true }) sourceUrl!: string | null;
  /** Bytes of the file; 0 until it is loaded. */
  @Column('bigint') size!: number;
  /** uploading (`pending` to callers) → pending → processing → completed or failed. */
  @Column('text') status!: 'uploading' | VideoStatus;
  @Column('text', { nullable: true }) message!: string | null;
  /** Unguessable. Anyone who knows it may continue the upload and do nothing else. */
  @Column('text', { nullable: true }) uploadId!: string | null;
  /** When an upload, or the loading, is given up. For a deleted document: when its objects are deleted for the second time. */
  @Column('timestamptz', { nullable: true }) uploadExpiresAt!: Date | null;
  /** Each attempt writes under its own prefix; only the one named here is shown. */
  @Column('integer') attempt!: number;
  /** When a process takes it (again), to load or to convert it; null if there is nothing to do. */
  @Column('timestamptz', { nullable: true }) dueAt!: Date | null;
  @Column('integer', { nullable: true }) pages!: number | null;
  /** Bytes of the pictures of its pages. */
  @Column('bigint') outputBytes!: number;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) completedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
  /** Trace of the request that brought the last byte; the conversion links to it. */
  @Column('text', { nullable: true }) trace!: string | null;
}
