import { Inject, Injectable, Module, type DynamicModule, type Type } from '@nestjs/common';
import { organizationRpc, retentionOf } from '@classroom/contracts';
import { Clock, InBackground, logger, Loop } from '@classroom/platform';
import { RpcClient } from '../rpc/client.js';
import type { RetentionRule } from './expiry.js';

/** How often it looks whether a sweep is due; a sweep that failed is retried after it. */
const INTERVAL_MS = 5_000;
const SWEEP_EVERY_MS = 3_600_000;
const PAGE = 100;
const RULES = Symbol('retention rules');

/** At the start and once an hour, erases the personal data of this service that organizations no longer keep. */
@Injectable()
class RetentionSweep {
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
    await this.run();
    this.dueAt = now + SWEEP_EVERY_MS;
  }

  /** @throws AppError SERVICE_UNAVAILABLE if the organization service or Postgres is unreachable: the next run continues */
  private async run(): Promise<void> {
    for (let after = ''; ;) {
      const { organizations } = await this.rpc.call(organizationRpc.retentions, { after, limit: PAGE });
      for (const { organizationId, retention } of organizations) {
        // An organization service of the last release does not know every class.
        const kept = retentionOf(retention);
        for (const rule of this.rules) await this.apply(rule, organizationId, kept[rule.dataClass]);
      }
      const last = organizations.at(-1);
      if (organizations.length < PAGE || !last) return;
      after = last.organizationId;
    }
  }

  private async apply(rule: RetentionRule, organizationId: string, kept: number): Promise<void> {
    const rows = await rule.apply(organizationId, kept, this.clock.now());
    if (rows > 0) logger.info({ organizationId, dataClass: rule.dataClass, rows }, 'data erased at the end of its retention');
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
