import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('audit_heads')
export class AuditHeadEntity {
  @PrimaryColumn('text') organizationId!: string;
  @Column('bigint') sequence!: number;
  @Column('bytea') hash!: Buffer;
}
