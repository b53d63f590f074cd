import { Inject, Injectable } from '@nestjs/common';
import { AppError, billingRpc, type accountChanged, type ConsumerDeclaration, type EventData } from '@classroom/contracts';
import { Database } from '@classroom/persistence';
import { logger } from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import { RpcClient } from '../rpc/client.js';
import { applyStanding, findStanding, type Standing } from './standings.repository.js';

/** A yes of billing's about an organization without a fact: a postpaid one, or one that was never charged. */
const YES_MS = 10_000;
const MOST_YES = 10_000;

export const STANDING_RULE = Symbol('STANDING_RULE');

export interface StandingRule {
  consumer: ConsumerDeclaration;
  /** Which of billing's answers means "no". */
  refusedBy: keyof Standing;
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
    const copy = await findStanding(this.database, organizationId);
    const isRefused = copy?.[this.rule.refusedBy] ?? (this.rule.inDoubt === 'ask' && !this.allowed.has(organizationId));
    if (!isRefused) return;
    const lastWord = copy !== undefined && this.rule.inDoubt === 'ask';
    if (await this.ask(organizationId, lastWord)) throw new AppError('INSUFFICIENT_CREDITS');
    this.allowed.set(organizationId, true);
  }

  async apply({ organizationId, version, isOverconsumed, isExhausted }: EventData<typeof accountChanged>): Promise<void> {
    await applyStanding(this.database, organizationId, version, { isOverconsumed, isExhausted });
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
