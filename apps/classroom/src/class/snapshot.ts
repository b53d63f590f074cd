import type { ChatMessage, ClassUpdate, Hand, Poll, RoomDetails, Speaker, WaitingParticipant } from '@classroom/contracts';

export type Recording = NonNullable<ClassUpdate['recording']>;

/** The class state as known so far. Immutable; a part that did not change is the same object as before. */
export interface ClassSnapshot {
  readonly version: number;
  /** Whether the server has answered once. Before that, empty means unknown. */
  readonly isLoaded: boolean;
  /** In the order of raising. The participant's own hand is shown as requested while the request is in progress. */
  readonly hands: readonly Hand[];
  readonly speakers: readonly Speaker[];
  readonly messages: readonly ChatMessage[];
  readonly hasOlderMessages: boolean;
  /** In the order of creation. */
  readonly polls: readonly Poll[];
  /** Index of the chosen option, by pollId. */
  readonly ownVotes: Readonly<Record<string, number>>;
  readonly room: RoomDetails | undefined;
  readonly recording: Recording | null;
  /** Who is in the waiting room, for those who may admit them. */
  readonly waiting: readonly WaitingParticipant[];
}

export const INITIAL_SNAPSHOT: ClassSnapshot = {
  version: 0,
  isLoaded: false,
  hands: [],
  speakers: [],
  messages: [],
  hasOlderMessages: false,
  polls: [],
  ownVotes: {},
  room: undefined,
  recording: null,
  waiting: [],
};
