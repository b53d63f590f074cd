import { z } from 'zod';
import { shown } from '../kernel/fields.js';

export const seconds = (means: string) => z.number().describe(`Seconds ${means}, to a tenth.`);

/** How someone took part, or all participants together. */
const counts = {
  connections: z.number().int().describe('Number of connections.'),
  connectedSeconds: seconds('in class'),
  measuredSeconds: seconds('that the participant’s page measured; a client that is not our page may measure nothing'),
  talkSeconds: z.number().nullable().describe('Seconds in which the participant spoke; null if nothing was measured.'),
  cameraSeconds: z.number().nullable().describe('Seconds in which the camera was on; null if nothing was measured.'),
  handsRaised: z.number().int().describe('How often the participant raised a hand.'),
  chatMessages: z.number().int().describe('Number of chat messages, deleted ones included.'),
  reactions: z.number().int().describe('Number of reactions.'),
  pollAnswers: z.number().int().describe('Number of polls in which the participant voted.'),
  boardElements: z
    .number()
    .int()
    .default(0)
    .describe('Number of elements that the participant drew on the board, without those that were deleted.'),
};

export const countedEngagement = z.object({ uid: shown.uid, name: shown.name, role: shown.role, ...counts });
export type CountedEngagement = z.infer<typeof countedEngagement>;

/** Participants that one event names. */
export const MAX_SUMMARIZED = 200;

export const engagementTotals = z.object({
  participants: z.number().int().describe('Number of people who were in class.'),
  ...counts,
});
export type EngagementTotals = z.infer<typeof engagementTotals>;
