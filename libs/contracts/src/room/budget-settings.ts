import { z } from 'zod';

const onReached = z.enum(['warn', 'closeDoors', 'endClass']);

export const roomBudget = z.object({
  maxCredits: z.number().int().min(1).max(1e9).describe('Credits that the class may use, 1 to 1,000,000,000.'),
  onReached: onReached
    .default('warn')
    .describe(
      'What happens when they are used up, in addition to the event `room.budget_reached`: `warn`: nothing. `closeDoors`: only who was in class may join. `endClass`: the class ends. A class is charged once a minute, so it may use what its participants use until then. Default: `warn`.',
    ),
});
export type RoomBudget = z.infer<typeof roomBudget>;
