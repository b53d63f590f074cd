import { Injectable } from '@nestjs/common';
import { MAX_MINUTES } from '@classroom/contracts';
import { arraysOf, columnsOf, Database, namedArraysOf, type RowOf, type Transaction } from '@classroom/persistence';
import { OF_ROOM, ofRoom } from '../presence/connections.repository.js';
import { ParticipantMinuteEntity } from '../schema/participant-minute.entity.js';
import { ParticipantEntity } from '../schema/participant.entity.js';
import { sql } from '../schema/sql.js';
import type { MinuteRow } from './to-minute-row.js';

/** Of connections of the participant alone, and of their time: the clocks of browser and media server may differ by some seconds. */
const add = sql(
  'participant-minutes.add',
  `INSERT INTO participant_minutes (sid, uid, connection_sid, minute, measured_ms, talk_ms, camera_ms, reconnections, join_ms, bytes_received, bytes_sent,
                                    packets_received, packets_lost, packets_sent, sent_lost, round_trip_ms, buffer_ms, freezes, frozen_ms)
   SELECT c.sid, c.uid, m.*
     FROM unnest(:connectionSid::text[], :minute::timestamptz[], :measuredMs::int4[], :talkMs::int4[], :cameraMs::int4[], :reconnections::int4[],
                 :joinMs::int4[], :bytesReceived::int8[], :bytesSent::int8[], :packetsReceived::int4[], :packetsLost::int4[],
                 :packetsSent::int4[], :sentLost::int4[], :roundTripMs::int4[], :bufferMs::int4[], :freezes::int4[], :frozenMs::int4[])
       AS m(connection_sid, minute, measured_ms, talk_ms, camera_ms, reconnections, join_ms, bytes_received, bytes_sent,
            packets_received, packets_lost, packets_sent, sent_lost, round_trip_ms, buffer_ms, freezes, frozen_ms)
     JOIN (SELECT sid, uid, connection_sid, joined_at, left_at FROM connections_by_month
            WHERE ${ofRoom(':sid')} AND uid = :uid) c USING (connection_sid)
    WHERE m.minute BETWEEN c.joined_at - interval '2 minutes' AND coalesce(c.left_at, to_timestamp(:now::int8)) + interval '1 minute'
   ON CONFLICT DO NOTHING RETURNING 1`,
);

const last = sql(
  'participant-minutes.last',
  `SELECT ${columnsOf(ParticipantMinuteEntity, { except: ['sid', 'uid', 'talkMs', 'cameraMs', 'connectionSid'] })}
     FROM participant_minutes WHERE sid = $1 AND uid = $2 ORDER BY minute DESC LIMIT ${MAX_MINUTES}`,
);

/** Counted by the database: a large class has some hundred thousand. */
const deleteOf = sql.planned(
  'participant-minutes.deleteOf',
  'WITH deleted AS (DELETE FROM participant_minutes WHERE sid = ANY($1) RETURNING 1) SELECT count(*) AS "count!" FROM deleted',
);

const deleteBy = sql.planned(
  'participant-minutes.deleteBy',
  `WITH deleted AS (DELETE FROM participant_minutes m USING unnest($1::text[], $2::text[]) AS p(sid, uid) WHERE m.sid = p.sid AND m.uid = p.uid RETURNING 1)
   SELECT count(*) AS "count!" FROM deleted`,
);

export type StoredMinute = RowOf<typeof last>;

/** What pages measured. A pseudonym replaces the uid by a foreign key. */
@Injectable()
export class ParticipantMinutesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Ignores minutes that are stored already, of connections that are not known as the participant's, and of another time than theirs.
   * @param now seconds of LiveKit's clock
   * @returns how many are new
   */
  async add(sid: string, uid: string, rows: readonly MinuteRow[], now: number): Promise<number> {
    const columns = namedArraysOf(
      rows,
      'connectionSid',
      'minute',
      'measuredMs',
      'talkMs',
      'cameraMs',
      'reconnections',
      'joinMs',
      'bytesReceived',
      'bytesSent',
      'packetsReceived',
      'packetsLost',
      'packetsSent',
      'sentLost',
      'roundTripMs',
      'bufferMs',
      'freezes',
      'frozenMs',
    );
    return (await this.database.run(add, { sid, uid, ...columns, now })).length;
  }

  /** The last minutes of a participant, oldest first. */
  async last(sid: string, uid: string): Promise<StoredMinute[]> {
    return (await this.database.run(last, sid, uid)).reverse();
  }

  /** Deletes the minutes of these people. @returns how many */
  async deleteBy(tx: Transaction, people: readonly { sid: string; uid: string }[]): Promise<number> {
    return (await tx.first(deleteBy, ...arraysOf(people, 'sid', 'uid')))?.count ?? 0;
  }

  /** Deletes the minutes of these classes. @returns how many */
  async deleteOf(tx: Transaction, sids: readonly string[]): Promise<number> {
    return (await tx.first(deleteOf, sids))?.count ?? 0;
  }
}

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
