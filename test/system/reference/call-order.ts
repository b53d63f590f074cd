/** The examples in the order in which one class would make them, where that matters. */
const ORDER = [
  'createOrganization', 'listOrganizations', 'getOrganization', 'updateOrganization', 'postCredits', 'listLedger', 'listStatements',
  'getAiSettings', 'updateAiSettings', 'provisionApiKey', 'listOrganizationApiKeys', 'createDashboardToken', 'getHealth', 'getBalance',
  'createApiKey', 'listApiKeys', 'rotateApiKey', 'revokeApiKey', 'createWebhookEndpoint', 'createRoom', 'joinRoom', 'changeRoom',
  'getRoomStatus', 'listRooms', 'listParticipants', 'changeParticipantRole', 'muteRoomParticipant', 'setRoomContext', 'tutorChat',
  'tutorChatStream', 'tutorSummary', 'tutorUsage', 'getTutorCosts', 'listVoices', 'agentChat', 'agentChatStream', 'getAiUsage',
  'startRecording', 'stopRecording', 'listRecordings', 'listRoomPolls', 'removeRoomParticipant', 'deleteRoom', 'downloadRecordings',
  'publishRecording', 'getRoomSummary', 'getAttendance', 'getDashboardProfile', 'getDashboardDomains', 'getDashboardBranding',
  'updateDashboardBranding', 'getDashboardUsage', 'listDashboardLedger', 'listDashboardRooms', 'listDashboardRecordings',
  'listDashboardVideos', 'getParticipantSessions', 'createVideo', 'listVideos', 'getVideoStatus', 'getVideoUrl', 'addCaption',
  'deleteVideo', 'listWebhookEndpoints', 'getWebhookEndpoint', 'updateWebhookEndpoint', 'rotateWebhookSecret', 'testWebhookEndpoint',
  'listWebhookDeliveries', 'getWebhookDelivery', 'replayWebhookDelivery', 'replayWebhooks', 'listEvents', 'deleteWebhookEndpoint',
];
/** Any other is made while the class runs. */
const WHILE_LIVE = ORDER.indexOf('removeRoomParticipant');

export const inCallOrder = (operationIds: readonly string[]): string[] => {
  const others = operationIds.filter((it) => !ORDER.includes(it));
  return [...ORDER.slice(0, WHILE_LIVE), ...others, ...ORDER.slice(WHILE_LIVE)].filter((it) => operationIds.includes(it));
};
