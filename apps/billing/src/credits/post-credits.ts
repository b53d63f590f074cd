import { Injectable } from '@nestjs/common';
import { AppError, postCredits, type RpcInput } from '@classroom/contracts';
import { Handles } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { Clock } from '@classroom/platform';
import { AccountsRepository, ClassroomsRepository } from '../ledger/accounts.repository.js';
import { CloseCycles } from '../plans/close-cycles.js';
import { EnsureAccount } from '../plans/apply-plan.js';
import { signedCredits, toLedgerEntry } from '../ledger/ledger-entry.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';
import { PostEntries, termsAt } from '../ledger/post-entries.js';
import type { LedgerEntryEntity } from '../schema/ledger-entry.entity.js';
import { toBalance } from './get-balance.js';

@Injectable()
export class PostCredits {
  constructor(
    private readonly database: Database,
    private readonly ensureAccount: EnsureAccount,
    private readonly accounts: AccountsRepository,
    private readonly ledger: LedgerRepository,
    private readonly postEntries: PostEntries,
    private readonly classrooms: ClassroomsRepository,
    private readonly closeCycles: CloseCycles,
    private readonly clock: Clock,
  ) {}

  /**
   * Posts a top-up, or a correction if the amount is negative. A request with the same reference and amount is posted once; a repetition
   * returns the first entry.
   * @throws AppError IDEMPOTENCY_CONFLICT if the reference was used with another amount
   */
  @Handles(postCredits)
  async execute({ organizationId, amount, reference, note }: RpcInput<typeof postCredits>) {
    await this.closeCycles.closeOverdue(await this.ensureAccount.execute(organizationId));
    const { entry, account, replayed } = await this.database.transaction(async (tx) => {
      // The account's lock makes look-up and posting atomic: of concurrent requests with one reference, one posts an entry.
      const locked = await this.accounts.lockBalance(tx, organizationId);
      if (!locked) throw new AppError('ORGANIZATION_NOT_FOUND');
      const earlier = await this.ledger.findByReference(tx, organizationId, reference);
      if (earlier) return { entry: sameAmount(earlier, amount), account: locked, replayed: true };
      const kind = amount > 0 ? ('TOP_UP' as const) : ('CORRECTION' as const);
      const terms = termsAt(locked, this.clock.now());
      await this.postEntries.execute(tx, locked, [{ kind, signedCredits: amount, reference, note }], terms);
      const posted = await this.ledger.findByReference(tx, organizationId, reference);
      if (!posted) throw new Error('an entry that was just posted is not there');
      return { entry: posted, account: locked, replayed: false };
    });
    const balance = toBalance(account, await this.classrooms.countInOpenCycle(account));
    return { entry: toLedgerEntry(entry), balance, replayed };
  }
}

function sameAmount(entry: LedgerEntryEntity, amount: number): LedgerEntryEntity {
  if (signedCredits(entry) === amount) return entry;
  throw new AppError('IDEMPOTENCY_CONFLICT', { message: 'This reference was used with another amount' });
}
