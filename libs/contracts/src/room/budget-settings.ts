import { z } from 'zod';
import { invalidField } from '../kernel/invalid-input.js';

const onReached = z.enum(['warn', 'closeDoors', 'endClass']);

const MAX_CREDITS = 'Credits that the class may use, 1 to 1,000,000,000.';
const ON_REACHED =
  'What happens when they are used up, in addition to the event `room.budget_reached`: `warn`: nothing. `closeDoors`: only who was in class may join. `endClass`: the class ends. A class is charged once a minute, so it may use what its participants use until then.';

const maxCredits = z.number().int().min(1).max(1e9);

export const roomBudget = z.object({
  maxCredits: maxCredits.describe(MAX_CREDITS),
  onReached: onReached.default('warn').describe(`${ON_REACHED} Default: \`warn\`.`),
});
export type RoomBudget = z.infer<typeof roomBudget>;

/** Omitted fields stay as they are. A room without a budget needs `maxCredits`. */
export const budgetChanges = z.object({
  maxCredits: maxCredits.optional().describe(`${MAX_CREDITS} Required if the room has no budget.`),
  onReached: onReached.optional().describe(ON_REACHED),
});
export type BudgetChanges = z.infer<typeof budgetChanges>;

/**
 * The budget with the changes; null removes it.
 * @throws AppError VALIDATION_FAILED if a new budget has no amount
 */
export function changedBudget(present: RoomBudget | null, changes: BudgetChanges | null | undefined): RoomBudget | null {
  if (changes === undefined) return present;
  if (changes === null) return null;
  const amount = changes.maxCredits ?? present?.maxCredits;
  if (amount === undefined) throw invalidField('settings.budget.maxCredits', 'is required');
  return { maxCredits: amount, onReached: changes.onReached ?? present?.onReached ?? 'warn' };
}
