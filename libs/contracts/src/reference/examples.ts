import answers from './answers.json';

/** What the calls were answered, with ids and times made plain: written by `npm run reference:examples`. */
const ANSWERS: Readonly<Record<string, unknown>> = answers;

/** A call as the reference shows it. Each is made, and its answer looked at, by `test/system/reference.spec.ts`. */
export interface Example {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number>>;
  body?: unknown;
}

const ROOM = { roomId: 'geometry-7b' };
const TEACHER = { uid: 'teacher-12', name: 'Sofia Kovalevskaya', role: 'TEACHER' };
const STUDENT = { uid: 'student-731', name: 'Emmy Noether', role: 'STUDENT' };
const VIDEO = { videoId: 'vid_4tGh7Jk9Lm2Np5Qr8Sv1' };
const RECORDING = { ...ROOM, recordingId: 'rec_EG_8fKq2LmN4pXy' };
const ORGANIZATION = { organizationId: 'org_7Kq2LmN4pXy9' };
const ENDPOINT = { endpointId: 'we_8Lm2Np5Qr8Sv1Tg4Jk7x' };
const DELIVERY = { ...ENDPOINT, deliveryId: 'wd_2Np5Qr8Sv1Tg4Jk7Lm9x' };
const API_KEY = { keyId: 'key_5uHj8Km2Np4Qr7St9Vw1' };
const QUESTION = { ...ROOM, studentUid: STUDENT.uid, ...ORGANIZATION, text: 'What is a hypotenuse?' };

/** In the order in which one class would make them. */
const CALLS: Record<string, Example> = {
  createOrganization: {
    body: { ...ORGANIZATION, name: 'Lakeside School', billing: { type: 'PREPAID', credits: 1000, creditRate: 0.01, currency: 'USD' }, verifiedDomains: ['lakeside.example'] },
  },
  listOrganizations: { query: { limit: '1' } },
  getOrganization: { params: ORGANIZATION },
  updateOrganization: { params: ORGANIZATION, body: { branding: { primaryColor: '#1a73e8' } } },
  postCredits: { params: ORGANIZATION, body: { amount: 500, reference: 'invoice-2026-0042', note: 'Paid by card' } },
  listLedger: { params: ORGANIZATION, query: { limit: '2' } },
  listStatements: { params: ORGANIZATION },
  getAiSettings: { params: ORGANIZATION },
  updateAiSettings: { params: ORGANIZATION, body: { credits: { perMillionInputTokens: 2, perMillionOutputTokens: 8 } } },
  provisionApiKey: { params: ORGANIZATION, body: { name: 'First key', scopes: ['keys:manage'] } },
  listOrganizationApiKeys: { params: ORGANIZATION },
  createDashboardToken: { params: ORGANIZATION, body: { subject: 'head@lakeside.example', role: 'OWNER', ttlSeconds: 900 } },
  getHealth: {},
  getBalance: {},
  createApiKey: { body: { name: 'Timetable', scopes: ['rooms:read', 'rooms:write'] } },
  listApiKeys: {},
  rotateApiKey: { params: API_KEY, body: { graceSeconds: 3600 } },
  revokeApiKey: { params: API_KEY },
  createWebhookEndpoint: { body: { url: 'https://lakeside.example/classroom-webhooks', eventTypes: ['room.finished'] } },
  createRoom: {
    body: { ...ROOM, title: 'Geometry, class 7b', participant: TEACHER, settings: { maxParticipants: 40, emptyTimeout: 300 }, customization: { showLobby: false, theme: 'light' } },
  },
  joinRoom: { params: ROOM, body: { participant: STUDENT } },
  changeRoom: { params: ROOM, body: { title: 'Geometry: right triangles' } },
  getRoomStatus: { params: ROOM },
  listRooms: { query: { limit: 20 } },
  listParticipants: { params: ROOM },
  changeParticipantRole: { params: { ...ROOM, uid: STUDENT.uid }, body: { role: 'MODERATOR' } },
  muteRoomParticipant: { params: { ...ROOM, uid: TEACHER.uid }, body: { source: 'microphone' } },
  setRoomContext: { params: ROOM, body: { topic: 'Right triangles', notes: 'The hypotenuse is the side opposite the right angle.' } },
  tutorChat: { body: QUESTION },
  tutorChatStream: { body: { ...QUESTION, text: 'And why is it the longest side?' } },
  tutorSummary: { params: ROOM },
  tutorUsage: { params: ROOM },
  getTutorCosts: { params: ROOM },
  listVoices: {},
  agentChat: { body: { chatId: 'parent-88', message: 'When does the next class begin?' } },
  agentChatStream: { body: { chatId: 'parent-88', message: 'And who teaches it?' } },
  getAiUsage: {},
  startRecording: { params: ROOM, body: { options: { layout: 'speaker', preset: 'H264_720P_30' } } },
  stopRecording: { params: ROOM },
  listRecordings: { params: ROOM },
  listRoomPolls: { params: ROOM },
  removeRoomParticipant: { params: { ...ROOM, uid: STUDENT.uid } },
  deleteRoom: { params: ROOM },
  downloadRecordings: { params: ROOM },
  publishRecording: { params: RECORDING },
  getRoomSummary: { params: ROOM },
  getAttendance: { params: ROOM },
  getDashboardProfile: {},
  getDashboardDomains: {},
  getDashboardBranding: {},
  updateDashboardBranding: { body: { accentColor: '#f9a825' } },
  getDashboardUsage: {},
  listDashboardLedger: { query: { limit: '2' } },
  listDashboardRooms: { query: { status: 'finished' } },
  listDashboardRecordings: { params: ROOM },
  listDashboardVideos: { query: { limit: 20 } },
  getParticipantSessions: { body: { uid: TEACHER.uid } },
  createVideo: { body: { title: 'Pythagoras, a proof', fileName: 'pythagoras.mp4', size: 48_250_113, contentType: 'video/mp4' } },
  listVideos: { query: { limit: 20 } },
  getVideoStatus: { params: VIDEO },
  getVideoUrl: { params: VIDEO },
  addCaption: {
    params: VIDEO,
    body: { language: 'en', label: 'English', isDefault: true, content: 'WEBVTT\n\n00:00.000 --> 00:04.000\nLet us begin with a right triangle.\n' },
  },
  deleteVideo: { params: VIDEO },
  listWebhookEndpoints: {},
  getWebhookEndpoint: { params: ENDPOINT },
  updateWebhookEndpoint: { params: ENDPOINT, body: { eventTypes: ['room.finished', 'recording.completed'] } },
  rotateWebhookSecret: { params: ENDPOINT },
  testWebhookEndpoint: { params: ENDPOINT },
  listWebhookDeliveries: { params: ENDPOINT, query: { limit: 1 } },
  getWebhookDelivery: { params: DELIVERY },
  replayWebhookDelivery: { params: DELIVERY },
  replayWebhooks: { params: ENDPOINT, body: { since: '2026-01-15T00:00:00.000Z', status: 'failed' } },
  listEvents: { query: { after: '0', limit: 2 } },
  deleteWebhookEndpoint: { params: ENDPOINT },
};

/** By operation, each with its answer. */
export const EXAMPLES: Readonly<Record<string, Example & { answer?: unknown }>> = Object.fromEntries(
  Object.entries(CALLS).map(([operationId, call]) => [operationId, { ...call, ...(operationId in ANSWERS ? { answer: ANSWERS[operationId] } : {}) }]),
);
