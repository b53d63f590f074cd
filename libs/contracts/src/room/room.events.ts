import { z } from 'zod';
import { timestamp } from '../kernel/ids.js';
import { defineEvent } from '../kernel/events.js';

const service = 'room' as const;
const room = z.object({
  organizationId: z.string(),
  sid: z.string(),
  roomId: z.string(),
});

/** What closed or opened an interval. Consumers tolerate values they don't know. */
export const evidence = z.string();

export const roomCreated = defineEvent({
  service,
  noun: 'room',
  happened: 'created',
  data: room.extend({
    title: z.string(),
    createdAt: timestamp,
    /** Record from the first publisher on. */
    autoRecord: z.boolean().default(false),
  }),
});

/** Title, description or limits were changed in class. */
export const roomUpdated = defineEvent({
  service,
  noun: 'room',
  happened: 'updated',
  data: room.extend({ title: z.string(), updatedAt: timestamp }),
});

/** The first participant's connection; LiveKit's own room_started comes at creation and means nothing to us. */
export const roomStarted = defineEvent({
  service,
  noun: 'room',
  happened: 'started',
  data: room.extend({ title: z.string(), startedAt: timestamp }),
});

const totals = {
  connections: z.number().int(),
  totalSeconds: z.number().int(),
  /** Of the counted connections' versions: a fold that has as many and the same sum has them all as they are. */
  versionSum: z.number().int(),
  lastVersion: z.number().int(),
};

/** `totalSeconds` sums the intervals' whole seconds; what evidence changes after it, room.corrected says. */
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
  }),
});

/** Evidence that came after the end changed what the class came to. */
export const roomCorrected = defineEvent({ service, noun: 'room', happened: 'corrected', data: room.extend(totals) });

/**
 * Everyone open at `version` was seen at `verifiedAt` (whole seconds of LiveKit's clock), but for the `unseen`, each of
 * whom was last seen at its own instant.
 */
export const roomCheckpoint = defineEvent({
  service,
  noun: 'room',
  happened: 'checkpoint',
  data: room.extend({
    version: z.number().int(),
    verifiedAt: timestamp,
    unseen: z.array(z.object({ connectionSid: z.string(), seenAt: timestamp })),
  }),
});

/** The whole interval, each time anything of it changes: a fold by the higher version needs no order. */
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

export const participantRemoved = defineEvent({
  service,
  noun: 'participant',
  happened: 'removed',
  /** `removedBy` is who in the class did it; empty where the organization's backend did. */
  data: room.extend({ uid: z.string(), removedBy: z.string(), removedAt: timestamp }),
});
