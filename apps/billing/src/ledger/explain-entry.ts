import { Injectable } from '@nestjs/common';
import { AppError, type billingRpc, type RpcOutput } from '@classroom/contracts';
import { SessionsRepository } from '../metering/sessions.repository.js';
import { creditsOf } from '../metering/charge.js';
import { signedCredits, toLedgerEntry } from './entry.row.js';
import { LedgerRepository } from './ledger.repository.js';

/** A charge computed again from the sessions behind it, as they are known now. */
@Injectable()
export class ExplainEntry {
  constructor(
    private readonly ledger: LedgerRepository,
    private readonly sessions: SessionsRepository,
  ) {}

  /** @throws AppError NOT_FOUND where the organization has no such entry, or it is no room's */
  async execute(organizationId: string, entryId: string): Promise<RpcOutput<typeof billingRpc.explain>> {
    const entry = await this.ledger.find(organizationId, entryId);
    if (!entry?.sid) throw new AppError('NOT_FOUND', { message: 'There is no such charge' });
    const sessions = await this.sessions.through(entry.sid, entry.chargedThrough);
    const totalSeconds = sessions.reduce((sum, { seconds }) => sum + seconds, 0);
    const chargedBefore = await this.ledger.chargedBefore(entry.sid, entry.position);
    return {
      entry: toLedgerEntry(entry),
      totalSeconds,
      totalCredits: creditsOf(totalSeconds),
      chargedBefore,
      // False where evidence came after the entry: a later adjustment then says so.
      isConsistent: creditsOf(totalSeconds) === chargedBefore - signedCredits(entry),
      sessions: sessions.map((session) => ({
        ...session,
        joinedAt: session.joinedAt.toISOString(),
        leftAt: session.leftAt?.toISOString() ?? null,
      })),
    };
  }
}
