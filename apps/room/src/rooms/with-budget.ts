import { isDeepStrictEqual } from 'node:util';
import type { RoomBudget } from '@classroom/contracts';
import type { Room } from './room.js';

type Budgeted = Pick<Room, 'budget' | 'budgetVersion' | 'doorsClosed'>;

/**
 * The room with another budget. A raised or removed one opens doors that the earlier one closed, and so does one that no longer closes them. If
 * the class has used up the new budget too, billing reports it with its next charge.
 */
export function withBudget(room: Budgeted, budget: RoomBudget | null): Budgeted {
  if (isDeepStrictEqual(budget, room.budget)) return { budget, budgetVersion: room.budgetVersion, doorsClosed: room.doorsClosed };
  const isTighter = budget?.onReached === 'closeDoors' && room.budget !== null && budget.maxCredits <= room.budget.maxCredits;
  return { budget, budgetVersion: room.budgetVersion + 1, doorsClosed: room.doorsClosed && isTighter };
}
