import { Injectable } from '@nestjs/common';
import { exportRpc, roomRpc, type ExportPage, type ExportPageRequest, type RpcInput, type RpcOutput } from '@classroom/contracts';
import { exportPage, Handles, NOT_OF_A_PERSON, ofPerson, ownOnly, rowsOf, rowsOfOwners, type ExportedStore } from '@classroom/messaging';
import { columnsOf, Database } from '@classroom/persistence';
import { classOfPerson } from '../rooms/rooms.repository.js';
import { BoardElementEntity } from '../schema/board-element.entity.js';
import { ChatMessageEntity } from '../schema/chat-message.entity.js';
import { ConnectionEntity } from '../schema/connection.entity.js';
import { ConsentEntity } from '../schema/consent.entity.js';
import { ParticipantMinuteEntity } from '../schema/participant-minute.entity.js';
import { ParticipantEntity } from '../schema/participant.entity.js';
import { PollEntity } from '../schema/poll.entity.js';
import { RoomEntity } from '../schema/room.entity.js';
import { sql } from '../schema/sql.js';

const CLASSES = `o.organization_id = $1 AND ($3::text IS NULL OR o.room_id = $3)
  AND ($2::text IS NULL OR ${classOfPerson('o', '$2')})`;

type Rows = Pick<Parameters<typeof rowsOfOwners>[0], 'from' | 'columns' | 'key' | 'where'> & { classColumns?: string };

/** Rows of the classes of the subject. */
const inClasses = ({ classColumns = '', ...rows }: Rows) =>
  rowsOfOwners({
    ...rows,
    owners: 'rooms o',
    ownerKey: 'sid',
    ownerKeyType: 'text',
    ownerColumns: `o.sid, o.room_id AS "roomId"${classColumns}`,
    ownerWhere: CLASSES,
  });

const classes = sql.planned(
  'exported.classes',
  rowsOf({
    from: 'rooms t',
    columns: columnsOf(RoomEntity, {
      from: 't',
      except: [
        ...(['organizationId', 'media', 'version', 'participantCount', 'hasTeacher', 'isRecording', 'lastLeftAt', 'verifiedAt'] as const),
        ...(['dueAt', 'tokensExpireAt', 'idempotencyKey', 'idempotencyHash', 'classVersion', 'handsVersion'] as const),
        ...(['speakersVersion', 'chatVersion', 'pollsVersion', 'reactionsVersion', 'removalsVersion', 'detailsVersion'] as const),
        ...(['recordingVersion', 'budgetVersion', 'finishedAt', 'emptySince', 'scheduleDueAt', 'endNoticed'] as const),
      ],
    }),
    key: { sid: 'text' },
    where: `t.organization_id = $1 AND ${NOT_OF_A_PERSON} AND ($3::text IS NULL OR t.room_id = $3)`,
  }),
);

const participants = sql.planned(
  'exported.participants',
  inClasses({
    from: 'participants t',
    columns: `${columnsOf(ParticipantEntity, { from: 't', except: ['sid', 'allowedBy', 'removedVersion'] })}, CASE WHEN ${NOT_OF_A_PERSON} THEN t.allowed_by END AS "allowedBy"`,
    key: { uid: 'text' },
    where: `t.sid = o.sid AND ${ofPerson('t.uid')}`,
    classColumns: ', o.title, o.started_at AS "startedAt", o.ended_at AS "endedAt"',
  }),
);

/** Whom the person allowed to speak is not the person's own data: only that they did. `allowed_by` is a name. */
const permissions = sql.planned(
  'exported.permissions',
  inClasses({
    from: 'participants t',
    columns: 't.uid, t.speaks_since AS "allowedAt"',
    key: { uid: 'text' },
    where: 't.sid = o.sid AND t.uid <> $2 AND t.allowed_by = (SELECT p.name FROM participants p WHERE p.sid = o.sid AND p.uid = $2)',
  }),
);

const chatMessages = sql.planned(
  'exported.chatMessages',
  inClasses({
    from: 'chat_messages t',
    columns: `${columnsOf(ChatMessageEntity, { from: 't', except: ['sid', 'deletedBy', 'changedVersion'] })}, ${ownOnly('t.deleted_by')} AS "deletedBy"`,
    key: { version: 'bigint' },
    where: `t.sid = o.sid AND ${ofPerson('t.uid')}`,
  }),
);

const chatDeletions = sql.planned(
  'exported.chatDeletions',
  inClasses({
    from: 'chat_messages t',
    columns: 't.version, t.id, t.deleted_at AS "deletedAt"',
    key: { version: 'bigint' },
    where: 't.sid = o.sid AND t.deleted_by = $2 AND t.uid <> $2',
  }),
);

const chatReports = sql.planned(
  'exported.chatReports',
  inClasses({
    from: 'chat_reports t',
    columns: 't.version, t.uid, t.reported_at AS "reportedAt"',
    key: { version: 'bigint', uid: 'text' },
    where: `t.sid = o.sid AND ${ofPerson('t.uid')}`,
  }),
);

const polls = sql.planned(
  'exported.polls',
  inClasses({
    from: 'polls t',
    columns: columnsOf(PollEntity, { from: 't', except: ['sid', 'version'] }),
    key: { pollId: 'uuid' },
    where: `t.sid = o.sid AND ${ofPerson('t.created_by')}`,
  }),
);

const consents = sql.planned(
  'exported.consents',
  inClasses({
    from: 'consents t',
    columns: columnsOf(ConsentEntity, { from: 't', except: ['organizationId', 'sid'] }),
    key: { id: 'bigint' },
    where: `t.sid = o.sid AND ${ofPerson('t.uid')}`,
  }),
);

const pollVotes = sql.planned(
  'exported.pollVotes',
  inClasses({
    from: 'polls p JOIN poll_votes t ON t.poll_id = p.poll_id',
    columns: `t.poll_id AS "pollId", p.question, p.options[t.option + 1] AS option, t.uid, t.name, t.voted_at AS "votedAt"`,
    key: { pollId: 'uuid', uid: 'text' },
    where: `p.sid = o.sid AND ${ofPerson('t.uid')}`,
  }),
);

const boardElements = sql.planned(
  'exported.boardElements',
  inClasses({
    from: 'board_elements t',
    columns: columnsOf(BoardElementEntity, { from: 't', except: ['sid', 'revision', 'nonce'] }),
    key: { elementId: 'text' },
    where: `t.sid = o.sid AND t.element IS NOT NULL AND ${ofPerson('t.uid')}`,
  }),
);

const reactions = sql.planned(
  'exported.reactions',
  inClasses({
    from: 'reactions t',
    columns: 't.version, t.uid, t.name, t.emoji, t.sent_at AS "sentAt"',
    key: { version: 'bigint' },
    where: `t.sid = o.sid AND ${ofPerson('t.uid')}`,
  }),
);

const measuredMinutes = sql.planned(
  'exported.measuredMinutes',
  inClasses({
    from: 'participant_minutes t',
    columns: columnsOf(ParticipantMinuteEntity, { from: 't', except: ['sid'] }),
    key: { uid: 'text', connectionSid: 'text', minute: 'timestamptz' },
    where: `t.sid = o.sid AND ${ofPerson('t.uid')}`,
  }),
);

const connections = sql.planned(
  'exported.connections',
  inClasses({
    from: 'connections_by_month t',
    columns: columnsOf(ConnectionEntity, { from: 't', except: ['sid', 'isFinal', 'isCounted', 'missingSince', 'version', 'month'] }),
    key: { uid: 'text', connectionSid: 'text' },
    where: `t.sid = o.sid AND t.month = connection_month(o.created_at) AND ${ofPerson('t.uid')}`,
  }),
);

/** A connection that never became active is no stay. */
const stays = sql.planned(
  'exported.stays',
  inClasses({
    from: 'connections_by_month t',
    columns: 't.uid, t.connection_sid AS "connectionSid", t.joined_at AS "joinedAt", t.left_at AS "leftAt"',
    key: { uid: 'text', connectionSid: 'text' },
    where: `t.sid = o.sid AND t.month = connection_month(o.created_at) AND ${ofPerson('t.uid')} AND t.is_counted`,
  }),
);

const sessionAddresses = sql.planned(
  'exported.sessionAddresses',
  inClasses({
    from: 'session_addresses t',
    columns: 't.uid, t.since, t.address',
    key: { uid: 'text', since: 'timestamptz' },
    where: `t.sid = o.sid AND ${ofPerson('t.uid')}`,
  }),
);

const roster = sql.planned(
  'exported.roster',
  inClasses({
    from: 'roster_entries t',
    columns: 't.uid, t.name',
    key: { uid: 'text' },
    where: `t.sid = o.sid AND ${ofPerson('t.uid')}`,
    classColumns: ', o.title, o.started_at AS "startedAt", o.ended_at AS "endedAt"',
  }),
);

const STORES: ExportedStore[] = [
  { name: 'classes', statement: classes },
  { name: 'participants', statement: participants },
  { name: 'roster', statement: roster },
  { name: 'permissions-to-speak', statement: permissions, toData: ({ uid: _, ...row }) => row },
  { name: 'chat-messages', statement: chatMessages },
  { name: 'chat-deletions', statement: chatDeletions },
  { name: 'chat-reports', statement: chatReports },
  { name: 'polls', statement: polls },
  { name: 'consents', statement: consents, toData: ({ id: _, ...row }) => row },
  { name: 'poll-votes', statement: pollVotes },
  { name: 'board-elements', statement: boardElements },
  { name: 'reactions', statement: reactions },
  { name: 'connections', statement: connections },
  { name: 'measured-minutes', statement: measuredMinutes },
  { name: 'session-addresses', statement: sessionAddresses },
];

/** Reads what an export contains of this service. */
@Injectable()
export class ExportedRepository {
  constructor(private readonly database: Database) {}

  @Handles(exportRpc.room)
  page(request: ExportPageRequest): Promise<ExportPage> {
    return exportPage(this.database, STORES, request);
  }

  @Handles(roomRpc.stays)
  async stays({ organizationId, uid, after, limit }: RpcInput<typeof roomRpc.stays>): Promise<RpcOutput<typeof roomRpc.stays>> {
    const rows = await this.database.run(stays, organizationId, uid, null, after, limit);
    return {
      stays: rows.map(({ sid, joinedAt, leftAt }) => ({ sid, joinedAt: joinedAt.toISOString(), leftAt: leftAt?.toISOString() ?? null })),
      next: rows.length === limit ? (rows.at(-1)?.key ?? null) : null,
    };
  }
}
