import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('document_pages')
export class DocumentPageEntity {
  @PrimaryColumn('text') documentId!: string;
  /** From 1. */
  @PrimaryColumn('integer') page!: number;
  /** Pixels of the larger picture. */
  @Column('integer') width!: number;
  @Column('integer') height!: number;
  @Column('text') text!: string;
}
