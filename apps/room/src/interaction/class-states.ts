import { Injectable } from '@nestjs/common';
import type { ClassUpdate, Hand, Reaction, RoomDetails, Speaker } from '@classroom/contracts';
import { fitMessage } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { ChatRepository, MESSAGES_BYTES } from './chat.repository.js';
import { PollsRepository } from './polls.repository.js';

/** A reaction older than this is over for everyone. */
const REACTION_MS = 10_000;
/** Chat that comes without asking; older messages are asked for. */
const MESSAGES = 200;
/** Bytes of each part at most, in addition to `MESSAGES_BYTES` of chat: all of them together are one message of NATS. */
const HANDS_BYTES = 160 * 1024;
const SPEAKERS_BYTES = 64 * 1024;
const POLLS_BYTES = 256 * 1024;
const REACTIONS_BYTES = 64 * 1024;
const REMOVALS_BYTES = 64 * 1024;

/** The parts of a class's shared state, each a column `<part>_version` of its room. */
export type ClassPart = 'hands' | 'speakers' | 'chat' | 'polls' | 'reactions' | 'removals' | 'details' | 'recording';
type Versions = { version: number } & Record<ClassPart, number> & RoomDetails;

/** Reads what a class shares: all of it, or what changed after a version. The same answer is pushed and asked for. */
@Injectable()
export class ClassStates {
  constructor(
    private readonly database: Database,
    private readonly chat: ChatRepository,
    private readonly polls: PollsRepository,
    private readonly clock: Clock,
  ) {}

  /** Undefined where there is no such room. Parts may be newer than `version`: they are then told again, which changes nothing. */
  async since(sid: string, after: number): Promise<ClassUpdate | undefined> {
    const versions = await this.versions(sid);
    if (!versions) return undefined;
    const update: ClassUpdate = { base: after, version: versions.version };
    const changed = (part: ClassPart) => after === 0 || versions[part] > after;
    if (changed('hands')) update.hands = await this.hands(sid);
    if (changed('speakers')) update.speakers = await this.speakers(sid);
    if (changed('chat')) Object.assign(update, await this.messages(sid, after));
    // The newest, where not all of them fit.
    if (changed('polls')) update.polls = fitMessage((await this.polls.changed(sid, after)).reverse(), POLLS_BYTES).reverse();
    if (changed('reactions')) update.reactions = await this.reactions(sid, after);
    if (after > 0 && changed('removals')) update.removals = await this.removals(sid, after);
    if (changed('details')) update.room = toDetails(versions);
    if (changed('recording')) update.recording = await this.recording(sid);
    return update;
  }

  private async versions(sid: string): Promise<Versions | undefined> {
    const [row] = await this.database.prepared<Versions & Record<string, unknown>>(
      'class-versions',
      `SELECT class_version::float8 AS version, hands_version::float8 AS hands, speakers_version::float8 AS speakers,
              chat_version::float8 AS chat, polls_version::float8 AS polls, reactions_version::float8 AS reactions,
              removals_version::float8 AS removals, details_version::float8 AS details,
              recording_version::float8 AS recording, title, description AS "roomDescription",
              max_participants AS "maxParticipants", empty_timeout AS "emptyTimeout"
         FROM rooms WHERE sid = $1`,
      [sid],
    );
    return row;
  }

  /** Those that were raised first, as many as fit. */
  async hands(sid: string): Promise<Hand[]> {
    const rows = await this.database.prepared<{ uid: string; name: string; at: Date }>(
      'class-hands',
      `SELECT uid, name, hand_raised_at AS at FROM participants
        WHERE sid = $1 AND hand_raised_at IS NOT NULL ORDER BY hand_raised_at, uid`,
      [sid],
    );
    return fitMessage(rows.map(({ uid, name, at }) => ({ uid, name, raisedAt: at.toISOString() })), HANDS_BYTES);
  }

  async speakers(sid: string): Promise<Speaker[]> {
    const rows = await this.database.prepared<{ uid: string; name: string; at: Date; allowedBy: string }>(
      'class-speakers',
      `SELECT uid, name, speaks_since AS at, allowed_by AS "allowedBy" FROM participants
        WHERE sid = $1 AND speaks_since IS NOT NULL ORDER BY speaks_since, uid`,
      [sid],
    );
    return fitMessage(rows.map(({ uid, name, at, allowedBy }) => ({ uid, name, allowedBy, allowedAt: at.toISOString() })), SPEAKERS_BYTES);
  }

  private async messages(sid: string, after: number): Promise<Pick<ClassUpdate, 'messages' | 'hasOlderMessages'>> {
    const { messages, hasMore } = await this.chat.page(sid, { after, limit: MESSAGES, bytes: MESSAGES_BYTES });
    return { messages, ...(hasMore && { hasOlderMessages: true }) };
  }

  private async reactions(sid: string, after: number): Promise<Reaction[]> {
    const rows = await this.database.query<Omit<Reaction, 'sentAt'> & { at: Date }>(
      `SELECT id, uid, name, emoji, sent_at AS at FROM reactions WHERE sid = $1 AND version > $2 AND sent_at > $3 ORDER BY version`,
      [sid, after, new Date(this.clock.wall().getTime() - REACTION_MS)],
    );
    const reactions = rows.map(({ id, uid, name, emoji, at }) => ({ id, uid, name, emoji, sentAt: at.toISOString() }));
    return fitMessage(reactions.reverse(), REACTIONS_BYTES).reverse();
  }

  private async removals(sid: string, after: number): Promise<NonNullable<ClassUpdate['removals']>> {
    const rows = await this.database.query<{ uid: string; name: string; role: string; at: Date }>(
      `SELECT uid, name, role, removed_at AS at FROM participants WHERE sid = $1 AND removed_version > $2 ORDER BY removed_version`,
      [sid, after],
    );
    return fitMessage(rows.map(({ uid, name, role, at }) => ({ uid, name, role, removedAt: at.toISOString() })), REMOVALS_BYTES);
  }

  private async recording(sid: string): Promise<ClassUpdate['recording']> {
    const [row] = await this.database.query<{ egressId: string; status: string }>(
      `SELECT egress_id AS "egressId", status FROM room_recordings
        WHERE sid = $1 AND status IN ('STARTING', 'ACTIVE', 'ENDING') ORDER BY started_at DESC LIMIT 1`,
      [sid],
    );
    return row ?? null;
  }
}

const toDetails = ({ title, roomDescription, maxParticipants, emptyTimeout }: RoomDetails): RoomDetails => ({
  title,
  roomDescription,
  maxParticipants,
  emptyTimeout,
});
