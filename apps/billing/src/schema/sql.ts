// Written by `npm run generate -- sql` from the statements and the tables: do not edit.
import { statements, type SqlArray, type SqlBoolean, type SqlDecimal, type SqlNumber, type SqlText, type SqlTime } from '@classroom/persistence/sql';
import { AccountEntity } from './account.entity.js';
import { AiMeterEntity } from './ai-meter.entity.js';
import { AiUsageEntity } from './ai-usage.entity.js';
import { BudgetWarningEntity } from './budget-warning.entity.js';
import { CycleSumsEntity } from './cycle-sums.entity.js';
import { FinishedRoomEntity } from './finished-room.entity.js';
import { LedgerAuditEntity } from './ledger-audit.entity.js';
import { LedgerCheckpointEntity } from './ledger-checkpoint.entity.js';
import { LedgerDifferenceEntity } from './ledger-difference.entity.js';
import { LedgerEntryEntity } from './ledger-entry.entity.js';
import { PlanEntity } from './plan.entity.js';
import { RoomMeterEntity } from './room-meter.entity.js';
import { SessionEntity } from './session.entity.js';
import { StaleCopyEntity } from './stale-copy.entity.js';
import { StatementEntity } from './statement.entity.js';

/** Parameters and rows as Postgres describes them. */
interface Statements {
  'accounts.find': { parameters: [SqlText]; row: AccountEntity };
  'accounts.findClosing': { parameters: [SqlArray<SqlText>, SqlTime]; row: Pick<AccountEntity, 'accountId'> };
  'accounts.findOpenCycle': { parameters: [SqlText]; row: { cycleEnd: NonNullable<AccountEntity['cycleEnd']>; closesAt: Date } };
  'accounts.lock': { parameters: [SqlText]; row: AccountEntity };
  'accounts.lockBalance': { parameters: [SqlText]; row: AccountEntity };
  'accounts.lockBalances': { parameters: [SqlArray<SqlText>]; row: AccountEntity };
  'accounts.lockById': { parameters: [SqlText]; row: AccountEntity };
  'accounts.lockOrganization': { parameters: [SqlText]; row: { pg_advisory_xact_lock: undefined | null } };
  'accounts.lockPlans': {
    parameters: [SqlArray<SqlText>];
    row: Pick<AccountEntity, 'accountId' | 'organizationId' | 'cycleEnd'> & { set_config: string | null };
  };
  'accounts.saveBalances': {
    parameters: [SqlArray<SqlText>, SqlArray<SqlNumber>, SqlArray<SqlNumber>, SqlArray<SqlNumber>, SqlArray<SqlBoolean>];
    row: object;
  };
  'accounts.savePlan': {
    parameters: { organizationId: SqlText; accountId: SqlText; billingType: SqlText; creditRate: SqlDecimal; currency: SqlText; billingFrequency: SqlText; cycleAnchor: SqlTime; cycleStart: SqlTime; cycleEnd: SqlTime; cycleCredits: SqlNumber; isLow: SqlBoolean; planUpdatedAt: SqlTime };
    row: object;
  };
  'ai-meters.add': {
    parameters: [SqlText, SqlDecimal];
    row: Pick<AiMeterEntity, 'used' | 'sequence'> & { due: number; charged: AiMeterEntity['chargedCredits'] };
  };
  'ai-meters.recordCharged': { parameters: [SqlText, SqlNumber]; row: object };
  'ai-usages.list': {
    parameters: [SqlText, SqlNumber, SqlDecimal, SqlNumber];
    row: Omit<AiUsageEntity, 'organizationId' | 'aiSequence' | 'sid'> & { roomId: string | null };
  };
  'ai-usages.sum': { parameters: [SqlText, SqlNumber]; row: { credits: number | null; isComplete: boolean | null } };
  'audit.acquireLease': { parameters: [SqlText, SqlTime, SqlTime]; row: { held: number | null } };
  'audit.filterSettled': { parameters: [SqlArray<SqlText>]; row: Pick<RoomMeterEntity, 'sid'> };
  'audit.findUnsettledSince': { parameters: []; row: { since: Date | null } };
  'audit.listSettledSince': { parameters: [SqlTime, SqlNumber]; row: Pick<RoomMeterEntity, 'sid'> & { settledAt: NonNullable<RoomMeterEntity['settledAt']> } };
  'audit.readBatch': { parameters: [SqlText, SqlNumber]; row: { entries: number; position: number; balance: number; sids: string[]; difference: number } };
  'audit.roomDifference': { parameters: [SqlText]; row: { difference: number } };
  'audit.saveCheckpoint': { parameters: [SqlText, SqlNumber, SqlNumber]; row: object };
  'audit.saveDifference': { parameters: [SqlText, SqlText, SqlNumber, SqlTime]; row: object };
  'audit.saveUnreadable': { parameters: [SqlText, SqlText, SqlTime]; row: object };
  'backfill.readSessions': {
    parameters: [SqlText];
    row: Pick<SessionEntity, 'uid' | 'sid' | 'name' | 'role' | 'ip' | 'version'> & { organization_id: SessionEntity['organizationId']; connection_sid: SessionEntity['connectionSid']; joined_at: string; left_at: string | null };
  };
  'backfill.readSessionsOf': {
    parameters: [SqlArray<SqlText>];
    row: Pick<SessionEntity, 'uid' | 'sid' | 'name' | 'role' | 'ip' | 'version'> & { organization_id: SessionEntity['organizationId']; connection_sid: SessionEntity['connectionSid']; joined_at: string; left_at: string | null };
  };
  'budget-warnings.add': {
    parameters: [SqlArray<SqlText>, SqlTime, SqlArray<SqlNumber>];
    row: Pick<RoomMeterEntity, 'organizationId' | 'sid' | 'roomId' | 'budget'> & Pick<BudgetWarningEntity, 'percent' | 'budgetVersion' | 'isRepeated'> & { credits: RoomMeterEntity['chargedCredits'] };
  };
  'budget-warnings.forgetNotReached': { parameters: [SqlArray<SqlText>]; row: object };
  'catch-up.findStale': {
    parameters: [SqlTime, SqlTime, SqlText, SqlNumber];
    row: Pick<RoomMeterEntity, 'sid' | 'organizationId' | 'roomId'> & { verifiedAt: Date };
  };
  'cycle-sums.advance': {
    parameters: [SqlText, SqlTime, SqlNumber];
    row: { credits: CycleSumsEntity['credits']; amount: CycleSumsEntity['amount']; entries: number };
  };
  'cycle-sums.isBegun': { parameters: [SqlText, SqlTime]; row: object };
  'due-accounts.findDue': { parameters: [SqlTime, SqlTime]; row: { organizationId: string; accountId: AccountEntity['accountId'] | null } };
  'due-accounts.findEarliestDue': { parameters: []; row: { dueAt: Date | null } };
  'due-meters.lockDue': {
    parameters: [SqlArray<SqlText>, SqlArray<SqlTime>, SqlTime, SqlNumber];
    row: Pick<RoomMeterEntity, 'sid' | 'trace'> & { organizationId: string; through: Date | null; hasBudget: boolean };
  };
  'due-meters.lockUnsettled': { parameters: [SqlText, SqlTime, SqlTime, SqlText]; row: Pick<RoomMeterEntity, 'sid'> & { startedAt: string } };
  'due-meters.read': {
    parameters: [SqlArray<SqlText>, SqlArray<SqlTime>];
    row: Pick<RoomMeterEntity, 'sid' | 'organizationId' | 'roomId' | 'chargedCredits' | 'sequence' | 'lastEntryId' | 'foldedVersion' | 'finalVersion' | 'finalConnections' | 'finalVersionSum'> & { isFinished: boolean; isSettled: boolean; isPartial: boolean; hasOpen: boolean; seconds: number; connections: number; versionSum: number; chargedThrough: Date | null };
  };
  'exported.classCharges': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomMeterEntity, 'sid' | 'roomId' | 'title' | 'startedAt' | 'endedAt' | 'chargedCredits' | 'settledAt'> & { key: string[] };
  };
  'exported.ledgerEntries': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Omit<LedgerEntryEntity, 'organizationId' | 'meterSequence' | 'meterVersion' | 'aiSequence'> & { key: string[] };
  };
  'exported.plans': { parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber]; row: Omit<PlanEntity, 'organizationId'> & { key: string[] } };
  'exported.sessions': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Pick<RoomMeterEntity, 'sid' | 'roomId' | 'title'> & Omit<SessionEntity, 'sid' | 'organizationId' | 'version' | 'behind' | 'month'> & { key: string[] };
  };
  'exported.statements': {
    parameters: [SqlText, SqlText, SqlText, SqlArray<SqlText>, SqlNumber];
    row: Omit<StatementEntity, 'organizationId'> & { key: string[] };
  };
  'finished-rooms.advance': { parameters: [SqlTime]; row: object };
  'finished-rooms.filterUnfinished': { parameters: [SqlArray<SqlText>]; row: { sid: string; isMetered: boolean } };
  'ledger.forgetRooms': { parameters: [SqlText, SqlArray<SqlText>]; row: { changed: number } };
  'ledger.insert': {
    parameters: { recordedAt: SqlTime; organizationId: SqlArray<SqlText>; creditRate: SqlArray<SqlDecimal>; currency: SqlArray<SqlText>; cycleStart: SqlArray<SqlTime>; entryId: SqlArray<SqlText>; kind: SqlArray<SqlText>; debitAccount: SqlArray<SqlText>; creditAccount: SqlArray<SqlText>; credits: SqlArray<SqlNumber>; reference: SqlArray<SqlText>; note: SqlArray<SqlText>; sid: SqlArray<SqlText>; roomId: SqlArray<SqlText>; sequence: SqlArray<SqlNumber>; meterVersion: SqlArray<SqlNumber>; totalSeconds: SqlArray<SqlNumber>; chargedThrough: SqlArray<SqlTime>; correctsEntryId: SqlArray<SqlText>; aiSequence: SqlArray<SqlNumber>; settles: SqlArray<SqlText> };
    row: object;
  };
  'ledger.page': { parameters: [SqlText, SqlNumber, SqlText, SqlText, SqlNumber]; row: LedgerEntryEntity & { roomTitle: string | null } };
  'ledger.sumAiChargedBefore': { parameters: [SqlText, SqlNumber]; row: { credits: number } };
  'ledger.sumChargedBefore': { parameters: [SqlText, SqlText, SqlNumber]; row: { credits: number } };
  'meters.advanceVersions': { parameters: [SqlArray<SqlText>, SqlArray<SqlNumber>, SqlArray<SqlTime>, SqlTime, SqlTime]; row: object };
  'meters.findFinalVersion': { parameters: [SqlText]; row: Pick<RoomMeterEntity, 'finalVersion'> };
  'meters.forgetRooms': { parameters: [SqlText, SqlArray<SqlText>]; row: object };
  'meters.forgetTitles': { parameters: [SqlArray<SqlText>]; row: object };
  'meters.hasUnsettled': { parameters: [SqlText]; row: object };
  'meters.insert': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlText>]; row: Pick<RoomMeterEntity, 'sid'> };
  'meters.listErasable': { parameters: [SqlText, SqlText, SqlText]; row: Pick<RoomMeterEntity, 'sid'> & { isOver: boolean } };
  'meters.listNamed': { parameters: [SqlText, SqlNumber]; row: Pick<RoomMeterEntity, 'sid'> };
  'meters.lock': { parameters: [SqlArray<SqlText>]; row: Pick<RoomMeterEntity, 'sid'> };
  'meters.markEnded': { parameters: [SqlText, SqlTime, SqlTime, SqlTime]; row: object };
  'meters.recordCheckpoints': { parameters: [SqlArray<SqlText>, SqlArray<SqlTime>, SqlArray<SqlText>, SqlTime]; row: object };
  'meters.recordCorrection': {
    parameters: { connections: SqlNumber; versionSum: SqlNumber; lastVersion: SqlNumber; now: SqlTime; endedAt: SqlTime; sid: SqlText };
    row: object;
  };
  'meters.recordFetchedTotals': { parameters: [SqlText, SqlNumber, SqlNumber, SqlTime, SqlNumber]; row: object };
  'meters.recordTotals': {
    parameters: { lastVersion: SqlNumber; connections: SqlNumber; versionSum: SqlNumber; endedAt: SqlTime; startedAt: SqlTime; now: SqlTime; trace: SqlText; sid: SqlText };
    row: object;
  };
  'meters.saveCharges': {
    parameters: [SqlArray<SqlText>, SqlArray<SqlNumber>, SqlArray<SqlNumber>, SqlArray<SqlText>, SqlArray<SqlTime>, SqlArray<SqlTime>];
    row: object;
  };
  'meters.setBudgets': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlNumber>, SqlTime]; row: Pick<RoomMeterEntity, 'sid'> };
  'meters.setTitles': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>]; row: object };
  'plans.add': {
    parameters: { organizationId: SqlText; updatedAt: SqlTime; billingType: SqlText; openingCredits: SqlNumber; creditRate: SqlDecimal; currency: SqlText; balance: SqlNumber; isOpened: SqlBoolean };
    row: object;
  };
  'postgres-sessions.groups': {
    parameters: { now: SqlTime; organizationId: SqlText; uid: SqlText; from: SqlTime; to: SqlTime; sid: SqlText; limit: SqlNumber; offset: SqlNumber };
    row: Pick<SessionEntity, 'sid'> & Pick<RoomMeterEntity, 'roomId' | 'title'> & { sessions: number; seconds: number };
  };
  'postgres-sessions.listAttendees': {
    parameters: [SqlText, SqlTime, SqlText, SqlNumber];
    row: Pick<SessionEntity, 'uid'> & { name: string; role: string; firstJoinedAt: Date; lastLeftAt: Date | null; seconds: number; sessions: number; joins: number[]; leaves: number[] };
  };
  'postgres-sessions.newestByRoom': {
    parameters: { sids: SqlArray<SqlText>; now: SqlTime; organizationId: SqlText; uid: SqlText; from: SqlTime; to: SqlTime; sid: SqlText; each: SqlNumber };
    row: Pick<SessionEntity, 'sid' | 'connectionSid' | 'joinedAt' | 'leftAt' | 'ip' | 'openedBy' | 'closedBy'> & { seconds: number };
  };
  'postgres-sessions.page': {
    parameters: { now: SqlTime; organizationId: SqlText; uid: SqlText; from: SqlTime; to: SqlTime; sid: SqlText; limit: SqlNumber; offset: SqlNumber };
    row: Pick<SessionEntity, 'sid' | 'connectionSid' | 'joinedAt' | 'leftAt' | 'ip' | 'openedBy' | 'closedBy'> & { seconds: number };
  };
  'postgres-sessions.readChunk': {
    parameters: [SqlText, SqlText, SqlTime, SqlNumber, SqlText, SqlText];
    row: { sids: string | null; joinedAt: string | null; leftAt: string | null; ips: string | null; count: number; lastJoinedAt: number | null; lastConnectionSid: string | null };
  };
  'postgres-sessions.totals': {
    parameters: { now: SqlTime; organizationId: SqlText; uid: SqlText; from: SqlTime; to: SqlTime; sid: SqlText };
    row: { sessions: number; rooms: number; seconds: number };
  };
  'rooms.findEvidence': { parameters: [SqlText, SqlArray<SqlText>, SqlTime, SqlTime]; row: Pick<SessionEntity, 'connectionSid' | 'openedBy' | 'closedBy'> };
  'rooms.findRooms': { parameters: [SqlArray<SqlText>]; row: Pick<RoomMeterEntity, 'sid' | 'roomId' | 'title'> };
  'sessions.addMonth': { parameters: [SqlText]; row: { add_sessions_month: undefined | null } };
  'sessions.clearAddresses': { parameters: [SqlText, SqlArray<SqlText>]; row: object };
  'sessions.countOpen': { parameters: [SqlText]; row: { open: number } };
  'sessions.erase': { parameters: [SqlText, SqlArray<SqlText>, SqlText]; row: object };
  'sessions.listThrough': {
    parameters: [SqlText, SqlTime, SqlTime, SqlText, SqlNumber];
    row: Pick<SessionEntity, 'connectionSid' | 'uid' | 'joinedAt' | 'leftAt' | 'openedBy' | 'closedBy'> & { seconds: number };
  };
  'sessions.pseudonymize': { parameters: [SqlText, SqlArray<SqlText>]; row: object };
  'sessions.sumSecondsThrough': { parameters: [SqlText, SqlTime]; row: { seconds: number } };
  'sessions.upsert': {
    parameters: { connectionSid: SqlArray<SqlText>; sid: SqlArray<SqlText>; organizationId: SqlArray<SqlText>; uid: SqlArray<SqlText>; name: SqlArray<SqlText>; role: SqlArray<SqlText>; ip: SqlArray<SqlText>; joinedAt: SqlArray<SqlTime>; leftAt: SqlArray<SqlTime>; openedBy: SqlArray<SqlText>; closedBy: SqlArray<SqlText>; version: SqlArray<SqlNumber> };
    row: object;
  };
  'settled-classes.find': {
    parameters: [SqlText, SqlTime, SqlText, SqlTime, SqlNumber];
    row: { key: RoomMeterEntity['sid']; since: NonNullable<RoomMeterEntity['settledAt']> };
  };
  'stale-copies.add': { parameters: [SqlText, SqlArray<SqlText>]; row: object };
  'stale-copies.hasAny': { parameters: [SqlText]; row: object };
  'stale-copies.oldest': { parameters: [SqlNumber]; row: StaleCopyEntity };
  'stale-copies.remove': { parameters: [SqlArray<SqlText>, SqlArray<SqlText>, SqlArray<SqlNumber>]; row: object };
  'statement-parts.sumClasses': {
    parameters: [SqlText, SqlTime, SqlNumber];
    row: Pick<RoomMeterEntity, 'roomId' | 'title' | 'startedAt'> & { credits: number; amount: string; allClasses: number; allCredits: number; allAmount: string };
  };
  'statement-parts.sumKinds': { parameters: [SqlText, SqlTime]; row: Pick<LedgerEntryEntity, 'kind'> & { credits: number; amount: string } };
  'statements.findLastEnd': { parameters: [SqlText]; row: { end: Date | null } };
  'usage.listClasses': {
    parameters: [SqlText, SqlTime, SqlTime, SqlNumber];
    row: Pick<RoomMeterEntity, 'roomId' | 'title' | 'endedAt'> & { startedAt: NonNullable<RoomMeterEntity['startedAt']>; credits: RoomMeterEntity['chargedCredits'] };
  };
  'usage.sumDays': { parameters: [SqlText, SqlTime, SqlTime]; row: { day: string; classes: number; credits: number } };
}

export const sql = statements<Statements>('billing');
export const entities = [AccountEntity, AiMeterEntity, AiUsageEntity, BudgetWarningEntity, CycleSumsEntity, FinishedRoomEntity, LedgerAuditEntity, LedgerCheckpointEntity, LedgerDifferenceEntity, LedgerEntryEntity, PlanEntity, RoomMeterEntity, SessionEntity, StaleCopyEntity, StatementEntity];
