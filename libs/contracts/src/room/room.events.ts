import { z } from 'zod';
import { timestamp } from '../kernel/values.js';
import { defineEvent } from '../kernel/events.js';
import { evaluatedLesson, evaluatedPerson } from './attendance-status.js';
import { roomBudget } from './budget-settings.js';
import { countedEngagement, engagementTotals, MAX_SUMMARIZED } from './counted-engagement.js';

const service = 'room' as const;
const room = z.object({
  organizationId: z.string(),
  sid: z.string(),
  roomId: z.string(),
});

/** What opened or closed an interval. Consumers have to tolerate values that they do not know. */
export const evidence = z.string();

export const roomCreated = defineEvent({
  service,
  noun: 'room',
  happened: 'created',
  data: room.extend({
    title: z.string(),
    createdAt: timestamp,
    /** Start recording when the first track is published. */
    autoRecord: z.boolean().default(false),
    budget: roomBudget.optional(),
  }),
});

/** What was given for the room was changed. `autoRecord`, and `budget` with its version, only if they were part of the change. */
export const roomUpdated = defineEvent({
  service,
  noun: 'room',
  happened: 'updated',
  data: room.extend({
    title: z.string(),
    updatedAt: timestamp,
    autoRecord: z.boolean().optional(),
    /** Null: it was removed. */
    budget: roomBudget.nullish(),
    /** Number of changes of the budget. */
    budgetVersion: z.number().int().optional(),
  }),
});

/** The first participant connected. LiveKit's own room_started is sent at creation and is not used. */
export const roomStarted = defineEvent({
  service,
  noun: 'room',
  happened: 'started',
  data: room.extend({ title: z.string(), startedAt: timestamp, budget: roomBudget.optional() }),
});

/** A live class will end by its schedule at `endsAt`. Published once for each end, ten minutes before it or as soon as it is known. */
export const roomEndingSoon = defineEvent({
  service,
  noun: 'room',
  happened: 'ending-soon',
  data: room.extend({ title: z.string(), endsAt: timestamp }),
});

const totals = {
  connections: z.number().int(),
  totalSeconds: z.number().int(),
  /**
   * Sum of the counted connections' versions. A consumer with the same number of connections and the same sum has the current
   * version of each.
   */
  versionSum: z.number().int(),
  lastVersion: z.number().int(),
};

/** `totalSeconds` is the sum of the intervals' whole seconds. If later evidence changes it, room.corrected follows. */
export const roomFinished = defineEvent({
  service,
  noun: 'room',
  happened: 'finished',
  data: room.extend({
    title: z.string(),
    startedAt: timestamp.nullable(),
    endedAt: timestamp,
    reason: z.string(),
    ...totals,
    /** Number of changes of the budget. */
    budgetVersion: z.number().int().optional(),
  }),
});

/** People that one event names. */
export const MAX_EVALUATED = 200;

/** Who attended a class, published with its end. `people`: first those who are not `PRESENT`; `furtherPeople` are not in it. */
export const attendanceEvaluated = defineEvent({
  service,
  noun: 'attendance',
  happened: 'evaluated',
  data: room.extend({
    title: z.string(),
    ...evaluatedLesson,
    people: z.array(evaluatedPerson).max(MAX_EVALUATED),
    furtherPeople: z.number().int(),
  }),
});

/**
 * How everyone took part in a class, published once, when pages no longer report of it. `participants`: the first by uid, as many as fit;
 * `furtherParticipants` are not in it.
 */
export const engagementSummarized = defineEvent({
  service,
  noun: 'engagement',
  happened: 'summarized',
  data: room.extend({
    title: z.string(),
    startedAt: timestamp,
    endedAt: timestamp,
    totals: engagementTotals,
    participants: z.array(countedEngagement).max(MAX_SUMMARIZED),
    furtherParticipants: z.number().int(),
  }),
});

/** Evidence that arrived after the end changed the totals of the class. It may be the first fact about a class in which no participant was known before. */
export const roomCorrected = defineEvent({
  service,
  noun: 'room',
  happened: 'corrected',
  data: room.extend({ title: z.string(), endedAt: timestamp, ...totals }),
});

/**
 * Every connection that is open at `version` was seen at `verifiedAt` (whole seconds of LiveKit's clock), except the `unseen`
 * ones, each of which was last seen at its own `seenAt`.
 */
export const roomCheckpoint = defineEvent({
  service,
  noun: 'room',
  happened: 'checkpoint',
  // The next one replaces it, and the totals of a finished room need none.
  ttlSeconds: 3_600,
  data: room.extend({
    version: z.number().int(),
    verifiedAt: timestamp,
    unseen: z.array(z.object({ connectionSid: z.string(), seenAt: timestamp })),
  }),
});

/** The whole interval, published after each change. A consumer keeps the higher version, so order does not matter. */
export const participantConnection = defineEvent({
  service,
  noun: 'participant',
  happened: 'connection',
  data: room.extend({
    connectionSid: z.string(),
    uid: z.string(),
    name: z.string(),
    role: z.string(),
    ip: z.string().nullable(),
    joinedAt: timestamp,
    leftAt: timestamp.nullable(),
    openedBy: evidence,
    closedBy: evidence.nullable(),
    version: z.number().int(),
  }),
});

/** A participant began to wait, was admitted or was refused. `by`: uid of the participant who decided; empty if the organization's backend did. */
export const participantAdmission = defineEvent({
  service,
  noun: 'participant',
  happened: 'admission',
  data: room.extend({
    uid: z.string(),
    name: z.string(),
    role: z.string(),
    state: z.enum(['WAITING', 'ADMITTED', 'REFUSED']),
    by: z.string(),
    at: timestamp,
  }),
});

export const participantRemoved = defineEvent({
  service,
  noun: 'participant',
  happened: 'removed',
  /** `removedBy` is the uid of the participant in the class who did it; empty if the organization's backend did. */
  data: room.extend({ uid: z.string(), removedBy: z.string(), removedAt: timestamp }),
});

/** What a room stores about its recording: the state with the highest version. */
export const roomRecording = z.object({
  sid: z.string(),
  egressId: z.string(),
  /** STARTING, ACTIVE, ENDING, COMPLETED, FAILED or ABORTED; consumers have to tolerate other values. */
  status: z.string(),
  version: z.number().int(),
  startedAt: timestamp,
  /** Whether it ended by a pause. */
  isPaused: z.boolean(),
});
