import { z } from 'zod';
import { shown } from '../kernel/fields.js';
import { timestamp } from '../kernel/values.js';
import { NAMES } from '../kernel/reference.js';
import { evaluatedLesson, evaluatedPerson } from '../room/attendance-status.js';
import { roomBudget } from '../room/budget-settings.js';
import { countedEngagement, engagementTotals } from '../room/counted-engagement.js';

/** The events that an organization's backend receives by webhook and reads in the history: the services' facts without internal fields. */

const room = { roomId: shown.roomId, sid: shown.sid };
const person = { uid: shown.uid, name: shown.name, role: shown.role };
/** One connection of one participant. */
const connection = {
  ...room,
  connectionId: z.string().describe('Id of this connection. A participant who rejoins has another.'),
  ...person,
  joinedAt: timestamp.describe('When the connection began.'),
};
const decided = (what: string) => ({
  ...room,
  ...person,
  decidedBy: z.string().nullable().describe(`The uid of the participant who ${what} this one; null if your backend did.`),
  decidedAt: timestamp.describe(`When the participant was ${what}.`),
});
const message = {
  ...room,
  messageId: z.string().describe('Id of the chat message. Its text is not part of any event.'),
  uid: z.string().describe('The uid of its author.'),
};
const recording = z
  .object({
    ...room,
    recordingId: z.string().describe('Id of the recording, `rec_` and `egressId`.'),
    egressId: z.string().describe('Id of the recording job.'),
    status: z.string().describe('Status of the recording, such as `COMPLETED`. More may be added.'),
    startedAt: timestamp.describe('When the recording began.'),
    endedAt: timestamp.nullable().describe('When it ended; null while it runs.'),
    duration: z.number().int().nullable().describe('Seconds of the file; null until it is known.'),
    reason: z.string().nullable().describe('Why there is no file, or no whole one; null if nothing is wrong.'),
    health: z
      .string()
      .describe(
        'What is wrong: `OK`, `STALLED`, `RETRYING`, `LIMIT_REACHED`, `CUT` or `FAILED`, as in the list of recordings. More may be added.',
      ),
  })
  .register(NAMES, { id: 'RecordingEventData', description: 'A recording, in its events.' });
const copy = {
  ...room,
  recordingId: z.string().describe('Id of the recording, `rec_` and `egressId`.'),
  egressId: z.string().describe('Id of the recording job.'),
};
const video = { videoId: z.string().describe('Id of the video.'), title: z.string().describe('Display title.') };

const document = {
  ...room,
  documentId: z.string().describe('Id of the document.'),
  title: z.string().describe('Display title of the document.'),
};

/** The data of each type. */
export const PUBLIC_EVENTS = {
  'room.created': z.object({ ...room, title: shown.title, createdAt: shown.createdAt }).describe('A room was created.'),
  'room.started': z
    .object({ ...room, title: shown.title, startedAt: timestamp.describe('When the first participant joined.') })
    .describe('The first participant joined.'),
  'room.ending_soon': z
    .object({ ...room, title: shown.title, endsAt: timestamp.describe('When the class ends by its schedule.') })
    .describe('The class ends in ten minutes by its schedule, or sooner if that was set later. Once for each end.'),
  'room.finished': z
    .object({
      ...room,
      title: shown.title,
      startedAt: timestamp.nullable().describe('When the first participant joined; null if none ever did.'),
      endedAt: timestamp.describe('When the class ended.'),
      reason: z
        .string()
        .describe(
          'Why: `deleted` by your backend, `class_ended` by a participant, `empty` for `emptyTimeout`, `schedule` for `endsAt` or `maxDuration`, `unused`: no participant came, `budget`: the credits of its budget were used up. More may be added.',
        ),
      totalSeconds: z.number().int().describe('Seconds of all participants together.'),
    })
    .describe('The class ended. Its totals are final, apart from late corrections.'),
  'room.budget_reached': z
    .object({
      ...room,
      percent: z.number().int().describe('The share of the budget that was reached: 50, 80 or 100.'),
      credits: z.number().int().describe('Credits that the class has been charged.'),
      ...roomBudget.shape,
      onReached: roomBudget.shape.onReached.unwrap().describe('What happens at 100 percent: `warn`, `closeDoors` or `endClass`.'),
    })
    .describe(
      'A class has used 50, 80 or 100 percent of its budget. Each is sent once, and again if the class reaches it again after the budget was raised.',
    ),
  'attendance.evaluated': z
    .object({
      ...room,
      title: shown.title,
      ...evaluatedLesson,
      people: z
        .array(evaluatedPerson)
        .describe('The people, at most 200: first `ABSENT`, then `LATE`, `LEFT_EARLY` and `PRESENT`. *Get attendance* has all of them.'),
      furtherPeople: z.number().int().describe('Number of people who are not in `people`.'),
    })
    .describe('A class with an attendance policy has ended. Sent once; *Get attendance* has later corrections.'),
  'engagement.summarized': z
    .object({
      ...room,
      title: shown.title,
      startedAt: timestamp.describe('When the first participant joined.'),
      endedAt: timestamp.describe('When the class ended.'),
      totals: engagementTotals.describe('Sums over all participants, also those who are not in `participants`.'),
      participants: z
        .array(countedEngagement)
        .describe('The participants by uid, at most 200. *List engagement* has all of them, and the questions to the tutor.'),
      furtherParticipants: z.number().int().describe('Number of participants who are not in `participants`.'),
    })
    .describe('How everyone took part in a class that has ended. Sent once, five minutes after the end, when the numbers are final.'),
  'participant.joined': z.object(connection).describe('A participant connected.'),
  'participant.left': z
    .object({
      ...connection,
      leftAt: timestamp.describe('When the connection ended.'),
      duration: z.number().int().describe('Seconds of the connection.'),
    })
    .describe('A participant’s connection ended.'),
  'participant.waiting': z
    .object({ ...room, ...person, waitingSince: timestamp.describe('When the participant began to wait.') })
    .describe('A participant entered the waiting room.'),
  'participant.admitted': z.object(decided('admitted')).describe('A participant was admitted from the waiting room.'),
  'participant.refused': z.object(decided('refused')).describe('A participant in the waiting room was refused.'),
  'participant.removed': z
    .object({
      ...room,
      uid: shown.uid,
      removedBy: z.string().nullable().describe('The uid of the participant who removed this one; null if your backend did.'),
      removedAt: timestamp.describe('When the participant was removed.'),
    })
    .describe('A participant was removed from the class.'),
  'chat.message_deleted': z
    .object({
      ...message,
      deletedBy: z.string().nullable().describe('The uid of the participant who deleted it; null if your backend did.'),
      deletedAt: timestamp.describe('When it was deleted.'),
    })
    .describe('A chat message was deleted.'),
  'chat.message_reported': z
    .object({
      ...message,
      reportedBy: z.string().describe('The uid of the participant who reported it.'),
      reportedAt: timestamp.describe('When it was reported.'),
    })
    .describe('A participant reported a chat message.'),
  'board.exported': z
    .object({
      ...room,
      format: z.string().describe('`json`, `svg`, `png` or `pdf`. More may be added.'),
      exportedAt: timestamp.describe('When it was requested.'),
    })
    .describe('The board of a class, or a page of it, was requested with *Get board of room*.'),
  'recording.started': recording.describe('A recording began.'),
  'recording.completed': recording.describe('The file of a recording is available.'),
  'recording.failed': recording.describe('A recording failed.'),
  'recording.health': recording.describe('What is wrong with a recording has changed: see `health`.'),
  'recording.deleted': recording.describe('The file of a recording was deleted.'),
  'recording.copied': z
    .object({
      ...copy,
      bucket: z.string().describe('Name of your bucket.'),
      key: z.string().describe('Key of the file in your bucket.'),
      size: z.number().int().describe('Size in bytes.'),
      sha256: z.string().describe('SHA-256 of the file, in hexadecimal.'),
      copiedAt: timestamp.describe('When the copy was complete.'),
    })
    .describe('The file of a recording was copied to your own bucket.'),
  'recording.copy_failed': z
    .object({
      ...copy,
      error: z.string().describe('Why the last attempt failed, such as `access-denied`. More may be added.'),
      attempts: z.number().int().describe('How many attempts were made.'),
      failedAt: timestamp.describe('When the copy was given up.'),
    })
    .describe('The file of a recording could not be copied to your own bucket, and no further attempt follows.'),
  'credits.low': z
    .object({
      remainingCredits: z.number().int().describe('Credits left.'),
      threshold: z.number().int().describe('The event is sent when the balance falls below this many credits.'),
    })
    .describe('The prepaid balance fell below the threshold.'),
  'credits.overconsumed': z
    .object({ remainingCredits: z.number().int().describe('Credits left, a negative number.') })
    .describe('More credits were used than were bought.'),
  'credits.threshold_reached': z
    .object({
      type: z
        .enum(['remaining', 'consumed'])
        .describe('`remaining`: the prepaid balance fell below the threshold. `consumed`: the credits of the postpaid cycle reached it.'),
      threshold: z.number().int().describe('The threshold, as it was set.'),
      credits: z.number().int().describe('The balance, or the credits of the cycle.'),
    })
    .describe('A threshold of your own was crossed.'),
  'video.completed': z
    .object({ ...video, duration: z.number().int().nullable().describe('Length in seconds; null if it is not known.') })
    .describe('A stored video can be played.'),
  'video.failed': z
    .object({ ...video, message: z.string().nullable().describe('Why; null if it is not known.') })
    .describe('A stored video could not be transcoded.'),
  'document.converted': z
    .object({ ...document, pages: z.number().int().describe('Number of its pages.') })
    .describe('A document of a class can be shown.'),
  'document.failed': z
    .object({ ...document, reason: z.string().describe('Why, for people.') })
    .describe('A document of a class could not be converted.'),
  'webhook.endpoint_disabled': z
    .object({
      endpointId: z.string().describe('Id of the disabled endpoint. Your other endpoints receive this event.'),
      reason: z.enum(['gone', 'failing']).describe('`gone`: it answered 410. `failing`: every attempt failed for five days.'),
      disabledAt: timestamp.describe('When it was disabled.'),
    })
    .describe('Another endpoint of yours no longer receives events.'),
} as const satisfies Record<string, z.ZodType>;

export type PublicEventType = keyof typeof PUBLIC_EVENTS;
export type PublicEventData<T extends PublicEventType> = z.infer<(typeof PUBLIC_EVENTS)[T]>;

const types = Object.keys(PUBLIC_EVENTS) as [PublicEventType, ...PublicEventType[]];
export const publicEventType = z.enum(types);

/** An event as the history lists it and as the body of a webhook. */
export const publicEvent = z
  .object({
    id: z.string().describe('Id of the event, also the `webhook-id` header; every attempt to deliver it has the same id.'),
    type: publicEventType
      .meta({ 'x-extensible': true })
      .describe('Type of the event. More types will be added: ignore those that you do not know.'),
    timestamp: timestamp.describe('When the event became true.'),
    sequence: z.number().int().describe('Position in the organization’s history: 1, 2, 3 … without a gap.'),
    data: z.record(z.string(), z.unknown()).describe('The data of the event; the fields depend on `type`. More fields may be added.'),
  })
  .register(NAMES, { id: 'Event', description: 'An event, as the history lists it and a webhook sends it.' });
export type PublicEvent = z.infer<typeof publicEvent>;

/** The event of a test delivery. It is not part of the history and has no sequence. */
export const pingEvent = z
  .object({
    id: z.string().describe('Id of the test, also the `webhook-id` header.'),
    type: z.literal('ping').describe('Type of the event.'),
    timestamp: timestamp.describe('When you requested the test.'),
    sequence: z.null().describe('Null: a test is not part of the history.'),
    data: z.object({ endpointId: z.string().describe('Id of the tested endpoint.') }).describe('The data of the event.'),
  })
  .describe('You requested a test of an endpoint.');
export type PingEvent = z.infer<typeof pingEvent>;
