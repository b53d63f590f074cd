import { isDeepStrictEqual } from 'node:util';
import type { RoomBudget } from '@classroom/contracts';
import type { Room } from './room.js';
import { settingsOf, type WithSettings } from '../schema/settings.js';

type Doors = Pick<Room, 'budgetVersion' | 'doorsClosed'>;

/**
 * The doors of a room with another budget. A raised or removed one opens doors that the earlier one closed, and so does one that no longer closes
 * them. If the class has used up the new budget too, billing reports it with its next charge.
 */
export function withBudget({ budgetVersion, doorsClosed, ...room }: Doors & WithSettings, budget: RoomBudget | null): Doors {
  const before = settingsOf(room).budget;
  if (isDeepStrictEqual(budget, before)) return { budgetVersion, doorsClosed };
  const isTighter = budget?.onReached === 'closeDoors' && before !== null && budget.maxCredits <= before.maxCredits;
  return { budgetVersion: budgetVersion + 1, doorsClosed: doorsClosed && isTighter };
}
