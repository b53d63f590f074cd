import type { ChatMessage, ClassUpdate, Hand, Poll, Reaction, RoomDetails, Speaker } from '@classroom/contracts';
import type { RefusalCode } from '../session/refusal.js';

export type Recording = NonNullable<ClassUpdate['recording']>;

/** A message of one's own that the class does not know yet. */
export interface OutgoingMessage {
  readonly id: string;
  readonly text: string;
  /** Why it did not go through; undefined while it is under way. */
  readonly failure: RefusalCode | undefined;
}

/** The class as known so far. Immutable; a part that did not change is the same object as before. */
export interface ClassSnapshot {
  readonly version: number;
  /** Whether the server has answered once: before that, empty means unknown. */
  readonly isLoaded: boolean;
  /** In the order they went up, one's own as wished for while that is under way. */
  readonly hands: readonly Hand[];
  readonly speakers: readonly Speaker[];
  readonly messages: readonly ChatMessage[];
  readonly hasOlderMessages: boolean;
  readonly outbox: readonly OutgoingMessage[];
  /** In the order they were made. */
  readonly polls: readonly Poll[];
  /** Index of the option chosen, by pollId. */
  readonly ownVotes: Readonly<Record<string, number>>;
  /** Those to be shown at this moment. */
  readonly reactions: readonly Reaction[];
  readonly room: RoomDetails | undefined;
  readonly recording: Recording | null;
}

export const UNKNOWN: ClassSnapshot = {
  version: 0,
  isLoaded: false,
  hands: [],
  speakers: [],
  messages: [],
  hasOlderMessages: false,
  outbox: [],
  polls: [],
  ownVotes: {},
  reactions: [],
  room: undefined,
  recording: null,
};
