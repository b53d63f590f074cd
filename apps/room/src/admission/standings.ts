import { Injectable } from '@nestjs/common';
import { AppError, billingRpc, CONSUMERS, type accountChanged, type EventData, type EventEnvelope } from '@classroom/contracts';
import { Consumes, RpcClient } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { logger } from '@classroom/platform';

type AccountChanged = EventEnvelope<EventData<typeof accountChanged>>;

/** Whether an organization may begin another class, from what billing said last. */
@Injectable()
export class Standings {
  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
  ) {}

  /**
   * Billing is asked before the "no"; where it can't be, the class goes on: an overdraft is mended later, a class is not.
   * @throws AppError INSUFFICIENT_CREDITS
   */
  async requireCredits(organizationId: string): Promise<void> {
    const [copy] = await this.database.prepared<{ over: boolean }>(
      'standing',
      'SELECT is_overconsumed AS over FROM standings WHERE organization_id = $1',
      [organizationId],
    );
    if (!copy?.over) return;
    const { isOverconsumed } = await this.rpc.call(billingRpc.standing, { organizationId }).catch((error: unknown) => {
      logger.warn({ err: error }, 'billing could not be asked: the room is made on credit');
      return { isOverconsumed: false };
    });
    if (isOverconsumed) throw new AppError('INSUFFICIENT_CREDITS');
  }

  /** The account's version makes order and doubles harmless, so no inbox row is needed. */
  @Consumes<AccountChanged>(CONSUMERS.roomStanding, { concurrency: 4, keyOf: ({ subject }) => subject })
  async apply({ data: { organizationId, version, isOverconsumed } }: AccountChanged): Promise<void> {
    await this.database.transaction((tx) =>
      tx.query(
        `INSERT INTO standings (organization_id, version, is_overconsumed) VALUES ($1, $2, $3)
         ON CONFLICT (organization_id) DO UPDATE SET version = $2, is_overconsumed = $3 WHERE standings.version < $2`,
        [organizationId, version, isOverconsumed],
      ),
    );
  }
}
