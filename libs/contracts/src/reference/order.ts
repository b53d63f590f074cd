/** All operations in the order of the API reference: within a chapter, the order of a class's life. */
export const ORDER = [
  ...['createRoom', 'joinRoom', 'getRoomStatus', 'listRooms', 'changeRoom', 'listRoomPolls', 'deleteRoom', 'getRoomSummary'],
  ...['listParticipants', 'getParticipant', 'changeParticipantRole', 'muteRoomParticipant', 'removeRoomParticipant'],
  ...['startRecording', 'stopRecording', 'listRecordings', 'downloadRecordings', 'publishRecording'],
  ...['getAttendance', 'getParticipantSessions'],
  'getBalance',
  ...['createVideo', 'listVideos', 'getVideoStatus', 'getVideoUrl', 'addCaption', 'deleteVideo'],
  ...['listVoices', 'agentChat', 'agentChatStream', 'getAiUsage'],
  ...['setRoomContext', 'tutorChat', 'tutorChatStream', 'tutorSummary', 'tutorUsage', 'getTutorCosts'],
  ...['createWebhookEndpoint', 'listWebhookEndpoints', 'getWebhookEndpoint', 'updateWebhookEndpoint', 'testWebhookEndpoint'],
  ...['listWebhookDeliveries', 'getWebhookDelivery', 'replayWebhookDelivery', 'replayWebhooks', 'rotateWebhookSecret'],
  'deleteWebhookEndpoint',
  'listEvents',
  ...['createApiKey', 'listApiKeys', 'rotateApiKey', 'revokeApiKey'],
  'getHealth',
  ...['openClassroomSession', 'getClassState', 'changeRoomInClass', 'startRecordingInClass', 'stopRecordingInClass', 'endClass'],
  ...['raiseHand', 'lowerHand', 'lowerAllHands', 'allowToSpeak', 'muteParticipant', 'muteEveryone', 'removeParticipant'],
  ...['sendChatMessage', 'listChatMessages', 'sendReaction'],
  ...['createPoll', 'votePoll', 'closePoll'],
  ...['askTutorInClass', 'getTutorDialogue', 'askTeacher', 'listOpenQuestions', 'resolveQuestion'],
  ...['getDashboardProfile', 'getDashboardBranding', 'updateDashboardBranding', 'getDashboardDomains', 'getDashboardUsage'],
  ...['listDashboardLedger', 'listDashboardRooms', 'listDashboardRecordings', 'listDashboardVideos'],
  ...['createOrganization', 'listOrganizations', 'getOrganization', 'updateOrganization'],
  ...['postCredits', 'listLedger', 'explainEntry', 'listStatements'],
  ...['provisionApiKey', 'listOrganizationApiKeys', 'revokeOrganizationApiKey'],
  'createDashboardToken',
  ...['getAiSettings', 'updateAiSettings'],
  'receiveLiveKitWebhook',
] as const;

const POSITIONS = new Map<string, number>(ORDER.map((operationId, index) => [operationId, index]));

/** An operation that is not listed comes last. */
const positionOf = ({ operationId }: { operationId: string }) => POSITIONS.get(operationId) ?? ORDER.length;

export const byLifeCycle = (a: { operationId: string }, b: { operationId: string }) =>
  positionOf(a) - positionOf(b) || a.operationId.localeCompare(b.operationId);
