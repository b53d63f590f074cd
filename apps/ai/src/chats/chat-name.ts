/** What a dialogue is known by: the caller's chatId, or a room's sid and a student's uid. */
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

/** A slash stands in no sid and no uid. */
export const tutorChatName = (organizationId: string, room: { sid: string; roomId: string; studentUid: string }): ChatName => ({
  organizationId,
  kind: 'tutor',
  name: `${room.sid}/${room.studentUid}`,
  room,
});
