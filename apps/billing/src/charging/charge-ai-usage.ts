import { Injectable } from '@nestjs/common';
import { CONSUMERS, type EventData, type EventEnvelope, type usageRecorded } from '@classroom/contracts';
import { Consumes, type AcceptOnce } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { failpoint } from '@classroom/platform';
import { AccountsRepository } from '../ledger/accounts.repository.js';
import { CloseCycles } from '../plans/close-cycles.js';
import { EnsureAccount } from '../plans/apply-plan.js';
import { PostEntries, termsAt } from '../ledger/post-entries.js';
import { AiUsagesRepository, AiMetersRepository } from '../metering/ai-usage.repository.js';

type UsageRecorded = EventEnvelope<EventData<typeof usageRecorded>>;

/** Charges AI usage that is priced in credits. Fractions add up on a meter; the ledger receives whole credits. */
@Injectable()
export class ChargeAiUsage {
  constructor(
    private readonly database: Database,
    private readonly ensureAccount: EnsureAccount,
    private readonly accounts: AccountsRepository,
    private readonly meters: AiMetersRepository,
    private readonly usages: AiUsagesRepository,
    private readonly postEntries: PostEntries,
    private readonly closeCycles: CloseCycles,
  ) {}

  /** Writes inbox, meter, usage, entry and balance in one transaction. */
  @Consumes<UsageRecorded>(CONSUMERS.billingAiUsage, { concurrency: 4, keyOf: ({ subject }) => subject })
  async execute({ id, data }: UsageRecorded, acceptOnce: AcceptOnce): Promise<void> {
    const { organizationId, credits } = data;
    await this.closeCycles.closeOverdue(await this.ensureAccount.execute(organizationId));
    await this.database.transaction(async (tx) => {
      if (!(await acceptOnce(tx, id))) return;
      const account = await this.accounts.lockBalance(tx, organizationId);
      if (!account) throw new Error('an account that was just made is not there');
      const meter = await this.meters.add(tx, organizationId, credits);
      const owed = meter.due - meter.charged;
      // What owes nothing yet is charged by the next entry.
      const aiSequence = meter.sequence + 1;
      const { usageId, sid, kind, inputTokens, outputTokens, at } = data;
      const usage = { organizationId, usageId, sid, kind, inputTokens, outputTokens, credits };
      const usedAt = new Date(at);
      await this.usages.add(tx, { ...usage, aiSequence, total: meter.used, usedAt });
      if (owed <= 0) return;
      await this.postEntries.execute(tx, account, [{ kind: 'AI_USAGE', signedCredits: -owed, aiSequence }], termsAt(account, usedAt));
      await this.meters.recordCharged(tx, organizationId, meter.due);
      await failpoint('billing.ai-usage.before-commit');
    });
  }
}
