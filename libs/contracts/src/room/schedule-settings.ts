import { z } from 'zod';
import { instant, timestamp } from '../kernel/values.js';

/** Seconds before `startsAt` at which the room opens, unless given. */
export const JOIN_BEFORE = 600;

const STARTS_AT =
  'When the lesson starts. The room opens `joinBefore` seconds earlier; teachers and admins may enter at any time. `emptyTimeout` does not end the class before it.';
const ENDS_AT = 'When the class ends for everyone.';
const JOIN_BEFORE_IS = 'Seconds before `startsAt` at which the room opens, 0 to 86,400.';
const MAX_DURATION =
  'Seconds after which the class ends for everyone, 60 to 86,400, counted from the first join or, if that is later, from `startsAt`.';

const joinBefore = z.number().int().min(0).max(86_400);
const maxDuration = z.number().int().min(60).max(86_400);

/** Of a new room. */
export const newSchedule = {
  startsAt: instant.optional().describe(`${STARTS_AT} At most 366 days from now. Default: none, the room is open.`),
  endsAt: instant.optional().describe(`${ENDS_AT} At most 366 days from now. Default: none.`),
  joinBefore: joinBefore.optional().describe(`${JOIN_BEFORE_IS} Default: ${JOIN_BEFORE}.`),
  maxDuration: maxDuration.optional().describe(`${MAX_DURATION} Default: none.`),
};

export const changedSchedule = {
  startsAt: instant.nullish().describe(`${STARTS_AT} Null removes it.`),
  endsAt: instant.nullish().describe(`${ENDS_AT} Null removes it.`),
  joinBefore: joinBefore.optional().describe(JOIN_BEFORE_IS),
  maxDuration: maxDuration.nullish().describe(`${MAX_DURATION} Null removes it.`),
};

export const shownSchedule = {
  startsAt: timestamp.nullable().describe(`${STARTS_AT} Null if there is none.`),
  endsAt: timestamp.nullable().describe(`${ENDS_AT} Null if there is none.`),
  joinBefore: z.number().int().describe('Seconds before `startsAt` at which the room opens.'),
  maxDuration: z.number().int().nullable().describe(`${MAX_DURATION} Null if there is no limit.`),
};
