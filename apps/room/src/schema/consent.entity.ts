import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An answer to a question for consent. Rows are never changed. */
@Entity('consents')
export class ConsentEntity {
  @PrimaryColumn('bigint') id!: number;
  @Column('text') organizationId!: string;
  @Column('text') sid!: string;
  @Column('text') uid!: string;
  @Column('text') purpose!: string;
  @Column('text') version!: string;
  @Column('text') textHash!: string;
  @Column('boolean') granted!: boolean;
  @Column('timestamptz') answeredAt!: Date;
}
