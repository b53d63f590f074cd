import { Inject, Injectable } from '@nestjs/common';
import { AppError, billingRpc, type accountChanged, type ConsumerDeclaration, type EventData } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { logger } from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import { RpcClient } from '../rpc/client.js';

/** A yes of billing's about an organization without a fact: a postpaid one, or one that was never charged. */
const YES_MS = 10_000;
const MOST_YES = 10_000;
const COLUMNS = { isOverconsumed: 'is_overconsumed', isExhausted: 'is_exhausted' } as const;

export const STANDING_RULE = Symbol('STANDING_RULE');

export interface StandingRule {
  consumer: ConsumerDeclaration;
  /** What of billing's word means "no"; a column of the schema's table `standings`. */
  refusedBy: keyof typeof COLUMNS;
  /**
   * Where billing has said nothing yet: `allow`, or `ask` it first. Where it can't be asked before a "no": `allow`, or with `ask` its
   * last word holds.
   */
  inDoubt: 'allow' | 'ask';
}

/** Whether an organization may begin something that costs credits, from what billing said last. */
@Injectable()
export class Standings {
  private readonly allowed = new LRUCache<string, true>({ max: MOST_YES, ttl: YES_MS });

  constructor(
    @Inject(STANDING_RULE) private readonly rule: StandingRule,
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  /** Billing is asked before the "no": the copy may be late. @throws AppError INSUFFICIENT_CREDITS */
  async requireCredits(organizationId: string): Promise<void> {
    const [copy] = await this.database.prepared<{ isRefused: boolean }>(
      'standing',
      `SELECT ${COLUMNS[this.rule.refusedBy]} AS "isRefused" FROM standings WHERE organization_id = $1`,
      [organizationId],
    );
    const isRefused = copy?.isRefused ?? (this.rule.inDoubt === 'ask' && !this.allowed.has(organizationId));
    if (!isRefused) return;
    const lastWord = copy !== undefined && this.rule.inDoubt === 'ask';
    if (await this.ask(organizationId, lastWord)) throw new AppError('INSUFFICIENT_CREDITS');
    this.allowed.set(organizationId, true);
  }

  /** The account's version makes order and doubles harmless. */
  async apply(account: EventData<typeof accountChanged>): Promise<void> {
    const column = COLUMNS[this.rule.refusedBy];
    await this.database.query(
      `INSERT INTO standings (organization_id, version, ${column}) VALUES ($1, $2, $3)
       ON CONFLICT (organization_id) DO UPDATE SET version = $2, ${column} = $3 WHERE standings.version < $2`,
      // A billing service of before AI says nothing of `isExhausted`.
      [account.organizationId, account.version, account[this.rule.refusedBy] ?? false],
    );
  }

  private async ask(organizationId: string, lastWord: boolean): Promise<boolean> {
    try {
      return (await this.rpc.call(billingRpc.standing, { organizationId }))[this.rule.refusedBy];
    } catch (error) {
      // An organization without a plan pays nothing in advance.
      if (!(error instanceof AppError) || error.kind !== 'unavailable') return false;
      logger.warn({ err: error, isRefused: lastWord }, 'billing could not be asked about credits');
      return lastWord;
    }
  }
}
