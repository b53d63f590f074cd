import { Injectable } from '@nestjs/common';
import { Database } from '@classroom/persistence';
import { Clock, failpoint } from '@classroom/platform';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { CloseCycles } from '../charging/close-cycles.js';
import { ChargeMeters } from '../charging/charge-meters.js';
import { METERS_PER_TRANSACTION, DueMetersRepository } from '../metering/due-meters.repository.js';

/** Charges everything that is due for one organization: participants' minutes become credits. Safe to repeat. */
@Injectable()
export class RollUp {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly dueMeters: DueMetersRepository,
    private readonly chargeMeters: ChargeMeters,
    private readonly closeCycles: CloseCycles,
    private readonly clock: Clock,
  ) {}

  async execute(accountId: string): Promise<void> {
    try {
      await this.closeCycles.execute(accountId);
    } finally {
      // Also if a cycle could not be closed: usage up to its end is charged anyway.
      while ((await this.chargeBatch(accountId)) === METERS_PER_TRANSACTION);
    }
  }

  private async chargeBatch(accountId: string): Promise<number> {
    await failpoint('billing.rollup.before-transaction');
    const charged = await this.database.transaction(async (tx) => {
      const account = await this.accounts.lockById(tx, accountId);
      if (!account) return 0;
      const now = this.clock.now();
      // For a cycle that has ended and is not closed yet, usage is charged only up to its end.
      const through = account.cycleEnd && account.cycleEnd <= now ? account.cycleEnd : null;
      const due = await this.dueMeters.lockAndReadDue(tx, account.organizationId, now, through);
      await this.chargeMeters.execute(tx, account, due, through !== null);
      await failpoint('billing.rollup.before-commit');
      return due.length;
    });
    await failpoint('billing.rollup.after-commit');
    return charged;
  }
}
