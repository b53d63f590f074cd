// Written by `npm run reference` from the contracts.

/** Method and path of what people in class call. */
export const ROUTES = {
  allowToSpeak: 'POST /v1/classroom/participants/:uid/speak',
  askTeacher: 'POST /v1/classroom/tutor/questions/:questionId/ask-teacher',
  askTutorInClass: 'POST /v1/classroom/tutor/chat/stream',
  changeRoomInClass: 'PATCH /v1/classroom/room',
  closePoll: 'POST /v1/classroom/polls/:pollId/close',
  createPoll: 'POST /v1/classroom/polls',
  endClass: 'POST /v1/classroom/end',
  getClassState: 'GET /v1/classroom/state',
  getTutorDialogue: 'GET /v1/classroom/tutor',
  listChatMessages: 'GET /v1/classroom/chat',
  listOpenQuestions: 'GET /v1/classroom/tutor/questions',
  lowerAllHands: 'POST /v1/classroom/hands/lower-all',
  lowerHand: 'POST /v1/classroom/participants/:uid/lower-hand',
  muteEveryone: 'POST /v1/classroom/mute-all',
  muteParticipant: 'POST /v1/classroom/participants/:uid/mute',
  openClassroomSession: 'POST /v1/classroom/session',
  raiseHand: 'POST /v1/classroom/hand',
  removeParticipant: 'POST /v1/classroom/participants/:uid/remove',
  resolveQuestion: 'POST /v1/classroom/tutor/questions/:questionId/resolve',
  sendChatMessage: 'POST /v1/classroom/chat',
  sendReaction: 'POST /v1/classroom/reactions',
  startRecordingInClass: 'POST /v1/classroom/recording/start',
  stopRecordingInClass: 'POST /v1/classroom/recording/stop',
  votePoll: 'POST /v1/classroom/polls/:pollId/vote',
} as const;
