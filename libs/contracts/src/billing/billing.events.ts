import { z } from 'zod';
import { timestamp } from '../kernel/ids.js';
import { defineEvent } from '../kernel/events.js';
import { participantConnection } from '../room/room.events.js';

const service = 'billing' as const;
const account = z.object({ organizationId: z.string(), remainingCredits: z.number().int() });

/** `version` increases with every change of the account. A consumer that keeps a copy keeps the one with the higher version. */
export const accountChanged = defineEvent({
  service,
  noun: 'account',
  happened: 'changed',
  data: account.extend({
    version: z.number().int(),
    isOverconsumed: z.boolean(),
    /** Prepaid, and the balance is zero or below. */
    isExhausted: z.boolean().default(false),
  }),
});

export const creditsLow = defineEvent({
  service,
  noun: 'credits',
  happened: 'low',
  data: account.extend({ threshold: z.number().int() }),
});

export const creditsOverconsumed = defineEvent({ service, noun: 'credits', happened: 'overconsumed', data: account });

export const statementClosed = defineEvent({
  service,
  noun: 'statement',
  happened: 'closed',
  data: z.object({
    organizationId: z.string(),
    statementId: z.string(),
    cycleStart: timestamp,
    cycleEnd: timestamp,
    creditsConsumed: z.number().int(),
    amount: z.string(),
    currency: z.string(),
  }),
});

/** A connection that billing fetched from `room` because a fact of its room was missing. Published only with REPORTS_CLICKHOUSE_URL. */
export const sessionRecovered = defineEvent({ service, noun: 'session', happened: 'recovered', data: participantConnection.data });
