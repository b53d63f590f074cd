import { Injectable } from '@nestjs/common';
import { AppError, billingRpc, CONSUMERS, type accountChanged, type EventData, type EventEnvelope } from '@classroom/contracts';
import { Consumes, RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { logger } from '@classroom/platform';
import { LRUCache } from 'lru-cache';

type AccountChanged = EventEnvelope<EventData<typeof accountChanged>>;

/** A yes of billing's about whom no fact was heard: a postpaid organization, or one that was never charged. */
const YES_MS = 10_000;
const MOST_YES = 10_000;

/** Whether an organization may ask a model, from what billing said last. */
@Injectable()
export class Standings {
  private readonly said = new LRUCache<string, true>({ max: MOST_YES, ttl: YES_MS });

  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * Billing is asked before the "no", and about whom nothing was heard yet. Where it can't be, its last word holds; without
   * any the question is answered.
   * @throws AppError INSUFFICIENT_CREDITS
   */
  async requireCredits(organizationId: string): Promise<void> {
    const [copy] = await this.database.prepared<{ exhausted: boolean }>(
      'standing',
      'SELECT is_exhausted AS exhausted FROM standings WHERE organization_id = $1',
      [organizationId],
    );
    if (copy ? !copy.exhausted : this.said.has(organizationId)) return;
    if (await this.isExhausted(organizationId, copy?.exhausted ?? false)) throw new AppError('INSUFFICIENT_CREDITS');
    this.said.set(organizationId, true);
  }

  /** The account's version makes order and doubles harmless, so no inbox row is needed. */
  @Consumes<AccountChanged>(CONSUMERS.aiStanding, { concurrency: 4, keyOf: ({ subject }) => subject })
  async apply({ data: account }: AccountChanged): Promise<void> {
    await this.database.query(
      `INSERT INTO standings (organization_id, version, is_exhausted) VALUES ($1, $2, $3)
       ON CONFLICT (organization_id) DO UPDATE SET version = $2, is_exhausted = $3 WHERE standings.version < $2`,
      // A billing service of before AI says nothing of it.
      [account.organizationId, account.version, account.isExhausted ?? false],
    );
  }

  private async isExhausted(organizationId: string, lastWord: boolean): Promise<boolean> {
    try {
      return (await this.rpc.call(billingRpc.standing, { organizationId })).isExhausted;
    } catch (error) {
      // An organization without a plan pays nothing in advance.
      if (!(error instanceof AppError) || error.kind !== 'unavailable') return false;
      logger.warn({ err: error }, 'billing could not be asked: its last word holds');
      return lastWord;
    }
  }
}
