import { Injectable } from '@nestjs/common';
import { Database, type RowOf } from '@classroom/persistence';
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
