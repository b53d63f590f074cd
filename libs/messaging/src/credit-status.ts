import { Inject, Injectable, Module, type DynamicModule } from '@nestjs/common';
import {
  AppError,
  billingRpc,
  isUnavailable,
  type accountChanged,
  type ConsumerDeclaration,
  type EventData,
  type EventEnvelope,
} from '@classroom/contracts';
import { Database } from '@classroom/persistence/sql';
import { atMost, logger, InBackground } from '@classroom/platform';
import { LRUCache } from 'lru-cache';
import type { JetStreamClient } from '@nats-io/jetstream';
import { RpcClient } from './rpc/client.js';
import { applyCreditStatus, findCreditStatus, type CreditStatus } from './credit-status.repository.js';
import { DurableConsumer, oneByOne } from './jetstream/consumer.js';
import { JETSTREAM } from './connection.js';

/** How long billing's permission is cached for an organization without a fact: one that is postpaid or was never charged. */
const ALLOWED_TTL_MS = 10_000;
const ALLOWED_CACHE_SIZE = 10_000;

export const CREDIT_STATUS_RULE = Symbol('CREDIT_STATUS_RULE');

export interface CreditStatusRule {
  consumer: ConsumerDeclaration;
  /** The field of billing's answer that means a refusal. */
  refusedBy: keyof CreditStatus;
  /**
   * Without a fact from billing: `allow` the request, or `ask` billing first. If billing is unreachable before a refusal: `allow`
   * the request, or with `ask` apply the latest fact.
   */
  whenUnknown: 'allow' | 'ask';
}

/** Whether an organization may begin something that costs credits, according to billing's latest fact. */
@Injectable()
export class CreditStatusProjection {
  private readonly allowed = new LRUCache<string, true>({ ...atMost(ALLOWED_CACHE_SIZE), ttl: ALLOWED_TTL_MS });

  constructor(
    @Inject(CREDIT_STATUS_RULE) private readonly rule: CreditStatusRule,
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * Asks billing before it refuses, because the local copy may be out of date.
   * @throws AppError INSUFFICIENT_CREDITS
   */
  async requireCredits(organizationId: string): Promise<void> {
    const copy = await findCreditStatus(this.database, organizationId);
    const isRefused = copy?.[this.rule.refusedBy] ?? (this.rule.whenUnknown === 'ask' && !this.allowed.has(organizationId));
    if (!isRefused) return;
    const fallback = copy !== undefined && this.rule.whenUnknown === 'ask';
    if (await this.ask(organizationId, fallback)) throw new AppError('INSUFFICIENT_CREDITS');
    this.allowed.set(organizationId, true);
  }

  async apply({ organizationId, version, isOverconsumed, isExhausted }: EventData<typeof accountChanged>): Promise<void> {
    await applyCreditStatus(this.database, organizationId, version, { isOverconsumed, isExhausted });
  }

  private async ask(organizationId: string, fallback: boolean): Promise<boolean> {
    try {
      return (await this.rpc.call(billingRpc.creditStatus, { organizationId }))[this.rule.refusedBy];
    } catch (error) {
      // Billing answered with an error, such as for an organization without a plan: nothing is paid in advance, so it is not
      // refused.
      if (!isUnavailable(error)) return false;
      logger.warn({ err: error, isRefused: fallback }, 'billing unavailable; using the last known credit status');
      return fallback;
    }
  }
}

type AccountChanged = EventEnvelope<EventData<typeof accountChanged>>;

/** Needs no inbox row: `apply` tolerates repeated messages. */
@Injectable()
class CreditStatusConsumer {
  @InBackground() readonly consumer: DurableConsumer<AccountChanged>;

  constructor(
    @Inject(JETSTREAM) jetstream: JetStreamClient,
    @Inject(CREDIT_STATUS_RULE) { consumer: declaration }: CreditStatusRule,
    projection: CreditStatusProjection,
  ) {
    this.consumer = new DurableConsumer<AccountChanged>(jetstream, {
      declaration,
      concurrency: 4,
      keyOf: ({ subject }) => subject,
      ...oneByOne(({ data }) => projection.apply(data)),
    });
  }
}

@Module({})
export class CreditStatusModule {
  static forRoot(rule: CreditStatusRule): DynamicModule {
    return {
      module: CreditStatusModule,
      providers: [{ provide: CREDIT_STATUS_RULE, useValue: rule }, CreditStatusProjection, CreditStatusConsumer],
      exports: [CreditStatusProjection],
    };
  }
}
