import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A participant reported a message. */
@Entity('chat_reports')
export class ChatReportEntity {
  @PrimaryColumn('text') sid!: string;
  /** The message's. */
  @PrimaryColumn('bigint') version!: number;
  @PrimaryColumn('text') uid!: string;
  @Column('timestamptz') reportedAt!: Date;
}
