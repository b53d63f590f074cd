import type { Outcome } from '../usage/usage-entry.js';

/** What a dialogue is known by: the caller's chatId, or a room's sid and a student's uid. */
export interface ChatName {
  organizationId: string;
  kind: 'agent' | 'tutor';
  name: string;
  room: { sid: string; roomId: string; studentUid: string } | null;
}

export const agentChatName = (organizationId: string, chatId: string): ChatName => ({ organizationId, kind: 'agent', name: chatId, room: null });

/** A slash stands in no sid and no uid. */
export const tutorChatName = (organizationId: string, room: { sid: string; roomId: string; studentUid: string }): ChatName => ({
  organizationId,
  kind: 'tutor',
  name: `${room.sid}/${room.studentUid}`,
  room,
});

/** A chat in the hands of the one turn that is being answered. */
export interface LeasedChat {
  chatKey: string;
  /** The index of the turn to come. */
  nextIndex: number;
  summary: string | null;
  /** Turns from this index on are told whole. */
  summarizedTo: number;
}

export type TurnState = 'open' | Outcome;

export interface TurnRow {
  turnId: string;
  dialogIndex: number;
  question: string;
  answer: string;
  hasImage: boolean;
  state: TurnState;
}

export interface NewTurn {
  turnId: string;
  chatKey: string;
  dialogIndex: number;
  question: string;
  hasAudio: boolean;
  hasImage: boolean;
  askedAt: Date;
}
