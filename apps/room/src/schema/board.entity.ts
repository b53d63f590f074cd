import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The board of a class. */
@Entity('boards')
export class BoardEntity {
  @PrimaryColumn('text') sid!: string;
  @Column('bigint') version!: number;
  /** The version at which pages, the current page, or who may draw changed last. */
  @Column('bigint') detailsVersion!: number;
  @Column('boolean') isShown!: boolean;
  @Column('uuid', { nullable: true }) currentPageId!: string | null;
  /** Elements, deleted ones included. */
  @Column('integer') elementCount!: number;
}
