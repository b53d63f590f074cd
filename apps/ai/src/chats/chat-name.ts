/** Identifies a dialogue: `name` is the caller's chatId, or the room's sid and the student's uid. */
export interface ChatName {
  organizationId: string;
  kind: 'agent' | 'tutor';
  name: string;
  /** Whose dialogue it is: the student, or the participant whom an agent's caller names. */
  uid: string | null;
  room: { sid: string; roomId: string } | null;
}

export const agentChatName = (organizationId: string, chatId: string, participantUid: string | undefined): ChatName => ({
  organizationId,
  kind: 'agent',
  name: chatId,
  uid: participantUid ?? null,
  room: null,
});

/** The slash is an unambiguous separator: no sid and no uid contains one. */
export const tutorChatName = (organizationId: string, studentUid: string, room: { sid: string; roomId: string }): ChatName => ({
  organizationId,
  kind: 'tutor',
  name: `${room.sid}/${studentUid}`,
  uid: studentUid,
  room,
});
