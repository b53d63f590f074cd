import { Injectable } from '@nestjs/common';
import { erasureRpc, namedBy, type ErasureOutcome, type ErasureRequest, type PersonOrClass } from '@classroom/contracts';
import { applyErasure, Handles } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { MetersRepository } from '../metering/meters.repository.js';
import { SessionsRepository } from '../metering/sessions.repository.js';
import { StaleCopiesRepository } from '../reports/stale-copies.repository.js';
import { EraseOrganizationSessions } from './erase-organization-sessions.js';
import { FactsProgress } from './facts-progress.js';

/** Removes people from the sessions of classes whose charges are final, when all facts about these classes are read. Times and charges stay. */
@Injectable()
export class EraseFromSessions {
  constructor(
    private readonly erasure: EraseOrganizationSessions,
    private readonly database: Database,
    private readonly meters: MetersRepository,
    private readonly sessions: SessionsRepository,
    private readonly stale: StaleCopiesRepository,
    private readonly facts: FactsProgress,
  ) {}

  @Handles(erasureRpc.billing)
  async execute(request: ErasureRequest): Promise<ErasureOutcome> {
    const { organizationId, subject, readThrough } = request;
    if ('organization' in subject) return this.erasure.execute(request);
    if (!(await this.facts.areReadThrough(readThrough))) return { isComplete: false, counts: {} };
    return applyErasure(this.database, request, (tx) => this.erase(tx, organizationId, subject));
  }

  private async erase(tx: Transaction, organizationId: string, subject: PersonOrClass): Promise<ErasureOutcome> {
    const { uid, roomId } = namedBy(subject);
    const classes = await this.meters.listErasable(tx, organizationId, uid, roomId);
    const sids = classes.filter(({ isOver }) => isOver).map(({ sid }) => sid);
    const counts = {
      sessions: await this.sessions.erase(tx, organizationId, sids, uid),
      'class titles': uid === null ? await this.meters.forgetTitles(tx, sids) : 0,
    };
    if (counts.sessions > 0) await this.stale.add(tx, organizationId, sids);
    return { isComplete: sids.length === classes.length && !(await this.stale.hasAny(tx, organizationId)), counts };
  }
}
