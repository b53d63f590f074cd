import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who was allowed to draw in the class, beyond what their role allows. */
@Entity('board_drawers')
export class BoardDrawerEntity {
  @PrimaryColumn('text') sid!: string;
  @PrimaryColumn('text') uid!: string;
  @Column('timestamptz') allowedAt!: Date;
}
