import { Injectable } from '@nestjs/common';
import { exportRpc, roomRpc, selectionOf, type ExportPage, type ExportPageRequest } from '@classroom/contracts';
import { exportPage, fitMessage, Handles, NOT_OF_A_PERSON, rowsOf, RpcClient, type ExportedStore } from '@classroom/messaging';
import { cursorOf, Database } from '@classroom/persistence';
import { z } from 'zod';
import { sql } from '../schema/sql.js';

/** Stays that are looked up in one page. */
const STAYS = 100;

/** The files have an API of their own. */
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

/** What was recorded during stays in classes. A merged recording was made when its parts were. One that never began has no times. */
const madeDuring = sql.planned(
  'exported.madeDuring',
  `SELECT 'rec_' || t.egress_id AS "recordingId!", t.sid, t.room_id AS "roomId", t.title, greatest(s.joined_at, made.active_at) AS "from!",
          nullif(least(coalesce(s.left_at, 'infinity'), coalesce(made.ended_at, 'infinity')), 'infinity') AS "until", t.status, t.deleted_at AS "deletedAt"
     FROM unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) AS s(sid, joined_at, left_at)
     JOIN recordings t ON t.sid = s.sid AND t.organization_id = $1
     JOIN recordings made ON made.sid = t.sid AND CASE WHEN t.merged_from = '{}' THEN made.recording_key = t.recording_key ELSE made.egress_id = ANY(t.merged_from) END
    WHERE made.active_at IS NOT NULL AND made.active_at < coalesce(s.left_at, 'infinity') AND coalesce(made.ended_at, 'infinity') > s.joined_at
    ORDER BY t.sid, s.joined_at, made.active_at, t.recording_key`,
);

const STORES: ExportedStore[] = [{ name: 'recordings', statement: recordings }];
/** The store of a person, which is not stored: presence and times of recordings tell it. */
const PRESENT_IN = 'present-in';
/** The page of stays, and how many recordings of it were sent. */
const position = cursorOf(z.tuple([z.array(z.string()).max(10), z.number().int().min(0)]));

/** Reads what an export contains of this service. */
@Injectable()
export class ExportedRepository {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  @Handles(exportRpc.recording)
  page(request: ExportPageRequest): Promise<ExportPage> {
    const { uid } = selectionOf(request.subject);
    return uid === null ? exportPage(this.database, STORES, request) : this.recordingsOf(uid, request);
  }

  /** The recordings that were made while the person was connected, with the time of both. */
  private async recordingsOf(uid: string, { organizationId, cursor }: ExportPageRequest): Promise<ExportPage> {
    const [after, sent] = cursor === null ? [[], 0] : position.decode(cursor);
    const { stays, next } = await this.rpc.call(roomRpc.stays, { organizationId, uid, after, limit: STAYS });
    const [sids, joins, leaves] = [stays.map(({ sid }) => sid), stays.map(({ joinedAt }) => joinedAt), stays.map(({ leftAt }) => leftAt)];
    const made = (await this.database.run(madeDuring, organizationId, sids, joins, leaves)).slice(sent);
    const records = fitMessage(made.map((data) => ({ store: PRESENT_IN, data })));
    if (records.length < made.length) return { records, next: position.encode([after, sent + Math.max(records.length, 1)]) };
    return { records, next: next && position.encode([next, 0]) };
  }
}
