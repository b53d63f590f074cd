import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('board_elements')
export class BoardElementEntity {
  @PrimaryColumn('text') sid!: string;
  @PrimaryColumn('text') elementId!: string;
  @Column('uuid') pageId!: string;
  /** Who drew it first. */
  @Column('text') uid!: string;
  /** Version of the board at which it changed last. */
  @Column('bigint') version!: number;
  /** The page's own count of changes. */
  @Column('bigint') revision!: number;
  /** A random number for each change. */
  @Column('bigint') nonce!: number;
  /** The page's JSON; null: deleted. */
  @Column('text', { nullable: true }) element!: string | null;
}
