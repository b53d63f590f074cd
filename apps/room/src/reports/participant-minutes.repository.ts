import { Injectable } from '@nestjs/common';
import { MAX_MINUTES } from '@classroom/contracts';
import { arraysOf, columnsOf, Database, namedArraysOf, type RowOf, type Transaction } from '@classroom/persistence';
import { ofRoom } from '../presence/connections.repository.js';
import { ParticipantMinuteEntity } from '../schema/participant-minute.entity.js';
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
