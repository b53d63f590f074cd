import { Injectable } from '@nestjs/common';
import { CONSUMERS, type EventData, type EventEnvelope, type roomBudgetReached } from '@classroom/contracts';
import { Consumes, type AcceptOnce } from '@classroom/messaging';
import { Database } from '@classroom/persistence';
import { failpoint } from '@classroom/platform';
import { RoomsRepository } from '../rooms/rooms.repository.js';
import { FinishRoom } from './finish-room.js';

type BudgetReached = EventEnvelope<EventData<typeof roomBudgetReached>>;

/** Ends a class that has used up its budget, or closes its doors. If the budget was changed since, billing reports whether the new one is used up too. */
@Injectable()
export class ApplyBudget {
  constructor(
    private readonly database: Database,
    private readonly rooms: RoomsRepository,
    private readonly finishRoom: FinishRoom,
  ) {}

  @Consumes<BudgetReached>(CONSUMERS.roomBudget, { concurrency: 4, keyOf: ({ subject }) => subject })
  async execute({ id, data: { sid, percent, budget, budgetVersion = 0 } }: BudgetReached, acceptOnce: AcceptOnce): Promise<void> {
    if (percent < 100 || budget.onReached === 'warn') return;
    const ended = await this.database.transaction(async (tx) => {
      if (!(await acceptOnce(tx, id))) return undefined;
      const room = await this.rooms.lockBySid(tx, sid);
      if (!room || room.state === 'finished' || budgetVersion < room.budgetVersion) return undefined;
      if (budget.onReached === 'endClass') await this.finishRoom.execute(tx, room, 'budget');
      else await this.rooms.closeDoors(tx, sid);
      await failpoint('room.budget.before-commit');
      return budget.onReached === 'endClass' ? room : undefined;
    });
    await failpoint('room.budget.after-commit');
    if (ended) await this.finishRoom.closeMedia(ended);
  }
}
