import { Injectable } from '@nestjs/common';
import { exportRpc, type ExportPage, type ExportPageRequest } from '@classroom/contracts';
import { exportPage, Handles, NOT_OF_A_PERSON, rowsOf, type ExportedStore } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { sql } from '../schema/sql.js';

/** Of a person nothing: who is in a recording is not stored. The files have an API of their own. */
const recordings = sql.planned(
  'exported.recordings',
  rowsOf({
    from: 'recordings t',
    columns: `'rec_' || t.egress_id AS "recordingId", t.recording_key AS "recordingKey", t.sid, t.room_id AS "roomId", t.title, t.options, t.status,
      t.requested_at AS "requestedAt", t.active_at AS "activeAt", t.ended_at AS "endedAt", t.reason, t.limit_reached AS "limitReached", t.file_name AS "fileName", t.size, t.duration,
      t.completed_at AS "completedAt", t.held_at AS "heldAt", t.delete_at AS "deleteAt", t.deleted_at AS "deletedAt"`,
    key: { recordingKey: 'uuid' },
    where: `t.organization_id = $1 AND ${NOT_OF_A_PERSON} AND ($3::text IS NULL OR t.room_id = $3)`,
  }),
);

const STORES: ExportedStore[] = [{ name: 'recordings', statement: recordings }];

/** Reads what an export contains of this service. */
@Injectable()
export class ExportedRepository {
  constructor(private readonly database: Database) {}

  @Handles(exportRpc.recording)
  page(request: ExportPageRequest): Promise<ExportPage> {
    return exportPage(this.database, STORES, request);
  }
}
