import { z } from 'zod';
import { role, shownText, timestamp } from '../kernel/ids.js';

/**
 * What a class shares in addition to audio and video. Each entry carries the room's class version at which it last changed. A
 * client that has version n asks for what changed after n and gets the same answer that was pushed.
 */
const person = { uid: z.string(), name: z.string() };

/** Raised hands are ordered by the time they were raised. */
export const hand = z.object({ ...person, raisedAt: timestamp });
export type Hand = z.infer<typeof hand>;

/** A student who currently may use the microphone. */
export const speaker = z.object({ ...person, allowedBy: z.string(), allowedAt: timestamp });
export type Speaker = z.infer<typeof speaker>;

export const chatMessage = z.object({
  id: z.string(),
  ...person,
  role,
  text: z.string(),
  sentAt: timestamp,
  version: z.number().int(),
});
export type ChatMessage = z.infer<typeof chatMessage>;

export const poll = z.object({
  pollId: z.string(),
  question: z.string(),
  /** In the order given at creation; a vote refers to an option by its index. */
  options: z.array(z.object({ text: z.string(), votes: z.number().int() })),
  status: z.enum(['open', 'closed']),
  totalVotes: z.number().int(),
  createdBy: z.object(person),
  createdAt: timestamp,
  closedAt: timestamp.nullable(),
});
export type Poll = z.infer<typeof poll>;

export const REACTIONS = ['👍', '👏', '❤️', '😂', '😮', '🎉'] as const;
/** Shown for a few seconds; kept as long as a participant who reconnects could still see it. */
export const reaction = z.object({ id: z.string(), ...person, emoji: z.enum(REACTIONS), sentAt: timestamp });
export type Reaction = z.infer<typeof reaction>;

/** A participant was removed from the class. Only those who were present are informed, not those who join later. */
export const removal = z.object({ ...person, role: z.string(), removedAt: timestamp });

export const recordingState = z.object({ egressId: z.string(), status: z.string() });

export const roomDetails = z.object({
  title: z.string(),
  roomDescription: z.string().nullable(),
  maxParticipants: z.number().int(),
  /** Seconds from the last leave to the end of the class. */
  emptyTimeout: z.number().int(),
});
export type RoomDetails = z.infer<typeof roomDetails>;

/** What changed after `base` up to `version`; unchanged parts are omitted. Lists of hands and speakers are always complete. */
export const classUpdate = z.object({
  base: z.number().int(),
  version: z.number().int(),
  hands: z.array(hand).optional(),
  speakers: z.array(speaker).optional(),
  messages: z.array(chatMessage).optional(),
  /** True if there are more messages between `base` and the first of these: GET /v1/classroom/chat returns the messages `before` it. */
  hasOlderMessages: z.boolean().optional(),
  polls: z.array(poll).optional(),
  reactions: z.array(reaction).optional(),
  removals: z.array(removal).optional(),
  room: roomDetails.optional(),
  /** The recording that is starting, running or being finished (ENDING); null if there is none. */
  recording: recordingState.nullable().optional(),
  /** The update is too large for one message; the client has to fetch it. Occurs only in a push. */
  isPartial: z.boolean().optional(),
});
export type ClassUpdate = z.infer<typeof classUpdate>;

/** The same, as one participant fetches it. */
export const classState = classUpdate.extend({ ownVotes: z.record(z.string(), z.number().int()) });
export type ClassState = z.infer<typeof classState>;

/** LiveKit topic of the server's data packets. Clients ignore packets with this topic that a participant sent. */
export const CLASS_TOPIC = 'class';

export const chatText = shownText(2000);
export const pollInput = z.object({
  question: shownText(300),
  options: z.array(shownText(120)).min(2).max(10),
});

/** A poll as the organization's backend reads it later, with each participant's vote. */
export const pollReport = poll.extend({
  votes: z.array(z.object({ ...person, option: z.number().int(), votedAt: timestamp })),
});
