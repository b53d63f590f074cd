import { z } from 'zod';
import { timestamp } from '../kernel/values.js';
import { defineEvent } from '../kernel/events.js';
import { roomBudget } from '../room/budget-settings.js';
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

/**
 * A threshold of the organization's own was crossed. `remaining`: the prepaid balance fell below it; `consumed`: the credits of the postpaid
 * cycle reached it. `credits` is the balance, or the credits of the cycle.
 */
export const creditThresholdReached = defineEvent({
  service,
  noun: 'credits',
  happened: 'threshold-reached',
  data: z.object({
    organizationId: z.string(),
    type: z.enum(['remaining', 'consumed']),
    threshold: z.number().int(),
    credits: z.number().int(),
  }),
});

/** Shares of a budget, in percent. Each is published once for a class, and again if it is reached again after the budget was changed. */
export const BUDGET_PERCENTS = [50, 80, 100] as const;

/** The charges of a class, `credits`, have reached a share of its budget. */
export const roomBudgetReached = defineEvent({
  service,
  noun: 'room-budget',
  happened: 'reached',
  data: z.object({
    organizationId: z.string(),
    sid: z.string(),
    roomId: z.string(),
    percent: z.number().int(),
    credits: z.number().int(),
    budget: roomBudget,
    /** Number of changes of the budget before it was reached. */
    budgetVersion: z.number().int().optional(),
    /** All of an earlier budget was used up already: only what happens then may be new, so no public event follows. */
    isRepeated: z.boolean().optional(),
  }),
});

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
