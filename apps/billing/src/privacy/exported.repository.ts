import { Injectable } from '@nestjs/common';
import { exportRpc, type ExportPage, type ExportPageRequest } from '@classroom/contracts';
import {
  exportPage,
  Handles,
  NOT_OF_A_PERSON,
  OF_ORGANIZATION,
  ofPerson,
  rowsOf,
  rowsOfOwners,
  type ExportedStore,
  type Holder,
} from '@classroom/messaging';
import { columnsOf, Database } from '@classroom/persistence';
import { LedgerEntryEntity } from '../schema/ledger-entry.entity.js';
import { PlanEntity } from '../schema/plan.entity.js';
import { SessionEntity } from '../schema/session.entity.js';
import { sql } from '../schema/sql.js';
import { StatementEntity } from '../schema/statement.entity.js';

const sessions = sql.planned(
  'exported.sessions',
  rowsOfOwners({
    owners: 'room_meters o',
    ownerKey: 'sid',
    ownerKeyType: 'text',
    ownerColumns: 'o.sid, o.room_id AS "roomId", o.title',
    ownerWhere: `o.organization_id = $1 AND ($3::text IS NULL OR o.room_id = $3)
      AND ($2::text IS NULL OR o.sid IN (SELECT sid FROM sessions_by_month WHERE organization_id = $1 AND uid = $2))`,
    from: 'sessions_by_month t',
    columns: columnsOf(SessionEntity, { from: 't', except: ['sid', 'organizationId', 'version', 'behind', 'month'] }),
    key: { uid: 'text', connectionSid: 'text' },
    where: `t.sid = o.sid AND ${ofPerson('t.uid')}`,
  }),
);

const classCharges = sql.planned(
  'exported.classCharges',
  rowsOf({
    from: 'room_meters t',
    columns:
      't.sid, t.room_id AS "roomId", t.title, t.started_at AS "startedAt", t.ended_at AS "endedAt", t.charged_credits AS "chargedCredits", t.settled_at AS "settledAt"',
    key: { sid: 'text' },
    where: `t.organization_id = $1 AND ${NOT_OF_A_PERSON} AND ($3::text IS NULL OR t.room_id = $3)`,
  }),
);

const ledgerEntries = sql.planned(
  'exported.ledgerEntries',
  rowsOf({
    from: 'ledger_entries t',
    columns: columnsOf(LedgerEntryEntity, { from: 't', except: ['organizationId', 'meterSequence', 'meterVersion', 'aiSequence'] }),
    key: { position: 'bigint' },
    where: `t.organization_id = $1 AND ${NOT_OF_A_PERSON} AND ($3::text IS NULL OR t.room_id = $3)`,
  }),
);

const statements = sql.planned(
  'exported.statements',
  rowsOf({
    from: 'statements t',
    columns: columnsOf(StatementEntity, { from: 't', except: ['organizationId'] }),
    key: { statementId: 'uuid' },
    where: `t.organization_id = $1 AND ${OF_ORGANIZATION}`,
  }),
);

const plans = sql.planned(
  'exported.plans',
  rowsOf({
    from: 'plans t',
    columns: columnsOf(PlanEntity, { from: 't', except: ['organizationId'] }),
    key: { updatedAt: 'timestamptz' },
    where: `t.organization_id = $1 AND ${OF_ORGANIZATION}`,
  }),
);

const STORES: ExportedStore[] = [
  { name: 'sessions', statement: sessions },
  { name: 'class-charges', statement: classCharges },
  { name: 'ledger-entries', statement: ledgerEntries },
  { name: 'statements', statement: statements },
  { name: 'plans', statement: plans },
];

/** Reads what an export contains of this service. */
@Injectable()
export class ExportedRepository {
  constructor(private readonly database: Database) {}

  @Handles(exportRpc.billing)
  page(request: ExportPageRequest): Promise<ExportPage> {
    return exportPage(this.database, STORES, request);
  }
}

const find = sql.planned(
  'settled-classes.find',
  `SELECT sid AS key, settled_at AS "since!" FROM room_meters
    WHERE organization_id = $1 AND (settled_at, sid) > ($2, $3) AND settled_at <= $4 ORDER BY settled_at, sid LIMIT $5`,
);

@Injectable()
export class SettledClassesRepository {
  constructor(private readonly database: Database) {}

  /** Classes whose charges are final, after a position and up to a time, in the order in which they were settled. */
  find(organizationId: string, after: Holder, before: Date, limit: number): Promise<Holder[]> {
    return this.database.run(find, organizationId, after.since, after.key, before, limit);
  }
}
