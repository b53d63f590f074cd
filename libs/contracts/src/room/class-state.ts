import { z } from 'zod';
import { role, shownText, timestamp } from '../kernel/ids.js';

/**
 * What a class shares beside picture and sound. Everything carries the room's class version at which it last changed:
 * who has seen version n asks for what changed after n, and gets the same answer that was pushed.
 */
const person = { uid: z.string(), name: z.string() };

/** Raised hands stand in the order they went up. */
export const hand = z.object({ ...person, raisedAt: timestamp });
export type Hand = z.infer<typeof hand>;

/** A student who may use the microphone for now. */
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
  /** In the order they were given; an answer is named by its index. */
  options: z.array(z.object({ text: z.string(), votes: z.number().int() })),
  status: z.enum(['open', 'closed']),
  totalVotes: z.number().int(),
  createdBy: z.object(person),
  createdAt: timestamp,
  closedAt: timestamp.nullable(),
});
export type Poll = z.infer<typeof poll>;

export const REACTIONS = ['👍', '👏', '❤️', '😂', '😮', '🎉'] as const;
/** Shown for a few seconds; kept as long as somebody who reconnects could still see it. */
export const reaction = z.object({ id: z.string(), ...person, emoji: z.enum(REACTIONS), sentAt: timestamp });
export type Reaction = z.infer<typeof reaction>;

/** Somebody was put out of the class; told to those who were there, never to who comes later. */
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

/** What changed after `base` up to `version`; a part that did not change is left out. Lists of hands and speakers are whole. */
export const classUpdate = z.object({
  base: z.number().int(),
  version: z.number().int(),
  hands: z.array(hand).optional(),
  speakers: z.array(speaker).optional(),
  messages: z.array(chatMessage).optional(),
  /** True where there are more messages between `base` and the first of these: ask GET /v1/classroom/chat for what came `before` it. */
  hasOlderMessages: z.boolean().optional(),
  polls: z.array(poll).optional(),
  reactions: z.array(reaction).optional(),
  removals: z.array(removal).optional(),
  room: roomDetails.optional(),
  /** The recording that is starting, running or being finished (ENDING); null where none is. */
  recording: recordingState.nullable().optional(),
  /** Too much for one message: ask for it. Only ever in a push. */
  isPartial: z.boolean().optional(),
});
export type ClassUpdate = z.infer<typeof classUpdate>;

/** The same, asked for by one participant. */
export const classState = classUpdate.extend({ ownVotes: z.record(z.string(), z.number().int()) });
export type ClassState = z.infer<typeof classState>;

/** Topic of the server's data packets in LiveKit. One that a participant sent is no word of ours. */
export const CLASS_TOPIC = 'class';

export const chatText = shownText(2000);
export const pollInput = z.object({
  question: shownText(300),
  options: z.array(shownText(120)).min(2).max(10),
});

/** A poll as the organization's backend reads it later: with who chose what. */
export const pollReport = poll.extend({
  votes: z.array(z.object({ ...person, option: z.number().int(), votedAt: timestamp })),
});
