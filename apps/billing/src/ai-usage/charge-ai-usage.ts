import { Injectable } from '@nestjs/common';
import { CONSUMERS, type EventData, type EventEnvelope, type usageRecorded } from '@classroom/contracts';
import { acceptOnce } from '@classroom/messaging';
import { Database, type Transaction } from '@classroom/persistence';
import { Clock, failpoint } from '@classroom/platform';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { EnsureAccount } from '../plans/ensure-account.js';
import { PostEntries } from '../ledger/post-entries.js';

interface AiMeter {
  /** Whole credits that the sum so far comes to, rounded up once. */
  due: number;
  charged: number;
  sequence: number;
}

/** AI that is priced in credits: fractions add up on a meter, the ledger takes whole credits as they are reached. */
@Injectable()
export class ChargeAiUsage {
  constructor(
    private readonly database: Database,
    private readonly ensureAccount: EnsureAccount,
    private readonly accounts: AccountsRepository,
    private readonly postEntries: PostEntries,
    private readonly clock: Clock,
  ) {}

  /** Inbox, meter, entry and balance in one transaction. */
  async execute({ id, data }: EventEnvelope<EventData<typeof usageRecorded>>): Promise<void> {
    const { organizationId, credits } = data;
    await this.ensureAccount.execute(organizationId);
    await this.database.transaction(async (tx) => {
      if (!(await acceptOnce(tx, CONSUMERS.billingAiUsage.durable, id, this.clock.wall()))) return;
      const account = await this.accounts.lock(tx, organizationId);
      if (!account) throw new Error('an account that was just made is not there');
      const meter = await this.add(tx, organizationId, credits);
      const owed = meter.due - meter.charged;
      if (owed <= 0) return;
      await this.postEntries.execute(tx, account, [{ kind: 'AI_USAGE', signedCredits: -owed, aiSequence: meter.sequence + 1 }]);
      await tx.query('UPDATE ai_meters SET charged_credits = $2, sequence = sequence + 1 WHERE organization_id = $1', [organizationId, meter.due]);
      await failpoint('billing.ai-usage.before-commit');
    });
  }

  private async add(tx: Transaction, organizationId: string, credits: string): Promise<AiMeter> {
    const [meter] = await tx.query<AiMeter & Record<string, unknown>>(
      `INSERT INTO ai_meters AS m (organization_id, used) VALUES ($1, $2)
       ON CONFLICT (organization_id) DO UPDATE SET used = m.used + $2
       RETURNING ceil(used)::float8 AS due, charged_credits::float8 AS charged, sequence`,
      [organizationId, credits],
    );
    if (!meter) throw new Error('a meter that was just written is not there');
    return meter;
  }
}
