import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { linkTo } from '@classroom/platform';
import { StopRecording } from '../control/stop-recording.js';
import { RetentionRule } from '../retention/retention-rule.js';

export interface EndedClass {
  sid: string;
  organizationId: string;
  roomId: string;
  endedAt: string;
}

/** A class's end stops its recording and starts the clock of its files. Safe to repeat. */
@Injectable()
export class ClassEnd {
  constructor(
    private readonly database: Database,
    private readonly stopRecording: StopRecording,
    private readonly retention: RetentionRule,
  ) {}

  async execute({ sid, organizationId, roomId, endedAt }: EndedClass): Promise<void> {
    const running = await this.database.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO rooms (sid, organization_id, room_id, ended_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (sid) DO UPDATE SET ended_at = $4, auto_wanted_at = NULL`,
        [sid, organizationId, roomId, endedAt],
      );
      const rows = await tx.query<{ key: string; status: string; completedAt: Date | null; trace: string | null }>(
        `SELECT recording_key AS key, status, completed_at AS "completedAt", trace FROM recordings WHERE sid = $1 FOR UPDATE`,
        [sid],
      );
      for (const { key, completedAt, trace } of rows) {
        linkTo(trace);
        await tx.query(
          `UPDATE recordings SET class_ended_at = $2, delete_at = CASE WHEN deleted_at IS NULL THEN $3::timestamptz ELSE delete_at END
            WHERE recording_key = $1`,
          [key, endedAt, this.retention.deleteAt(new Date(endedAt), completedAt)],
        );
      }
      return rows.filter(({ status }) => status === 'STARTING' || status === 'ACTIVE');
    });
    for (const { key } of running) await this.stopRecording.ofEndedRoom(key);
  }
}
