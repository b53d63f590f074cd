// Written by `npm run generate -- sql` from the statements and the tables: do not edit.
import { statements, type SqlArray, type SqlBoolean, type SqlJson, type SqlNumber, type SqlText, type SqlTime } from '@classroom/persistence/sql';
import { BoardDrawerEntity } from './board-drawer.entity.js';
import { BoardElementEntity } from './board-element.entity.js';
import { BoardPageEntity } from './board-page.entity.js';
import { BoardEntity } from './board.entity.js';
import { ChatMessageEntity } from './chat-message.entity.js';
import { ChatReportEntity } from './chat-report.entity.js';
import { ConnectionEntity } from './connection.entity.js';
import { ConsentEntity } from './consent.entity.js';
import { LeaseEntity } from './lease.entity.js';
import { LiveRoomEntity } from './live-room.entity.js';
import { ParticipantMinuteEntity } from './participant-minute.entity.js';
import { ParticipantEntity } from './participant.entity.js';
import { PollVoteEntity } from './poll-vote.entity.js';
import { PollEntity } from './poll.entity.js';
import { PresetEntity } from './preset.entity.js';
import { ReactionEntity } from './reaction.entity.js';
import { RoomRecordingEntity } from './room-recording.entity.js';
import { RoomEntity } from './room.entity.js';
import { RosterEntryEntity } from './roster-entry.entity.js';
import { SessionAddressEntity } from './session-address.entity.js';

/** Parameters and rows as Postgres describes them. */
interface Statements {
  'attendance.findConnectionState': { parameters: [SqlText, SqlText]; row: { isConnected: boolean; lastLeftAt: Date | null } };
  'attendance.findLastLeave': { parameters: [SqlText]; row: { lastLeftAt: number | null } };
  'attendance.findOthers': { parameters: [SqlText, SqlText]; row: Pick<ConnectionEntity, 'name'> & { count: number } };
  'attendance.hasJoined': { parameters: [SqlText, SqlText]; row: object };
  'attendance.isConnected': { parameters: [SqlText, SqlText]; row: object };
  'attendance.listConnected': { parameters: [SqlText]; row: Pick<ConnectionEntity, 'uid'> };
  'attendance.listStays': { parameters: [SqlText]; row: Pick<ConnectionEntity, 'uid'> & { role: string; joins: number[]; leaves: number[] } };
  'attendance.summarize': { parameters: [SqlText, SqlNumber]; row: { seconds: number; people: number } };
  'boards.allow': { parameters: [SqlText, SqlText, SqlTime]; row: Pick<BoardDrawerEntity, 'uid'> };
  'boards.change': { parameters: { isShown: SqlBoolean; keepsPage: SqlBoolean; currentPageId: SqlText; sid: SqlText }; row: Pick<BoardEntity, 'version'> };
  'boards.clear': { parameters: [SqlText, SqlText, SqlNumber]; row: object };
  'boards.deleteBy': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'boards.deleteOf': { parameters: [SqlArray<SqlText>]; row: object };
  'boards.draw': {
    parameters: { ids: SqlArray<SqlText>; sid: SqlText; pageId: SqlText; uid: SqlText; revisions: SqlArray<SqlNumber>; nonces: SqlArray<SqlNumber>; elements: SqlArray<SqlText>; managesBoard: SqlBoolean };
    row: { version: BoardEntity['version']; id: string; isDrawn: boolean; isRepeated: boolean };
  };
  'boards.elementsOn': { parameters: [SqlText, SqlText]; row: Omit<BoardElementEntity, 'sid' | 'revision' | 'nonce'> };
  'boards.open': { parameters: [SqlText]; row: object };
  'boards.pages': { parameters: [SqlText]; row: Omit<BoardPageEntity, 'sid'> };
  'boards.peopleOf': { parameters: [SqlText, SqlNumber]; row: Pick<BoardElementEntity, 'uid'> };
  'boards.pseudonymize': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'boards.since': {
    parameters: [SqlText, SqlNumber, SqlNumber];
    row: { boardVersion: BoardEntity['version']; detailsVersion: BoardEntity['detailsVersion']; isShown: BoardEntity['isShown']; currentPageId: BoardEntity['currentPageId'] | null; elementId: BoardElementEntity['elementId'] | null; pageId: BoardElementEntity['pageId'] | null; uid: BoardElementEntity['uid'] | null; version: BoardElementEntity['version'] | null; element: BoardElementEntity['element'] | null };
  };
  'chat-reports.deleteOf': { parameters: [SqlArray<SqlText>]; row: object };
  'chat-reports.pseudonymize': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'chat.changed': {
    parameters: [SqlText, SqlNumber, SqlNumber, SqlBoolean, SqlText];
    row: Omit<ChatMessageEntity, 'sid' | 'changedVersion'> & { reports: number };
  };
  'chat.deleteBy': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'chat.deleteOf': { parameters: [SqlArray<SqlText>]; row: object };
  'chat.export': { parameters: [SqlText, SqlNumber, SqlNumber]; row: Omit<ChatMessageEntity, 'sid' | 'changedVersion'> & { reports: number } };
  'chat.find': { parameters: [SqlText, SqlText, SqlBoolean, SqlText]; row: Omit<ChatMessageEntity, 'sid' | 'changedVersion'> & { reports: number } };
  'chat.hidden': { parameters: [SqlText, SqlNumber]; row: { forTeachers: boolean; forAuthors: boolean } };
  'chat.page': {
    parameters: [SqlText, SqlNumber, SqlNumber, SqlNumber, SqlBoolean, SqlText];
    row: Omit<ChatMessageEntity, 'sid' | 'changedVersion'> & { reports: number };
  };
  'chat.pseudonymize': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'chat.pseudonymizeModerators': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'class-states.hands': { parameters: [SqlText]; row: Pick<ParticipantEntity, 'uid' | 'name'> & { raisedAt: NonNullable<ParticipantEntity['handRaisedAt']> } };
  'class-states.removals': {
    parameters: [SqlText, SqlNumber];
    row: Pick<ParticipantEntity, 'uid' | 'name' | 'role'> & { removedAt: NonNullable<ParticipantEntity['removedAt']> };
  };
  'class-states.speakers': {
    parameters: [SqlText];
    row: Pick<ParticipantEntity, 'uid' | 'name'> & { allowedAt: NonNullable<ParticipantEntity['speaksSince']>; allowedBy: NonNullable<ParticipantEntity['allowedBy']> };
  };
  'class-states.versions': {
    parameters: [SqlText];
    row: Pick<RoomEntity, 'title' | 'description' | 'customization' | 'settings' | 'startedAt'> & { version: RoomEntity['classVersion']; hands: RoomEntity['handsVersion']; speakers: RoomEntity['speakersVersion']; chat: RoomEntity['chatVersion']; polls: RoomEntity['pollsVersion']; reactions: RoomEntity['reactionsVersion']; removals: RoomEntity['removalsVersion']; details: RoomEntity['detailsVersion']; recording: RoomEntity['recordingVersion']; waiting: RoomEntity['waitingVersion'] };
  };
  'connections.clearAddresses': { parameters: [SqlArray<SqlText>]; row: object };
  'connections.clearAddressesOf': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'connections.findOpen': {
    parameters: [SqlText];
    row: Omit<ConnectionEntity, 'sid' | 'joinedAt' | 'leftAt' | 'missingSince' | 'version' | 'month'> & { joinedAt: number; leftAt: number | null; missingSince: number | null };
  };
  'connections.findRelated': {
    parameters: [SqlText, SqlText, SqlText];
    row: Omit<ConnectionEntity, 'sid' | 'joinedAt' | 'leftAt' | 'missingSince' | 'version' | 'month'> & { joinedAt: number; leftAt: number | null; missingSince: number | null };
  };
  'connections.findRelatedToAll': {
    parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>];
    row: { sid: string; connectionSid: string; uid: string; name: string; role: string; ip: string | null; openedBy: string; closedBy: string | null; isFinal: boolean; isCounted: boolean; joinedAt: number; leftAt: number | null; missingSince: number | null };
  };
  'connections.findUnseen': { parameters: [SqlArray<SqlText>, SqlArray<SqlNumber>]; row: Pick<ConnectionEntity, 'sid' | 'connectionSid'> & { seenAt: Date } };
  'connections.page': {
    parameters: [SqlText, SqlText, SqlNumber];
    row: Omit<ConnectionEntity, 'sid' | 'joinedAt' | 'leftAt' | 'missingSince' | 'month'> & { joinedAt: number; leftAt: number | null; missingSince: number | null };
  };
  'connections.pseudonymize': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'connections.save': {
    parameters: { sid: SqlArray<SqlText>; connectionSid: SqlArray<SqlText>; uid: SqlArray<SqlText>; name: SqlArray<SqlText>; role: SqlArray<SqlText>; ip: SqlArray<SqlText>; joinedAt: SqlArray<SqlNumber>; leftAt: SqlArray<SqlNumber>; openedBy: SqlArray<SqlText>; closedBy: SqlArray<SqlText>; isFinal: SqlArray<SqlBoolean>; isCounted: SqlArray<SqlBoolean>; missingSince: SqlArray<SqlNumber>; version: SqlArray<SqlNumber> };
    row: object;
  };
  'connections.summarizePresence': {
    parameters: [SqlArray<SqlText>];
    row: { sid: RoomEntity['sid']; count: number; hasTeacher: boolean; lastLeftAt: number | null };
  };
  'connections.totals': { parameters: [SqlText]; row: { connections: number; totalSeconds: number; versionSum: number } };
  'consents.countBy': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>]; row: { count: number } };
  'consents.insert': {
    parameters: { organizationId: SqlText; sid: SqlText; uid: SqlText; purpose: SqlText; version: SqlText; textHash: SqlText; granted: SqlBoolean; answeredAt: SqlTime };
    row: object;
  };
  'consents.page': { parameters: [SqlText, SqlText, SqlNumber, SqlNumber]; row: Omit<ConsentEntity, 'organizationId' | 'sid'> };
  'engagement.connections': { parameters: [SqlText, SqlText, SqlNumber]; row: { connections: number; connectedSeconds: number } };
  'engagement.page': {
    parameters: [SqlText, SqlText, SqlNumber, SqlNumber];
    row: { uid: ParticipantEntity['uid']; name: ParticipantEntity['name']; role: ParticipantEntity['role']; handsRaised: ParticipantEntity['handsRaised']; reactions: ParticipantEntity['reactionsSent']; connections: number; connectedSeconds: number; measuredSeconds: number; talkSeconds: number | null; cameraSeconds: number | null; chatMessages: number; pollAnswers: number; boardElements: number };
  };
  'exported.boardElements': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId'> & Omit<BoardElementEntity, 'sid' | 'revision' | 'nonce'> & { key: string[] };
  };
  'exported.chatDeletions': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId'> & Pick<ChatMessageEntity, 'version' | 'id' | 'deletedAt'> & { key: string[] };
  };
  'exported.chatMessages': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId'> & Omit<ChatMessageEntity, 'sid' | 'deletedBy' | 'changedVersion'> & { key: string[]; deletedBy: string | null };
  };
  'exported.chatReports': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId'> & Omit<ChatReportEntity, 'sid'> & { key: string[] };
  };
  'exported.classes': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId' | 'title' | 'description' | 'metadata' | 'customization' | 'settings' | 'state' | 'createdAt' | 'startedAt' | 'endedAt' | 'endReason' | 'waitingVersion' | 'doorsClosed'> & { key: string[] };
  };
  'exported.connections': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId'> & Omit<ConnectionEntity, 'sid' | 'isFinal' | 'isCounted' | 'missingSince' | 'version' | 'month'> & { key: string[] };
  };
  'exported.consents': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId'> & Omit<ConsentEntity, 'organizationId' | 'sid'> & { key: string[] };
  };
  'exported.measuredMinutes': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId'> & Omit<ParticipantMinuteEntity, 'sid'> & { key: string[] };
  };
  'exported.participants': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId' | 'title' | 'startedAt' | 'endedAt'> & Omit<ParticipantEntity, 'sid' | 'allowedBy' | 'removedVersion'> & { key: string[]; allowedBy: string | null };
  };
  'exported.permissions': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId'> & Pick<ParticipantEntity, 'uid'> & { key: string[]; allowedAt: ParticipantEntity['speaksSince'] | null };
  };
  'exported.pollVotes': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId'> & Omit<PollVoteEntity, 'option'> & Pick<PollEntity, 'question'> & { key: string[]; option: string | null };
  };
  'exported.polls': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId'> & Omit<PollEntity, 'sid' | 'version'> & { key: string[] };
  };
  'exported.reactions': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId'> & Omit<ReactionEntity, 'sid' | 'id'> & { key: string[] };
  };
  'exported.roster': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId' | 'title' | 'startedAt' | 'endedAt'> & Pick<RosterEntryEntity, 'uid' | 'name'> & { key: string[] };
  };
  'exported.sessionAddresses': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId'> & Omit<SessionAddressEntity, 'sid'> & { key: string[] };
  };
  'exported.stays': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'roomId'> & Pick<ConnectionEntity, 'uid' | 'connectionSid' | 'joinedAt' | 'leftAt'> & { key: string[] };
  };
  'leases.take': { parameters: [SqlText, SqlText, SqlTime, SqlTime]; row: object };
  'live-rooms.add': { parameters: [SqlArray<SqlText>, SqlTime]; row: object };
  'live-rooms.claimDue': { parameters: [SqlTime, SqlTime, SqlNumber]; row: Pick<RoomEntity, 'sid' | 'settings'> };
  'live-rooms.claimRetries': { parameters: [SqlTime, SqlTime, SqlNumber]; row: Pick<RoomEntity, 'sid' | 'settings'> };
  'live-rooms.expedite': { parameters: [SqlArray<SqlText>, SqlTime]; row: object };
  'live-rooms.expediteEmpty': { parameters: [SqlArray<SqlText>, SqlTime, SqlTime]; row: object };
  'media-rooms.missing': { parameters: [SqlArray<SqlText>]; row: Pick<RoomEntity, 'sid' | 'settings'> };
  'media-rooms.unwanted': { parameters: [SqlArray<SqlText>]; row: { sid: string; settings: unknown } };
  'media-rooms.wanted': { parameters: []; row: Pick<RoomEntity, 'sid' | 'settings'> };
  'old-classes.count': { parameters: [SqlText, SqlText, SqlTime, SqlTime]; row: { old: number; all: number; oldestAt: Date | null } };
  'participant-list.find': {
    parameters: [SqlText, SqlText];
    row: { uid: ParticipantEntity['uid']; name: ParticipantEntity['name']; role: ParticipantEntity['role']; photoURL: ParticipantEntity['photoUrl'] | null; removedAt: ParticipantEntity['removedAt'] | null; joinedAt: ConnectionEntity['joinedAt'] | null; leftAt: ConnectionEntity['leftAt'] | null };
  };
  'participant-list.page': {
    parameters: [SqlText, SqlText, SqlBoolean, SqlNumber];
    row: { uid: ParticipantEntity['uid']; name: ParticipantEntity['name']; role: ParticipantEntity['role']; photoURL: ParticipantEntity['photoUrl'] | null; removedAt: ParticipantEntity['removedAt'] | null; joinedAt: ConnectionEntity['joinedAt'] | null; leftAt: ConnectionEntity['leftAt'] | null };
  };
  'participant-list.studentNames': { parameters: [SqlText, SqlText]; row: Pick<ParticipantEntity, 'name'> };
  'participant-minutes.add': {
    parameters: { connectionSid: SqlArray<SqlText>; minute: SqlArray<SqlTime>; measuredMs: SqlArray<SqlNumber>; talkMs: SqlArray<SqlNumber>; cameraMs: SqlArray<SqlNumber>; reconnections: SqlArray<SqlNumber>; joinMs: SqlArray<SqlNumber>; bytesReceived: SqlArray<SqlNumber>; bytesSent: SqlArray<SqlNumber>; packetsReceived: SqlArray<SqlNumber>; packetsLost: SqlArray<SqlNumber>; packetsSent: SqlArray<SqlNumber>; sentLost: SqlArray<SqlNumber>; roundTripMs: SqlArray<SqlNumber>; bufferMs: SqlArray<SqlNumber>; freezes: SqlArray<SqlNumber>; frozenMs: SqlArray<SqlNumber>; sid: SqlText; uid: SqlText; now: SqlNumber };
    row: object;
  };
  'participant-minutes.deleteBy': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>]; row: { count: number } };
  'participant-minutes.deleteOf': { parameters: [SqlArray<SqlText>]; row: { count: number } };
  'participant-minutes.last': { parameters: [SqlText, SqlText]; row: Omit<ParticipantMinuteEntity, 'sid' | 'uid' | 'connectionSid' | 'talkMs' | 'cameraMs'> };
  'participants.admitPeople': { parameters: [SqlText, SqlArray<SqlText>]; row: object };
  'participants.admitWaiting': { parameters: [SqlText, SqlTime, SqlTime]; row: Pick<ParticipantEntity, 'uid' | 'name' | 'role'> };
  'participants.answerConsent': { parameters: [SqlText, SqlText, SqlText, SqlBoolean]; row: object };
  'participants.decideAdmission': { parameters: [SqlText, SqlText, SqlText, SqlTime]; row: object };
  'participants.findReadAccess': {
    parameters: [SqlText, SqlText];
    row: Pick<RoomEntity, 'state' | 'endReason' | 'settings' | 'isRecording'> & Pick<ParticipantEntity, 'sessionNumber' | 'removedAt' | 'role' | 'permissions' | 'consentVersion' | 'consentGranted' | 'admission' | 'waitsSince' | 'waitingSeenAt'>;
  };
  'participants.findRemovals': {
    parameters: [SqlArray<SqlText>, SqlArray<SqlText>];
    row: Pick<ParticipantEntity, 'sid' | 'uid'> & { removedAt: NonNullable<ParticipantEntity['removedAt']> };
  };
  'participants.forgetCounts': { parameters: [SqlArray<SqlText>]; row: object };
  'participants.forgetPermissions': { parameters: [SqlArray<SqlText>]; row: object };
  'participants.knock': { parameters: [SqlText, SqlText, SqlTime, SqlTime]; row: object };
  'participants.listChangedRights': {
    parameters: [SqlArray<SqlText>];
    row: Pick<ParticipantEntity, 'sid' | 'uid' | 'role' | 'consentVersion' | 'consentGranted' | 'admission' | 'permissions'> & { maySpeak: boolean };
  };
  'participants.listChangedRoles': { parameters: [SqlArray<SqlText>]; row: Pick<ParticipantEntity, 'sid' | 'uid' | 'role'> };
  'participants.listPeople': { parameters: [SqlArray<SqlText>, SqlText]; row: { sid: string; uid: string } };
  'participants.listRemovals': {
    parameters: [SqlArray<SqlText>];
    row: Pick<ParticipantEntity, 'sid' | 'uid'> & { removedAt: NonNullable<ParticipantEntity['removedAt']> };
  };
  'participants.listRights': {
    parameters: [SqlArray<SqlText>, SqlArray<SqlText>];
    row: Pick<ParticipantEntity, 'sid' | 'uid' | 'role' | 'consentVersion' | 'consentGranted' | 'admission' | 'permissions'> & { maySpeak: boolean };
  };
  'participants.listWaiting': {
    parameters: [SqlText, SqlTime, SqlNumber];
    row: Pick<ParticipantEntity, 'uid' | 'name' | 'role'> & { waitsSince: NonNullable<ParticipantEntity['waitsSince']> };
  };
  'participants.lock': {
    parameters: [SqlText, SqlText];
    row: Omit<ParticipantEntity, 'sid' | 'photoUrl' | 'handRaisedAt' | 'speaksSince' | 'allowedBy' | 'removedVersion' | 'roleChangedAt' | 'handsRaised' | 'reactionsSent'> & { photoURL: ParticipantEntity['photoUrl'] | null; maySpeak: boolean };
  };
  'participants.markRemoved': { parameters: [SqlText, SqlText, SqlTime, SqlNumber]; row: object };
  'participants.openSession': { parameters: [SqlText, SqlText, SqlNumber, SqlTime]; row: object };
  'participants.pseudonymize': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'participants.seeWaiting': { parameters: [SqlText, SqlText, SqlTime]; row: object };
  'poll-votes.add': { parameters: [SqlText, SqlText, SqlText, SqlNumber, SqlTime]; row: object };
  'poll-votes.findOwn': { parameters: [SqlText, SqlText]; row: Pick<PollVoteEntity, 'pollId' | 'option'> };
  'poll-votes.pseudonymize': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'polls.changedSince': { parameters: [SqlText, SqlNumber]; row: Omit<PollEntity, 'sid' | 'version'> & { counts: unknown } };
  'polls.deleteOf': { parameters: [SqlArray<SqlText>]; row: object };
  'polls.find': { parameters: [SqlText, SqlText]; row: Omit<PollEntity, 'sid' | 'version'> & { counts: unknown } };
  'polls.pseudonymize': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'presets.find': { parameters: [SqlText, SqlText]; row: Omit<PresetEntity, 'organizationId'> };
  'presets.set': { parameters: [SqlText, SqlText, SqlJson, SqlJson, SqlTime]; row: object };
  'reactions.since': { parameters: [SqlText, SqlNumber, SqlTime]; row: Omit<ReactionEntity, 'sid' | 'version'> };
  'room-list.finishedSince': {
    parameters: [SqlTime, SqlText, SqlTime, SqlNumber];
    row: Pick<RoomEntity, 'sid' | 'organizationId' | 'roomId' | 'title' | 'startedAt'> & { endedAt: NonNullable<RoomEntity['endedAt']>; writtenAt: Date };
  };
  'room-list.page': {
    parameters: { organizationId: SqlText; state: SqlText; createdFrom: SqlTime; createdUntil: SqlTime; afterCreatedAt: SqlTime; afterSid: SqlText; startedFrom: SqlTime; startedUntil: SqlTime; sids: SqlArray<SqlText>; limit: SqlNumber };
    row: Omit<RoomEntity, 'metadata' | 'scheduleDueAt' | 'endNoticed' | 'idempotencyKey' | 'classVersion' | 'handsVersion' | 'speakersVersion' | 'chatVersion' | 'pollsVersion' | 'reactionsVersion' | 'removalsVersion' | 'detailsVersion' | 'recordingVersion' | 'waitingVersion' | 'finishedAt'> & { teachers: string[]; totalParticipants: number };
  };
  'room-list.titles': {
    parameters: { organizationId: SqlText; state: SqlText; createdFrom: SqlTime; createdUntil: SqlTime; afterCreatedAt: SqlTime; afterSid: SqlText; startedFrom: SqlTime; startedUntil: SqlTime; limit: SqlNumber };
    row: Pick<RoomEntity, 'sid' | 'title' | 'createdAt'>;
  };
  'room-reads.classFacts': { parameters: [SqlText, SqlText]; row: Pick<RoomEntity, 'metadata'> & { teachers: string[]; mayUseAi: boolean } };
  'room-reads.find': {
    parameters: [SqlText, SqlText];
    row: Omit<RoomEntity, 'metadata' | 'scheduleDueAt' | 'endNoticed' | 'idempotencyKey' | 'classVersion' | 'handsVersion' | 'speakersVersion' | 'chatVersion' | 'pollsVersion' | 'reactionsVersion' | 'removalsVersion' | 'detailsVersion' | 'recordingVersion' | 'waitingVersion' | 'finishedAt'>;
  };
  'room-reads.findBySid': {
    parameters: [SqlText];
    row: Omit<RoomEntity, 'metadata' | 'scheduleDueAt' | 'endNoticed' | 'idempotencyKey' | 'classVersion' | 'handsVersion' | 'speakersVersion' | 'chatVersion' | 'pollsVersion' | 'reactionsVersion' | 'removalsVersion' | 'detailsVersion' | 'recordingVersion' | 'waitingVersion' | 'finishedAt'>;
  };
  'room-reads.findFinished': { parameters: [SqlText, SqlTime, SqlText, SqlTime, SqlNumber]; row: { key: RoomEntity['sid']; since: Date } };
  'room-reads.findForJoin': {
    parameters: [SqlText, SqlText, SqlText];
    row: Omit<RoomEntity, 'metadata' | 'scheduleDueAt' | 'endNoticed' | 'idempotencyKey' | 'classVersion' | 'handsVersion' | 'speakersVersion' | 'chatVersion' | 'pollsVersion' | 'reactionsVersion' | 'removalsVersion' | 'detailsVersion' | 'recordingVersion' | 'waitingVersion' | 'finishedAt'> & { stored: unknown };
  };
  'room-reads.listOpen': { parameters: [SqlText, SqlNumber]; row: Pick<RoomEntity, 'roomId'> };
  'room-recordings.findLatest': { parameters: [SqlText]; row: Pick<RoomRecordingEntity, 'egressId' | 'status' | 'isPaused'> };
  'room-recordings.save': { parameters: [SqlText, SqlText, SqlText, SqlNumber, SqlTime, SqlBoolean]; row: object };
  'room-totals.read': { parameters: [SqlTime]; row: { live: number; created: number; participants: number; overdue: number; verifiedAt: Date | null } };
  'rooms.addConnectionsMonth': { parameters: [SqlText]; row: { add_connections_month: undefined | null } };
  'rooms.admit': {
    parameters: { expiresAt: SqlTime; sid: SqlText; uid: SqlText; name: SqlText; role: SqlText; photoUrl: SqlText; ai: SqlBoolean; permissions: SqlText; ui: SqlText; at: SqlTime };
    row: object;
  };
  'rooms.bumpClassVersion': { parameters: [SqlText, SqlArray<SqlText>]; row: { version: RoomEntity['classVersion'] } };
  'rooms.changeDetails': {
    parameters: { title: SqlText; description: SqlText; customization: SqlJson; settings: SqlJson; isMetadataChanged: SqlBoolean; metadata: SqlJson; scheduleDueAt: SqlTime; dueAt: SqlTime; budgetVersion: SqlNumber; doorsClosed: SqlBoolean; sid: SqlText };
    row: Pick<RoomEntity, 'metadata'>;
  };
  'rooms.deriveRecording': { parameters: [SqlText]; row: Pick<RoomEntity, 'isRecording'> };
  'rooms.expectJoin': { parameters: [SqlText, SqlTime]; row: object };
  'rooms.finish': { parameters: [SqlText, SqlTime, SqlText, SqlTime, SqlTime]; row: object };
  'rooms.forgetDetails': { parameters: [SqlArray<SqlText>]; row: object };
  'rooms.listErasable': { parameters: [SqlText, SqlText, SqlText, SqlTime]; row: Pick<RoomEntity, 'sid'> & { isOver: boolean; isFuture: boolean } };
  'rooms.lock': {
    parameters: [SqlText, SqlText];
    row: Omit<RoomEntity, 'metadata' | 'scheduleDueAt' | 'endNoticed' | 'idempotencyKey' | 'classVersion' | 'handsVersion' | 'speakersVersion' | 'chatVersion' | 'pollsVersion' | 'reactionsVersion' | 'removalsVersion' | 'detailsVersion' | 'recordingVersion' | 'waitingVersion' | 'finishedAt'>;
  };
  'rooms.lockAllBySid': {
    parameters: [SqlArray<SqlText>];
    row: Omit<RoomEntity, 'metadata' | 'scheduleDueAt' | 'endNoticed' | 'idempotencyKey' | 'classVersion' | 'handsVersion' | 'speakersVersion' | 'chatVersion' | 'pollsVersion' | 'reactionsVersion' | 'removalsVersion' | 'detailsVersion' | 'recordingVersion' | 'waitingVersion' | 'finishedAt'>;
  };
  'rooms.lockBySid': {
    parameters: [SqlText];
    row: Omit<RoomEntity, 'metadata' | 'scheduleDueAt' | 'endNoticed' | 'idempotencyKey' | 'classVersion' | 'handsVersion' | 'speakersVersion' | 'chatVersion' | 'pollsVersion' | 'reactionsVersion' | 'removalsVersion' | 'detailsVersion' | 'recordingVersion' | 'waitingVersion' | 'finishedAt'>;
  };
  'rooms.markCreated': { parameters: [SqlText, SqlText, SqlText, SqlText, SqlText, SqlTime]; row: { id: string } };
  'rooms.recordPresence': {
    parameters: { sid: SqlArray<SqlText>; version: SqlArray<SqlNumber>; participantCount: SqlArray<SqlNumber>; hasTeacher: SqlArray<SqlBoolean>; lastLeftAt: SqlArray<SqlTime>; dueAt: SqlArray<SqlTime>; state: SqlArray<SqlText>; startedAt: SqlArray<SqlTime>; scheduleDueAt: SqlArray<SqlTime> };
    row: object;
  };
  'rooms.recordVerified': { parameters: [SqlArray<SqlText>, SqlArray<SqlTime>]; row: Pick<RoomEntity, 'sid'> };
  'rooms.recordVersion': { parameters: [SqlText, SqlNumber]; row: object };
  'rooms.reserve': {
    parameters: { sid: SqlText; organizationId: SqlText; roomId: SqlText; title: SqlText; description: SqlText; metadata: SqlJson; customization: SqlJson; settings: SqlJson; createdAt: SqlTime; dueAt: SqlTime; scheduleDueAt: SqlTime; idempotencyKey: SqlText; idempotencyHash: SqlText; tokensExpireAt: SqlTime; uid: SqlText; name: SqlText; role: SqlText; photoUrl: SqlText; ai: SqlBoolean; permissions: SqlJson; ui: SqlJson };
    row: Pick<RoomEntity, 'sid'>;
  };
  'roster.add': { parameters: [SqlText, SqlText, SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'roster.deleteFrom': { parameters: [SqlArray<SqlText>, SqlText]; row: object };
  'roster.list': { parameters: [SqlText, SqlText]; row: Pick<RosterEntryEntity, 'uid' | 'name'> };
  'session-addresses.deleteBy': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'session-addresses.deleteOf': { parameters: [SqlArray<SqlText>]; row: object };
  'session-addresses.findAtIssue': {
    parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlTime>];
    row: { connectionSid: string; address: NonNullable<SessionAddressEntity['address']> };
  };
  'session-addresses.record': { parameters: [SqlText, SqlText, SqlTime, SqlText]; row: object };
  'session-addresses.trim': { parameters: [SqlText, SqlText, SqlNumber]; row: object };
}

export const sql = statements<Statements>('room');
export const entities = [BoardDrawerEntity, BoardElementEntity, BoardPageEntity, BoardEntity, ChatMessageEntity, ChatReportEntity, ConnectionEntity, ConsentEntity, LeaseEntity, LiveRoomEntity, ParticipantMinuteEntity, ParticipantEntity, PollVoteEntity, PollEntity, PresetEntity, ReactionEntity, RoomRecordingEntity, RoomEntity, RosterEntryEntity, SessionAddressEntity];
