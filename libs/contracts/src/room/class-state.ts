import { z } from 'zod';
import { shown } from '../kernel/fields.js';
import { pageOf, role, shownText, timestamp } from '../kernel/values.js';
import { NAMES, schemaHints } from '../kernel/reference.js';
import { chatSettings } from './chat-settings.js';
import { consentSettings } from './consent-settings.js';
import { PERMISSIONS_OF_ROLES, shownRolePermissions } from './permission-settings.js';
import { shownCustomization } from './class-page.js';
import { shownWaitingRoom, waitingParticipant } from './waiting-room.js';

/**
 * What a class shares in addition to audio and video. Each entry carries the room's class version at which it last changed. A
 * client that has version n asks for what changed after n and gets the same answer that was pushed.
 */
const person = { uid: shown.uid, name: shown.name };

/** Raised hands are ordered by the time they were raised. */
export const hand = z
  .object({ ...person, raisedAt: timestamp.describe('When the hand was raised. The list is in this order.') })
  .register(NAMES, { id: 'Hand', description: 'A raised hand.' });
export type Hand = z.infer<typeof hand>;

/** A student who currently may use the microphone. */
export const speaker = z
  .object({
    ...person,
    allowedBy: z.string().describe('The uid of the participant who allowed it.'),
    allowedAt: timestamp.describe('When it was allowed.'),
  })
  .register(NAMES, { id: 'Speaker', description: 'A student who currently may use the microphone.' });
export type Speaker = z.infer<typeof speaker>;

export const chatMessage = z
  .object({
    id: z.string().describe('Id of the message.'),
    ...person,
    role: role.describe('Role in the room.'),
    text: z.string().describe('The message; empty if it was deleted.'),
    sentAt: timestamp.describe('When it was sent.'),
    version: z.number().int().describe('Class version of the message; messages are in this order.'),
    audience: z
      .literal('TEACHERS')
      .optional()
      .describe('`TEACHERS`: only its author and the teachers, moderators and admins get it. Absent: everyone does.'),
    deletedAt: timestamp.optional().describe('When it was deleted; absent if it was not.'),
    deletedBy: z
      .string()
      .nullable()
      .optional()
      .describe('The uid of the participant who deleted it; null if your backend did; absent if it was not deleted.'),
    reports: z
      .number()
      .int()
      .optional()
      .describe('How many participants reported it. Only teachers, moderators, admins and your backend get it; absent if none did.'),
  })
  .register(NAMES, { id: 'ChatMessage', description: 'A message of the class chat.' });
export type ChatMessage = z.infer<typeof chatMessage>;

export const MAX_POLL_OPTIONS = 10;

export const poll = z
  .object({
    pollId: z.string().describe('Id of the poll, a UUID.'),
    question: z.string().describe('The question.'),
    options: z
      .array(
        z.object({
          text: z.string().describe('The option.'),
          votes: z.number().int().describe('Votes for it. With `hideResult`, 0 for who does not manage polls, until the poll is closed.'),
        }),
      )
      .max(MAX_POLL_OPTIONS)
      .describe('The options in the order given at creation. A vote refers to an option by its index.'),
    hideResult: z
      .boolean()
      .optional()
      .describe('`true`: only who manages polls sees the votes for each option before the poll is closed. Otherwise absent.'),
    correctOption: z
      .number()
      .int()
      .optional()
      .describe('Index of the correct option, from 0. Absent if none is marked, and in class until the poll is closed.'),
    status: z.enum(['open', 'closed']).describe('`open` until it is closed for votes.'),
    totalVotes: z.number().int().describe('Number of votes.'),
    createdBy: z.object(person).describe('Who opened the poll.'),
    createdAt: timestamp.describe('When the poll was opened.'),
    closedAt: timestamp.nullable().describe('When it was closed; null while it is open.'),
  })
  .register(NAMES, { id: 'Poll', description: 'A question to the class, with the votes for each option.' });
export type Poll = z.infer<typeof poll>;

export const REACTIONS = ['👍', '👏', '❤️', '😂', '😮', '🎉'] as const;
/** Shown for a few seconds; kept as long as a participant who reconnects could still see it. */
export const reaction = z
  .object({
    id: z.string().describe('Id of the reaction.'),
    ...person,
    emoji: z.enum(REACTIONS).describe('The reaction.'),
    sentAt: timestamp.describe('When it was sent.'),
  })
  .register(NAMES, { id: 'Reaction', description: 'A reaction, shown for a few seconds.' });
export type Reaction = z.infer<typeof reaction>;

/** A participant was removed from the class. Only those who were present are informed, not those who join later. */
export const removal = z
  .object({ ...person, role: shown.role, removedAt: timestamp.describe('When the participant was removed.') })
  .register(NAMES, { id: 'Removal', description: 'A participant who was removed from the class.' });

export const recordingState = z
  .object({
    egressId: z.string().describe('Id of the recording job.'),
    status: z.string().describe('Status of the recording, such as `ACTIVE`. More may be added.'),
    paused: z
      .boolean()
      .optional()
      .describe('`true` while the recording is paused: nothing is recorded until it is resumed. Otherwise absent.'),
  })
  .register(NAMES, { id: 'RecordingState', description: 'The state of the class’s recording.' });

export const roomDetails = z
  .object({
    title: shown.title,
    roomDescription: shown.roomDescription,
    maxParticipants: shown.maxParticipants,
    emptyTimeout: shown.emptyTimeout,
    chat: chatSettings.optional().describe('Who may write in the chat, and how often.'),
    permissions: shownRolePermissions.optional().describe(`${PERMISSIONS_OF_ROLES} Absent if it does not.`),
    consent: consentSettings.optional().describe('Which consent to recordings the class asks for, and whether AI may be used.'),
    waitingRoom: shownWaitingRoom.optional(),
    customization: shownCustomization.optional().describe('How the class page looks.'),
    classEndsAt: timestamp
      .nullable()
      .optional()
      .describe('When the class ends by its schedule at the latest; null if it has none, or if that depends on the first join.'),
  })
  .register(NAMES, {
    id: 'RoomDetails',
    description: 'Title, description, limits, permissions, chat, admission and consent settings of a room, and how its page looks.',
  });
export type RoomDetails = z.infer<typeof roomDetails>;

/** What changed after `base` up to `version`; unchanged parts are omitted. Lists of hands and speakers are always complete. */
export const classUpdate = z.object({
  base: z.number().int().describe('The update contains what changed after this version.'),
  version: z.number().int().describe('The class version after the update: `after` of the next call.'),
  hands: pageOf(hand).optional().describe('All raised hands, in order; absent if unchanged.'),
  speakers: pageOf(speaker).optional().describe('All students who may speak; absent if unchanged.'),
  messages: pageOf(chatMessage)
    .optional()
    .describe('New chat messages, and earlier ones that were deleted or reported, in order; absent if there are none.'),
  hasOlderMessages: z
    .boolean()
    .optional()
    .describe('Whether there are more messages between `base` and the first of these: `GET /v1/classroom/chat` returns those `before` it.'),
  polls: pageOf(poll).optional().describe('New and changed polls; absent if there are none.'),
  reactions: pageOf(reaction).optional().describe('New reactions; absent if there are none.'),
  removals: pageOf(removal).optional().describe('Participants who were removed; absent if there are none.'),
  waiting: pageOf(waitingParticipant)
    .optional()
    .describe('Everyone in the waiting room, the longest waiting first; only teachers, moderators and admins get it. Absent if unchanged.'),
  room: roomDetails.optional().describe('Title, description, limits and chat settings; absent if unchanged.'),
  recording: recordingState
    .nullable()
    .optional()
    .describe('The recording that is starting, running or being finished; null if there is none; absent if unchanged.'),
  isPartial: z
    .boolean()
    .optional()
    .describe('Whether the update is too large for one message and has to be fetched. Occurs only in a push.'),
  hidden: z
    .enum(['TEACHERS', 'AUTHORS'])
    .optional()
    .describe(
      'Who has to fetch the update, because it has changes that others do not get: teachers, moderators and admins, and who manages polls; with `AUTHORS` also participants with a message to the teachers. Occurs only in a push.',
    ),
});
export type ClassUpdate = z.infer<typeof classUpdate>;

/** The same, as one participant fetches it. */
export const classState = classUpdate
  .extend({
    ownVotes: z.record(z.string(), z.number().int()).describe('The caller’s votes: index of the chosen option by poll id.'),
  })
  .register(NAMES, {
    id: 'ClassState',
    description: 'What a class shares in addition to audio and video: everything, or what changed after a version.',
  });
export type ClassState = z.infer<typeof classState>;

/** LiveKit topic of the server's data packets. Clients ignore packets with this topic that a participant sent. */
export const CLASS_TOPIC = 'class';

export const chatText = shownText(2000);
/** Two answers with the same label look alike. */
function refuseSame(options: readonly string[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, option] of options.entries()) {
    const label = option.trim().normalize();
    if (seen.has(label)) context.addIssue({ code: 'custom', path: [index], message: 'must differ from the other options' });
    seen.add(label);
  }
}

export const pollInput = z.object({
  question: shownText(300).describe('The question, 1 to 300 characters.'),
  options: z
    .array(shownText(120))
    .min(2)
    .max(MAX_POLL_OPTIONS)
    .superRefine(refuseSame)
    .describe('The options: 2 to 10 different ones of 1 to 120 characters each.')
    .register(schemaHints, { uniqueItems: true }),
  hideResult: z
    .boolean()
    .optional()
    .describe('Whether students see the votes for each option only once the poll is closed. Default: `false`, they see them at once.'),
  correctOption: z
    .number()
    .int()
    .min(0)
    .max(9)
    .optional()
    .describe('Index of the correct option, from 0. The class sees it once the poll is closed. Default: none.'),
});

/** A poll as the organization's backend reads it later, with each participant's vote. */
export const pollReport = poll
  .extend({
    votes: z
      .array(
        z.object({
          ...person,
          option: z.number().int().describe('Index of the chosen option, from 0.'),
          votedAt: timestamp.describe('When the vote was cast.'),
        }),
      )
      .describe('Who voted for what.'),
  })
  .register(NAMES, { id: 'PollReport', description: 'A poll with each participant’s vote.' });
