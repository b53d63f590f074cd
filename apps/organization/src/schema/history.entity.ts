import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('histories')
export class HistoryEntity {
  @PrimaryColumn('text') organizationId!: string;
  @Column('bigint') lastSequence!: number;
}
