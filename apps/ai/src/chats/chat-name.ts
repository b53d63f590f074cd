/** Identifies a dialogue: `name` is the caller's chatId, or the room's sid and the student's uid. */
export interface ChatName {
  organizationId: string;
  kind: 'agent' | 'tutor';
  name: string;
  room: { sid: string; roomId: string; studentUid: string } | null;
}

export const agentChatName = (organizationId: string, chatId: string): ChatName => ({
  organizationId,
  kind: 'agent',
  name: chatId,
  room: null,
});

/** The slash is an unambiguous separator: no sid and no uid contains one. */
export const tutorChatName = (organizationId: string, room: { sid: string; roomId: string; studentUid: string }): ChatName => ({
  organizationId,
  kind: 'tutor',
  name: `${room.sid}/${room.studentUid}`,
  room,
});
