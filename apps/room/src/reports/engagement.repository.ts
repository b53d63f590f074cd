import { Injectable } from '@nestjs/common';
import { Database, type RowOf, type Transaction } from '@classroom/persistence';
import { OF_ROOM } from '../presence/connections.repository.js';
import { ParticipantEntity } from '../schema/participant.entity.js';
import { sql } from '../schema/sql.js';

/** Seconds of a connection; $3 is the time until which an open one counts, in seconds of LiveKit's clock. */
const SECONDS = `greatest(0, extract(epoch FROM coalesce(left_at, to_timestamp($3::int8)) - joined_at))::float8`;

/** No page measured more of a connection than its length. Where nothing was measured, the sums are null. */
const page = sql.planned(
  'engagement.page',
  `SELECT p.uid AS "uid!", p.name AS "name!", p.role AS "role!", p.hands_raised AS "handsRaised!", p.reactions_sent AS "reactions!",
          t.connections AS "connections!", t.connected AS "connectedSeconds!", t.measured AS "measuredSeconds!",
          t.talk AS "talkSeconds", t.camera AS "cameraSeconds",
          (SELECT count(*) FROM chat_messages m WHERE m.sid = $1 AND m.uid = p.uid) AS "chatMessages!",
          (SELECT count(*) FROM polls q JOIN poll_votes v USING (poll_id) WHERE q.sid = $1 AND v.uid = p.uid) AS "pollAnswers!",
          (SELECT count(*) FROM board_elements b WHERE b.sid = $1 AND b.uid = p.uid AND b.element IS NOT NULL) AS "boardElements!"
     FROM (SELECT * FROM participants WHERE sid = $1 AND uid > $2 ORDER BY uid LIMIT $4) p
    CROSS JOIN LATERAL (
          SELECT count(*) AS connections, coalesce(sum(c.seconds), 0) AS connected, coalesce(sum(least(m.measured, c.seconds)) FILTER (WHERE m.measured IS NOT NULL), 0) AS measured,
                 sum(least(m.talk, c.seconds)) FILTER (WHERE m.measured IS NOT NULL) AS talk,
                 sum(least(m.camera, c.seconds)) FILTER (WHERE m.measured IS NOT NULL) AS camera
            FROM (SELECT connection_sid, ${SECONDS} AS seconds FROM connections_by_month WHERE ${OF_ROOM} AND uid = p.uid AND is_counted) c
           CROSS JOIN LATERAL (
                 SELECT sum(measured_ms) / 1000.0::float8 AS measured, sum(talk_ms) / 1000.0::float8 AS talk, sum(camera_ms) / 1000.0::float8 AS camera
                   FROM participant_minutes m WHERE m.sid = $1 AND m.uid = p.uid AND m.connection_sid = c.connection_sid) m) t
    ORDER BY p.uid`,
);

const connections = sql(
  'engagement.connections',
  `SELECT count(*) AS "connections!", coalesce(sum(${SECONDS}), 0) AS "connectedSeconds!"
     FROM connections_by_month WHERE ${OF_ROOM} AND uid = $2 AND is_counted`,
);

export type CountedParticipant = RowOf<typeof page>;

/** Reads how people took part in a class. `now` is in seconds of LiveKit's clock: until then, open connections count. */
@Injectable()
export class EngagementRepository {
  constructor(private readonly database: Database) {}

  /** In the order of uids, after `after`. */
  page(
    sid: string,
    after: string,
    now: number,
    limit: number,
    reader: Database | Transaction = this.database,
  ): Promise<CountedParticipant[]> {
    return reader.run(page, sid, after, now, limit);
  }

  async participant(sid: string, uid: string): Promise<Pick<ParticipantEntity, 'uid' | 'name' | 'role'> | null> {
    return this.database.manager.findOneBy(ParticipantEntity, { sid, uid });
  }

  async connections(sid: string, uid: string, now: number): Promise<RowOf<typeof connections>> {
    const row = await this.database.first(connections, sid, uid, now);
    return row ?? { connections: 0, connectedSeconds: 0 };
  }
}
