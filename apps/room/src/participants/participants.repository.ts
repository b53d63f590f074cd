import { Injectable } from '@nestjs/common';
import type { Admission, Role } from '@classroom/contracts';
import { arraysOf, Database, type RowOf, type Transaction } from '@classroom/persistence';
import { IsNull, Not } from 'typeorm';
import { ParticipantEntity } from '../schema/participant.entity.js';
import { sql } from '../schema/sql.js';

/** The pseudonym of a person in one class. */
export interface Pseudonym {
  sid: string;
  uid: string;
  alias: string;
}

const RIGHTS = `sid, uid, role, speaks_since IS NOT NULL AS "maySpeak!", consent_version AS "consentVersion", consent_granted AS "consentGranted",
  admission, permissions`;

const lock = sql(
  'participants.lock',
  `SELECT uid, name, role, photo_url AS "photoURL", session_number AS "sessionNumber",
          session_opened_at AS "sessionOpenedAt", removed_at AS "removedAt",
          speaks_since IS NOT NULL AS "maySpeak!", permissions, ui, may_use_ai AS "mayUseAi",
          consent_version AS "consentVersion", consent_granted AS "consentGranted",
          admission, waits_since AS "waitsSince", waiting_seen_at AS "waitingSeenAt"
     FROM participants WHERE sid = $1 AND uid = $2 FOR UPDATE`,
);

const findReadAccess = sql(
  'participants.findReadAccess',
  `SELECT r.state, r.end_reason AS "endReason", p.session_number AS "sessionNumber", p.removed_at AS "removedAt", p.role,
          r.settings, r.is_recording AS "isRecording", p.permissions,
          p.consent_version AS "consentVersion", p.consent_granted AS "consentGranted",
          p.admission, p.waits_since AS "waitsSince", p.waiting_seen_at AS "waitingSeenAt"
     FROM rooms r JOIN participants p USING (sid) WHERE r.sid = $1 AND p.uid = $2 AND r.state <> 'creating'`,
);

const findRemovals = sql(
  'participants.findRemovals',
  `SELECT sid, uid, removed_at AS "removedAt!" FROM participants
    WHERE (sid, uid) IN (SELECT * FROM unnest($1::text[], $2::text[])) AND removed_at IS NOT NULL`,
);

const listRemovals = sql(
  'participants.listRemovals',
  `SELECT sid, uid, removed_at AS "removedAt!" FROM participants WHERE sid = ANY($1::text[]) AND removed_at IS NOT NULL`,
);

const listChangedRights = sql(
  'participants.listChangedRights',
  `SELECT ${RIGHTS} FROM participants WHERE sid = ANY($1::text[])
    AND (speaks_since IS NOT NULL OR role_changed_at IS NOT NULL OR permissions IS NOT NULL)`,
);

const listChangedRoles = sql(
  'participants.listChangedRoles',
  'SELECT sid, uid, role FROM participants WHERE sid = ANY($1::text[]) AND role_changed_at IS NOT NULL',
);

const listRights = sql(
  'participants.listRights',
  `SELECT ${RIGHTS} FROM participants WHERE (sid, uid) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
);

const answerConsent = sql(
  'participants.answerConsent',
  'UPDATE participants SET consent_version = $3, consent_granted = $4 WHERE sid = $1 AND uid = $2',
);

const knock = sql(
  'participants.knock',
  `UPDATE participants SET admission = 'WAITING', waits_since = $3, waiting_seen_at = $4 WHERE sid = $1 AND uid = $2`,
);

const seeWaiting = sql(
  'participants.seeWaiting',
  `UPDATE participants SET waiting_seen_at = $3 WHERE sid = $1 AND uid = $2 AND admission = 'WAITING'`,
);

/** The session of who is admitted continues, however long they waited. */
const decideAdmission = sql(
  'participants.decideAdmission',
  'UPDATE participants SET admission = $3, waits_since = NULL, session_opened_at = $4 WHERE sid = $1 AND uid = $2',
);

const admitWaiting = sql(
  'participants.admitWaiting',
  `UPDATE participants SET admission = 'ADMITTED', waits_since = NULL, session_opened_at = $2
    WHERE sid = $1 AND admission = 'WAITING' AND waiting_seen_at > $3 RETURNING uid, name, role`,
);

const admitPeople = sql(
  'participants.admitPeople',
  `UPDATE participants SET admission = 'ADMITTED' WHERE sid = $1 AND uid = ANY($2::text[])`,
);

const listWaiting = sql(
  'participants.listWaiting',
  `SELECT uid, name, role, waits_since AS "waitsSince!" FROM participants
    WHERE sid = $1 AND admission = 'WAITING' AND waiting_seen_at > $2 ORDER BY waits_since, uid LIMIT $3`,
);

const openSession = sql(
  'participants.openSession',
  'UPDATE participants SET session_number = $3, session_opened_at = $4 WHERE sid = $1 AND uid = $2',
);

const markRemoved = sql(
  'participants.markRemoved',
  `UPDATE participants SET removed_at = $3, removed_version = $4, session_number = session_number + 1,
          hand_raised_at = NULL, speaks_since = NULL, allowed_by = NULL, admission = NULL, waits_since = NULL, waiting_seen_at = NULL
    WHERE sid = $1 AND uid = $2`,
);

/**
 * Participants are locked, so that they keep their uid until the transaction ends. Who entered with a LiveKit token of the school's own has connections
 * only.
 */
const listPeople = sql.planned(
  'participants.listPeople',
  `WITH known AS (SELECT sid, uid FROM participants WHERE sid = ANY($1::text[]) AND ($2::text IS NULL OR uid = $2) ORDER BY sid, uid FOR UPDATE)
   SELECT sid AS "sid!", uid AS "uid!" FROM known
    UNION SELECT c.sid, c.uid FROM connections_by_month c JOIN rooms r USING (sid)
           WHERE c.sid = ANY($1) AND c.month = connection_month(r.created_at) AND ($2::text IS NULL OR c.uid = $2)
    ORDER BY 1, 2`,
);

const forgetCounts = sql.planned(
  'participants.forgetCounts',
  `UPDATE participants SET hands_raised = 0, reactions_sent = 0
    WHERE sid = ANY($1) AND (hands_raised > 0 OR reactions_sent > 0) RETURNING 1`,
);

const pseudonymize = sql.planned(
  'participants.pseudonymize',
  `UPDATE participants t SET uid = p.alias, name = '', photo_url = NULL, hands_raised = 0, reactions_sent = 0 FROM unnest($1::text[], $2::text[], $3::text[]) AS p(sid, uid, alias)
    WHERE t.sid = p.sid AND t.uid = p.uid`,
);

/** In a class that is over, only the name of who allowed it remains of a permission to speak. */
const forgetPermissions = sql.planned(
  'participants.forgetPermissions',
  'UPDATE participants SET speaks_since = NULL, allowed_by = NULL WHERE sid = ANY($1) AND allowed_by IS NOT NULL',
);

/** A locked participant. `maySpeak`: a student who currently has permission to use the microphone. */
export type Participant = RowOf<typeof lock>;

/** What decides whether a participant may read. */
export type ReadAccess = RowOf<typeof findReadAccess>;

/** Participants of a room. `RoomsRepository` writes the holder of a token together with the room; everything else is written here. */
@Injectable()
export class ParticipantsRepository {
  constructor(private readonly database: Database) {}

  async lock(tx: Transaction, sid: string, uid: string): Promise<Participant | undefined> {
    return tx.first(lock, sid, uid);
  }

  /** The columns that decide whether a participant may read. Locks nothing. */
  async findReadAccess(sid: string, uid: string): Promise<ReadAccess | undefined> {
    return this.database.first(findReadAccess, sid, uid);
  }

  /** Those of the participants who were removed, and when. */
  findRemovals(tx: Transaction, participants: readonly { sid: string; uid: string }[]): Promise<RowOf<typeof findRemovals>[]> {
    return tx.run(findRemovals, ...arraysOf(participants, 'sid', 'uid'));
  }

  listRemovals(tx: Transaction, sids: readonly string[]): Promise<RowOf<typeof listRemovals>[]> {
    return tx.run(listRemovals, sids);
  }

  /** Participants of the rooms whose token may not state their rights: they have permission to speak, a changed role, or permissions of their own. */
  listChangedRights(sids: readonly string[]): Promise<RowOf<typeof listChangedRights>[]> {
    return this.database.run(listChangedRights, sids);
  }

  /** The rights of these participants. */
  listRights(participants: readonly { sid: string; uid: string }[]): Promise<RowOf<typeof listRights>[]> {
    return this.database.run(listRights, ...arraysOf(participants, 'sid', 'uid'));
  }

  /** By room, the roles by uid of the participants whose role was changed, which their token may not state. */
  async listChangedRoles(tx: Transaction, sids: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, Role>>> {
    const rooms = Map.groupBy(await tx.run(listChangedRoles, sids), ({ sid }) => sid);
    return new Map([...rooms].map(([sid, rows]) => [sid, new Map(rows.map(({ uid, role }) => [uid, role]))]));
  }

  /** The latest answer to a question for consent. */
  async answerConsent(tx: Transaction, sid: string, uid: string, version: string, granted: boolean): Promise<void> {
    await tx.run(answerConsent, sid, uid, version, granted);
  }

  /** The participant is in the waiting room since `since`; the page was there at `seenAt`. */
  async knock(tx: Transaction, sid: string, uid: string, since: Date, seenAt: Date): Promise<void> {
    await tx.run(knock, sid, uid, since, seenAt);
  }

  /** The page of a waiting participant asked at `at`. */
  async seeWaiting(sid: string, uid: string, at: Date): Promise<void> {
    await this.database.run(seeWaiting, sid, uid, at);
  }

  async decideAdmission(tx: Transaction, sid: string, uid: string, admission: Exclude<Admission, 'WAITING'>, at: Date): Promise<void> {
    await tx.run(decideAdmission, sid, uid, admission, at);
  }

  /** Admits everyone whose page asked after `seenAfter`. @returns who they are */
  admitWaiting(tx: Transaction, sid: string, at: Date, seenAfter: Date): Promise<RowOf<typeof admitWaiting>[]> {
    return tx.run(admitWaiting, sid, at, seenAfter);
  }

  /** Those participants need no decision any more. */
  async admitPeople(tx: Transaction, sid: string, uids: readonly string[]): Promise<void> {
    await tx.run(admitPeople, sid, uids);
  }

  /** Who waits, and whose page asked after `seenAfter`, the longest waiting first. */
  listWaiting(sid: string, seenAfter: Date, limit: number): Promise<RowOf<typeof listWaiting>[]> {
    return this.database.run(listWaiting, sid, seenAfter, limit);
  }

  /** Records the session that a page opened, which replaces the session of an older page. */
  async openSession(tx: Transaction, sid: string, uid: string, sessionNumber: number, at: Date): Promise<void> {
    await tx.run(openSession, sid, uid, sessionNumber, at);
  }

  /** `version` is the class version by which the connected participants learn of the removal. */
  async markRemoved(tx: Transaction, sid: string, uid: string, at: Date, version: number): Promise<void> {
    await tx.run(markRemoved, sid, uid, at, version);
  }

  /** Everyone for whom a token was made in these classes. */
  listPeople(tx: Transaction, sids: readonly string[], uid: string | null = null): Promise<RowOf<typeof listPeople>[]> {
    return tx.run(listPeople, sids, uid);
  }

  /** Only for classes that are over: permissions to speak in them are removed as well. */
  async pseudonymize(tx: Transaction, people: readonly Pseudonym[]): Promise<void> {
    await tx.run(pseudonymize, ...arraysOf(people, 'sid', 'uid', 'alias'));
    await tx.run(forgetPermissions, [...new Set(people.map(({ sid }) => sid))]);
  }

  /** Also revokes permission to speak. */
  async changeRole(tx: Transaction, sid: string, uid: string, role: Role, roleChangedAt: Date): Promise<void> {
    await tx.manager.update(ParticipantEntity, { sid, uid }, { role, roleChangedAt, speaksSince: null, allowedBy: null });
  }

  /** Also lowers the participant's hand. */
  async allowToSpeak(tx: Transaction, sid: string, uid: string, allowedBy: string, speaksSince: Date): Promise<void> {
    await tx.manager.update(ParticipantEntity, { sid, uid }, { speaksSince, allowedBy, handRaisedAt: null });
  }

  async forbidToSpeak(tx: Transaction, sid: string, uid: string): Promise<void> {
    await tx.manager.update(ParticipantEntity, { sid, uid }, { speaksSince: null, allowedBy: null });
  }

  /** Counts it. @returns false if it is already raised */
  async raiseHand(tx: Transaction, sid: string, uid: string, handRaisedAt: Date): Promise<boolean> {
    const raised = { handRaisedAt, handsRaised: () => 'hands_raised + 1' };
    const { affected } = await tx.manager.update(ParticipantEntity, { sid, uid, handRaisedAt: IsNull() }, raised);
    return affected === 1;
  }

  async countReaction(tx: Transaction, sid: string, uid: string): Promise<void> {
    await tx.manager.increment(ParticipantEntity, { sid, uid }, 'reactionsSent', 1);
  }

  /** Forgets how often people of these classes raised a hand or sent a reaction. @returns of how many */
  async forgetCounts(tx: Transaction, sids: readonly string[]): Promise<number> {
    return (await tx.run(forgetCounts, sids)).length;
  }

  /** @returns false if it is not raised */
  async lowerHand(tx: Transaction, sid: string, uid: string): Promise<boolean> {
    const { affected } = await tx.manager.update(ParticipantEntity, { sid, uid, handRaisedAt: Not(IsNull()) }, { handRaisedAt: null });
    return affected === 1;
  }

  /** @returns false if none is raised */
  async lowerHands(tx: Transaction, sid: string): Promise<boolean> {
    const { affected } = await tx.manager.update(ParticipantEntity, { sid, handRaisedAt: Not(IsNull()) }, { handRaisedAt: null });
    return affected !== 0;
  }
}
