import { Inject, Injectable, Module, type DynamicModule, type Type } from '@nestjs/common';
import { organizationRpc, retentionOf } from '@classroom/contracts';
import { isUnreachable } from '@classroom/persistence/sql';
import { Clock, InBackground, logger, Loop } from '@classroom/platform';
import { RpcClient } from '../rpc/client.js';
import type { RetentionRule } from './expiry.js';

/** How often it looks whether a sweep is due. */
const INTERVAL_MS = 5_000;
const SWEEP_EVERY_MS = 3_600_000;
/** A sweep in which something failed is repeated after it. */
const RETRY_MS = 60_000;
const PAGE = 100;
const RULES = Symbol('retention rules');

/** At the start and once an hour, erases the personal data of this service that organizations no longer keep. */
@Injectable()
export class RetentionSweep {
  @InBackground() private readonly loop = new Loop('retention', INTERVAL_MS, () => this.runIfDue());
  private dueAt = 0;

  constructor(
    @Inject(RULES) private readonly rules: RetentionRule[],
    @Inject(RpcClient) private readonly rpc: RpcClient,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /** By the clock of domain deadlines: after a jump of it, a sweep is due. */
  private async runIfDue(): Promise<void> {
    const now = this.clock.now().getTime();
    if (now < this.dueAt) return;
    const failed = await this.run();
    this.dueAt = now + (failed === 0 ? SWEEP_EVERY_MS : RETRY_MS);
    // The loop counts as overdue until a sweep succeeds.
    if (failed > 0) throw new Error(`the retention of ${failed} data classes of organizations could not be applied`);
  }

  /**
   * @returns how many times a rule failed for an organization. The others are swept nevertheless.
   * @throws AppError SERVICE_UNAVAILABLE if the organization service or Postgres is unreachable: the next run begins again
   */
  async run(): Promise<number> {
    let failed = 0;
    for (let after = ''; ;) {
      const { organizations } = await this.rpc.call(organizationRpc.retentions, { after, limit: PAGE });
      for (const { organizationId, retention, set } of organizations) {
        const kept = retentionOf(retention);
        for (const rule of this.rules) {
          if (!(await this.apply(rule, organizationId, kept[rule.dataClass], set.includes(rule.dataClass)))) failed += 1;
        }
      }
      const last = organizations.at(-1);
      if (organizations.length < PAGE || !last) return failed;
      after = last.organizationId;
    }
  }

  private async apply(rule: RetentionRule, organizationId: string, kept: number, isSet: boolean): Promise<boolean> {
    const { dataClass } = rule;
    try {
      const rows = await rule.apply(organizationId, kept, this.clock.now(), isSet);
      if (rows > 0) logger.info({ organizationId, dataClass, rows }, 'data erased at the end of its retention');
      return true;
    } catch (error) {
      // It would fail for every other organization too.
      if (isUnreachable(error)) throw error;
      logger.error({ err: error, organizationId, dataClass }, 'data could not be erased at the end of its retention; will retry');
      return false;
    }
  }
}

@Module({})
export class RetentionSweepModule {
  /** @param rules of this service, with what they inject from `imports` */
  static forRoot({ rules, imports = [] }: { rules: Type<RetentionRule>[]; imports?: DynamicModule['imports'] }): DynamicModule {
    return {
      module: RetentionSweepModule,
      imports,
      providers: [...rules, { provide: RULES, useFactory: (...all: RetentionRule[]) => all, inject: rules }, RetentionSweep],
    };
  }
}
