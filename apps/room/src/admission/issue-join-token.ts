import { Inject, Injectable } from '@nestjs/common';
import type { Participant } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { Clock, CONFIG } from '@classroom/platform';
import type { RoomConfig } from '../config.js';
import { signToken } from '../roles/join-token.js';

export interface IssuedToken {
  token: string;
  iframeUrl: string;
  expiresAt: string;
}

export interface Issued {
  joined: IssuedToken;
  /** The participant had another role before, which an older token may still carry. */
  isOtherRole: boolean;
}

/**
 * Keeps who may come (latest name and role), makes a token and its address. The token stands in the fragment, so that it
 * reaches no log and no referrer.
 */
@Injectable()
export class IssueJoinToken {
  constructor(
    @Inject(CONFIG) private readonly config: RoomConfig,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Undefined where the room has ended meanwhile. */
  async execute(sid: string, participant: Participant): Promise<Issued | undefined> {
    const joined = await this.sign(sid, participant);
    // One statement: who may come, and that LiveKit shall have the room (parked or not) as long as the token lives.
    // The expiry is kept to the minute, so that a busy room's row is not written at every join.
    const rows = await this.database.prepared<{ isOtherRole: boolean }>(
      'issue-join-token',
      `WITH room AS (SELECT sid FROM rooms WHERE sid = $1 AND state IN ('created', 'live')),
            expected AS (
              UPDATE rooms SET tokens_expire_at = greatest(tokens_expire_at, $6::timestamptz), media = 'open'
               WHERE sid = $1 AND state = 'created'
                 AND (media <> 'open' OR tokens_expire_at IS NULL OR tokens_expire_at < $6::timestamptz - interval '1 minute')),
            person AS (
              INSERT INTO participants (sid, uid, name, role, photo_url) SELECT sid, $2, $3, $4, $5 FROM room
               -- ON CONFLICT locks the row, which is written and flushed, even where nothing changes.
               WHERE NOT EXISTS (SELECT FROM participants WHERE sid = $1 AND uid = $2
                                   AND (name, role, photo_url) IS NOT DISTINCT FROM ($3, $4, $5))
              ON CONFLICT (sid, uid) DO UPDATE SET name = $3, role = $4, photo_url = $5,
                     role_changed_at = CASE WHEN participants.role = $4 THEN participants.role_changed_at ELSE $7 END
                WHERE (participants.name, participants.role, participants.photo_url) IS DISTINCT FROM ($3, $4, $5))
       -- As it stood before this statement.
       SELECT EXISTS (SELECT FROM participants WHERE sid = $1 AND uid = $2 AND role <> $4) AS "isOtherRole" FROM room`,
      [sid, participant.uid, participant.name, participant.role, participant.photoURL ?? null, joined.expiresAt, this.clock.wall()],
    );
    return rows[0] && { joined, isOtherRole: rows[0].isOtherRole };
  }

  async sign(sid: string, participant: Participant): Promise<IssuedToken> {
    const { token, expiresAt } = await signToken(this.config, 'join', sid, participant, this.clock.wall());
    const iframeUrl = `${this.config.CLASSROOM_URL}/r/${sid}#token=${token}`;
    return { token, iframeUrl, expiresAt: expiresAt.toISOString() };
  }
}
