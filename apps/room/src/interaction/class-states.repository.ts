import { Injectable } from '@nestjs/common';
import type { RecordingFact } from '@classroom/contracts';
import { Database, type RowOf, type Transaction } from '@classroom/persistence';
import { LessThan, MoreThan } from 'typeorm';
import { ReactionEntity } from '../schema/reaction.entity.js';
import { sql } from '../schema/sql.js';

const versions = sql(
  'class-states.versions',
  `SELECT class_version AS version, hands_version AS hands, speakers_version AS speakers, chat_version AS chat,
          polls_version AS polls, reactions_version AS reactions, removals_version AS removals, details_version AS details,
          recording_version AS recording, waiting_version AS waiting, title, description, customization, settings, started_at AS "startedAt"
     FROM rooms WHERE sid = $1`,
);

const hands = sql(
  'class-states.hands',
  `SELECT uid, name, hand_raised_at AS "raisedAt!" FROM participants
    WHERE sid = $1 AND hand_raised_at IS NOT NULL ORDER BY hand_raised_at, uid`,
);

const speakers = sql(
  'class-states.speakers',
  `SELECT uid, name, speaks_since AS "allowedAt!", allowed_by AS "allowedBy!" FROM participants
    WHERE sid = $1 AND speaks_since IS NOT NULL ORDER BY speaks_since, uid`,
);

const removals = sql(
  'class-states.removals',
  `SELECT uid, name, role, removed_at AS "removedAt!" FROM participants WHERE sid = $1 AND removed_version > $2 ORDER BY removed_version`,
);

/** Reads the part of a class's shared state that is stored in the rows of its room and participants. */
@Injectable()
export class ClassStatesRepository {
  constructor(private readonly database: Database) {}

  /** The version of each part, with the room's details. */
  async versions(sid: string): Promise<RowOf<typeof versions> | undefined> {
    return this.database.first(versions, sid);
  }

  /** Raised hands, the earliest first. */
  hands(sid: string): Promise<RowOf<typeof hands>[]> {
    return this.database.run(hands, sid);
  }

  speakers(sid: string): Promise<RowOf<typeof speakers>[]> {
    return this.database.run(speakers, sid);
  }

  /** Removals after the class version `after`. */
  removals(sid: string, after: number): Promise<RowOf<typeof removals>[]> {
    return this.database.run(removals, sid, after);
  }
}

const since = sql(
  'reactions.since',
  `SELECT id, uid, name, emoji, sent_at AS "sentAt" FROM reactions WHERE sid = $1 AND version > $2 AND sent_at > $3 ORDER BY version`,
);

@Injectable()
export class ReactionsRepository {
  constructor(private readonly database: Database) {}

  /** Reactions of a class after the class version `version` that were sent after `from`. */
  since(sid: string, version: number, from: Date): Promise<RowOf<typeof since>[]> {
    return this.database.run(since, sid, version, from);
  }

  countSince(tx: Transaction, sid: string, uid: string, from: Date): Promise<number> {
    return tx.manager.countBy(ReactionEntity, { sid, uid, sentAt: MoreThan(from) });
  }

  async add(tx: Transaction, row: ReactionEntity): Promise<void> {
    await tx.manager.insert(ReactionEntity, row);
  }

  async deleteBefore(before: Date): Promise<void> {
    await this.database.manager.delete(ReactionEntity, { sentAt: LessThan(before) });
  }
}

const save = sql(
  'room-recordings.save',
  `INSERT INTO room_recordings (egress_id, sid, status, version, started_at, is_paused) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (egress_id) DO UPDATE SET status = $3, version = $4, started_at = $5, is_paused = $6
     WHERE room_recordings.version < $4 AND room_recordings.sid = excluded.sid RETURNING 1`,
);

/** One that has not ended comes first, because a later one may have failed at once. */
const findLatest = sql(
  'room-recordings.findLatest',
  `SELECT egress_id AS "egressId", status, is_paused AS "isPaused" FROM room_recordings WHERE sid = $1
    ORDER BY status IN ('STARTING', 'ACTIVE', 'ENDING') DESC, started_at DESC LIMIT 1`,
);

export type RecordingProjection = Pick<RecordingFact, 'sid' | 'egressId' | 'status' | 'version' | 'startedAt' | 'isPaused'>;

const RUNNING: readonly string[] = ['STARTING', 'ACTIVE', 'ENDING'];

@Injectable()
export class RoomRecordingsRepository {
  constructor(private readonly database: Database) {}

  /** @returns false if this version or a later one is already stored, or the recording belongs to another room */
  async save(tx: Transaction, { egressId, sid, status, version, startedAt, isPaused }: RecordingProjection): Promise<boolean> {
    return (await tx.run(save, egressId, sid, status, version, startedAt, isPaused)).length > 0;
  }

  /** The latest recording, if it is starting, running, being finished, or paused. */
  async findCurrent(sid: string): Promise<RowOf<typeof findLatest> | undefined> {
    const latest = await this.database.first(findLatest, sid);
    return latest && (latest.isPaused || RUNNING.includes(latest.status)) ? latest : undefined;
  }
}
