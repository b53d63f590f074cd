import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('captions')
export class CaptionEntity {
  @PrimaryColumn('text') videoId!: string;
  @PrimaryColumn('text') language!: string;
  @Column('text') label!: string;
  @Column('boolean') isDefault!: boolean;
  /** Bytes. */
  @Column('integer') size!: number;
}
