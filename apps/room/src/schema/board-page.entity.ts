import type { BoardPage } from '@classroom/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('board_pages')
export class BoardPageEntity {
  @PrimaryColumn('text') sid!: string;
  @PrimaryColumn('uuid') pageId!: string;
  /** Pages are in the order of this number. */
  @Column('integer') position!: number;
  @Column('text') template!: BoardPage['template'];
  @Column('text', { nullable: true }) documentId!: string | null;
  @Column('integer', { nullable: true }) documentPage!: number | null;
}
