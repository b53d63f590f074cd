/* eslint-disable max-lines */
// Written by `npm run generate -- reference` from docs/reference.
import type { AiSettings, AiUsage, ApiKey, ApiKeyWithSecret, Attendance, AttendancePolicy, AuditEntry, Balance, CancelledErasure, ChangedRole, ChangedRoom, ChatMessage, ConsentRecord, CreatedDocument, CreatedOrganization, CreatedRoom, CreatedVideo, Credential, CredentialWithValue, CreditAlerts, DataExport, DeadLetter, DecidedAdmission, Document, DocumentWithPages, Domain, EndedDashboardSession, EndedRoom, Engagement, Erasure, Event, ExplainedEntry, Health, JoinHookWithSecret, JoinResult, LedgerEntry, MutedParticipant, OperatorsAuditEntry, Organization, Pagination, Participant, ParticipantQuality, PollReport, PostedCredits, Preset, Problem, Recording, RecordingBucket, RecordingDownloads, RecordingEventData, RecordingHold, RemovedParticipant, ReplayedWebhooks, RevokedApiKey, RevokedCredential, RevokedDashboardTokens, Room, RoomBoard, RoomContext, RoomStatusReport, RoomSummary, SessionsByRoom, SessionsInRoom, StartedRecording, Statement, StoppedRecording, System, TokenUsage, TopQuery, TutorCosts, Video, VideoCaptions, VideoProgress, VideoUrl, VideoUsage, Voice, WaitingParticipant, WebhookDelivery, WebhookDeliveryDetails, WebhookEndpoint, WebhookEndpointWithSecret, WholeRoom } from './entities.js';

/** Method and path of every call. */
export const ROUTES = {
  createRoom: 'POST /v1/room/create',
  joinRoom: 'POST /v1/room/{roomId}/join',
  getRoomStatus: 'GET /v1/room/{roomId}/status',
  listRooms: 'GET /v1/rooms',
  getRoom: 'GET /v1/room/{roomId}',
  changeRoom: 'PATCH /v1/room/{roomId}',
  deleteRoom: 'DELETE /v1/room/{roomId}',
  listRoomPolls: 'GET /v1/room/{roomId}/polls',
  listRoomChat: 'GET /v1/room/{roomId}/chat',
  getRoomBoard: 'GET /v1/room/{roomId}/board',
  deleteChatMessage: 'DELETE /v1/room/{roomId}/chat/{messageId}',
  listConsents: 'GET /v1/room/{roomId}/consents',
  getRoomSummary: 'GET /v1/room/{roomId}/summary',
  setPreset: 'PUT /v1/presets/{presetName}',
  getPreset: 'GET /v1/presets/{presetName}',
  deletePreset: 'DELETE /v1/presets/{presetName}',
  listPresets: 'GET /v1/presets',
  listParticipants: 'GET /v1/room/{roomId}/participants',
  getParticipant: 'GET /v1/room/{roomId}/participants/{uid}',
  changeRole: 'PATCH /v1/room/{roomId}/participants/{uid}',
  muteParticipant: 'POST /v1/room/{roomId}/participants/{uid}/mute',
  listWaiting: 'GET /v1/room/{roomId}/waiting',
  decideAdmission: 'POST /v1/room/{roomId}/participants/{uid}/admission',
  admitEveryone: 'POST /v1/room/{roomId}/admit-all',
  removeParticipant: 'POST /v1/room/{roomId}/participants/{uid}/remove',
  startRecording: 'POST /v1/room/{roomId}/recording/start',
  stopRecording: 'POST /v1/room/{roomId}/recording/stop',
  pauseRecording: 'POST /v1/room/{roomId}/recording/pause',
  resumeRecording: 'POST /v1/room/{roomId}/recording/resume',
  listRecordings: 'GET /v1/room/{roomId}/recordings',
  mergeRecordings: 'POST /v1/room/{roomId}/recordings/merge',
  downloadRecordings: 'GET /v1/room/{roomId}/recordings/download',
  holdRecording: 'POST /v1/room/{roomId}/recordings/{recordingId}/hold',
  publishRecording: 'POST /v1/room/{roomId}/recordings/{recordingId}/publish',
  setRecordingBucket: 'PUT /v1/recording-bucket',
  getRecordingBucket: 'GET /v1/recording-bucket',
  deleteRecordingBucket: 'DELETE /v1/recording-bucket',
  getAttendance: 'GET /v1/room/{roomId}/attendance',
  listEngagement: 'GET /v1/room/{roomId}/engagement',
  explainQuality: 'GET /v1/room/{roomId}/participants/{uid}/quality',
  getParticipantSessions: 'POST /v1/participant/sessions',
  getBalance: 'GET /v1/billing/balance',
  listLedger: 'GET /v1/billing/ledger',
  explainEntry: 'GET /v1/billing/ledger/{entryId}/explain',
  listStatements: 'GET /v1/billing/statements',
  getStatementPdf: 'GET /v1/billing/statements/{statementId}/pdf',
  setCreditAlerts: 'PUT /v1/billing/alerts',
  getCreditAlerts: 'GET /v1/billing/alerts',
  createDocument: 'POST /v1/room/{roomId}/documents',
  listDocuments: 'GET /v1/room/{roomId}/documents',
  getDocument: 'GET /v1/room/{roomId}/documents/{documentId}',
  deleteDocument: 'DELETE /v1/room/{roomId}/documents/{documentId}',
  createVideo: 'POST /v1/cdn/videos',
  listVideos: 'GET /v1/cdn/videos',
  getVideoStatus: 'GET /v1/cdn/videos/{videoId}/status',
  getVideoUrl: 'GET /v1/cdn/videos/{videoId}/url',
  addCaption: 'POST /v1/cdn/videos/{videoId}/captions',
  deleteVideo: 'DELETE /v1/cdn/videos/{videoId}',
  listVoices: 'GET /v1/ai-agent/voices',
  agentChat: 'POST /v1/ai-agent/chat',
  agentChatStream: 'POST /v1/ai-agent/chat/stream',
  getAiUsage: 'GET /v1/ai-agent/usage/summary',
  setRoomContext: 'POST /v1/room/{roomId}/context',
  tutorChat: 'POST /v1/ai-tutor/chat',
  tutorChatStream: 'POST /v1/ai-tutor/chat/stream',
  tutorSummary: 'GET /v1/ai-tutor/summary/{roomId}',
  tutorUsage: 'GET /v1/ai-tutor/usage/{roomId}',
  getTutorCosts: 'GET /v1/ai-tutor/usage/{roomId}/students',
  createWebhookEndpoint: 'POST /v1/webhook-endpoints',
  listWebhookEndpoints: 'GET /v1/webhook-endpoints',
  getWebhookEndpoint: 'GET /v1/webhook-endpoints/{endpointId}',
  updateWebhookEndpoint: 'PATCH /v1/webhook-endpoints/{endpointId}',
  deleteWebhookEndpoint: 'DELETE /v1/webhook-endpoints/{endpointId}',
  testWebhookEndpoint: 'POST /v1/webhook-endpoints/{endpointId}/test',
  listWebhookDeliveries: 'GET /v1/webhook-endpoints/{endpointId}/deliveries',
  getWebhookDelivery: 'GET /v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}',
  replayWebhookDelivery: 'POST /v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay',
  replayWebhooks: 'POST /v1/webhook-endpoints/{endpointId}/replay',
  rotateWebhookSecret: 'POST /v1/webhook-endpoints/{endpointId}/rotate-secret',
  listEvents: 'GET /v1/events',
  streamEvents: 'GET /v1/events/stream',
  createCredential: 'POST /v1/credentials',
  listCredentials: 'GET /v1/credentials',
  revokeCredential: 'DELETE /v1/credentials/{credentialId}',
  createApiKey: 'POST /v1/api-keys',
  listApiKeys: 'GET /v1/api-keys',
  rotateApiKey: 'POST /v1/api-keys/{keyId}/rotate',
  revokeApiKey: 'DELETE /v1/api-keys/{keyId}',
  issueDashboardToken: 'POST /v1/dashboard-tokens',
  revokeDashboardTokens: 'DELETE /v1/dashboard-tokens',
  endDashboardSession: 'DELETE /v1/dashboard-sessions/{sessionId}',
  listAudit: 'GET /v1/audit',
  getHealth: 'GET /v1/health/status',
  createErasure: 'POST /v1/privacy/erasures',
  getErasure: 'GET /v1/privacy/erasures/{erasureId}',
  cancelErasure: 'DELETE /v1/privacy/erasures/{erasureId}',
  createExport: 'POST /v1/privacy/exports',
  getExport: 'GET /v1/privacy/exports/{exportId}',
  openDashboardSession: 'POST /v1/dashboard/session',
  createOrganization: 'POST /v1/admin/organizations',
  listOrganizations: 'GET /v1/admin/organizations',
  getOrganization: 'GET /v1/admin/organizations/{organizationId}',
  updateOrganization: 'PATCH /v1/admin/organizations/{organizationId}',
  deleteOrganization: 'DELETE /v1/admin/organizations/{organizationId}',
  setLogoForOrganization: 'PUT /v1/admin/organizations/{organizationId}/logo',
  deleteLogoForOrganization: 'DELETE /v1/admin/organizations/{organizationId}/logo',
  setJoinHook: 'PUT /v1/admin/organizations/{organizationId}/join-hook',
  deleteJoinHook: 'DELETE /v1/admin/organizations/{organizationId}/join-hook',
  addDomain: 'POST /v1/admin/organizations/{organizationId}/domains',
  listDomainsForOrganization: 'GET /v1/admin/organizations/{organizationId}/domains',
  checkDomainForOrganization: 'POST /v1/admin/organizations/{organizationId}/domains/{domain}/check',
  removeDomain: 'DELETE /v1/admin/organizations/{organizationId}/domains/{domain}',
  getOrganizationErasure: 'GET /v1/admin/organizations/{organizationId}/erasure',
  cancelOrganizationErasure: 'DELETE /v1/admin/organizations/{organizationId}/erasure',
  postCredits: 'POST /v1/admin/organizations/{organizationId}/credits',
  getBalanceForOrganization: 'GET /v1/admin/organizations/{organizationId}/balance',
  listLedgerForOrganization: 'GET /v1/admin/organizations/{organizationId}/ledger',
  explainEntryForOrganization: 'GET /v1/admin/organizations/{organizationId}/ledger/{entryId}/explain',
  listStatementsForOrganization: 'GET /v1/admin/organizations/{organizationId}/statements',
  getStatementPdfForOrganization: 'GET /v1/admin/organizations/{organizationId}/statements/{statementId}/pdf',
  createCredentialForOrganization: 'POST /v1/admin/organizations/{organizationId}/credentials',
  listCredentialsForOrganization: 'GET /v1/admin/organizations/{organizationId}/credentials',
  revokeCredentialForOrganization: 'DELETE /v1/admin/organizations/{organizationId}/credentials/{credentialId}',
  createApiKeyForOrganization: 'POST /v1/admin/organizations/{organizationId}/api-keys',
  listApiKeysForOrganization: 'GET /v1/admin/organizations/{organizationId}/api-keys',
  revokeApiKeyForOrganization: 'DELETE /v1/admin/organizations/{organizationId}/api-keys/{keyId}',
  issueDashboardTokenForOrganization: 'POST /v1/admin/organizations/{organizationId}/dashboard-tokens',
  revokeDashboardTokensForOrganization: 'DELETE /v1/admin/organizations/{organizationId}/dashboard-tokens',
  endDashboardSessionForOrganization: 'DELETE /v1/admin/organizations/{organizationId}/dashboard-sessions/{sessionId}',
  getAiSettings: 'GET /v1/admin/organizations/{organizationId}/ai',
  updateAiSettings: 'PATCH /v1/admin/organizations/{organizationId}/ai',
  listAuditOfAll: 'GET /v1/admin/audit',
  getSystem: 'GET /v1/admin/system',
  listDeadLetters: 'GET /v1/admin/dead-letters',
  getDeadLetter: 'GET /v1/admin/dead-letters/{deadLetterId}',
  discardDeadLetter: 'DELETE /v1/admin/dead-letters/{deadLetterId}',
  replayDeadLetter: 'POST /v1/admin/dead-letters/{deadLetterId}/replay',
} as const;

/** What every call takes, and the whole JSON body of its answer. */
export interface Operations {
  /** Creates a room and returns the first participant’s token and link. */
  createRoom: {
    body: {
      roomId: string;
      title: string;
      participant: {
        uid: string;
        name: string;
        role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN';
        photoURL?: string | null;
        permissions?: {
          publishAudio?: boolean | null;
          publishVideo?: boolean | null;
          shareScreen?: boolean | null;
          chat?: boolean | null;
          raiseHand?: boolean | null;
          react?: boolean | null;
          answerPolls?: boolean | null;
          managePolls?: boolean | null;
          draw?: boolean | null;
          manageBoard?: boolean | null;
          manageParticipants?: boolean | null;
          startRecording?: boolean | null;
          stopRecording?: boolean | null;
          endClass?: boolean | null;
          changeRoom?: boolean | null;
        } | null;
        ui?: {
          hideChat?: boolean | null;
          hideParticipants?: boolean | null;
          hidePolls?: boolean | null;
          hideLobby?: boolean | null;
        } | null;
        ai?: boolean | null;
        notBefore?: string | null;
        expiresIn?: number | null;
      };
      roomDescription?: string | null;
      metadata?: Record<string, unknown> | null;
      customization?: { showLobby?: boolean | null; showVideoControls?: boolean | null; theme?: string | null } | null;
      settings?: {
        maxParticipants?: number | null;
        emptyTimeout?: number | null;
        autoRecord?: boolean | null;
        budget?: { maxCredits: number; onReached?: 'warn' | 'closeDoors' | 'endClass' | null } | null;
        attendance?: {
          lateAfter?: number | null;
          leftBefore?: number | null;
          minimumPresence?: number | null;
          reconnectGrace?: number | null;
        } | null;
        waitingRoom?: 'OFF' | 'STUDENTS' | 'ALL' | null;
        duplicateJoin?: 'replace' | 'refuse' | null;
        muteOnJoin?: boolean | null;
        chat?: { mode?: 'ALL' | 'TEACHERS' | 'OFF' | null; slowModeSeconds?: number | null } | null;
        permissions?: {
          TEACHER?: {
            publishAudio?: boolean | null;
            publishVideo?: boolean | null;
            shareScreen?: boolean | null;
            chat?: boolean | null;
            raiseHand?: boolean | null;
            react?: boolean | null;
            answerPolls?: boolean | null;
            managePolls?: boolean | null;
            draw?: boolean | null;
            manageBoard?: boolean | null;
            manageParticipants?: boolean | null;
            startRecording?: boolean | null;
            stopRecording?: boolean | null;
            endClass?: boolean | null;
            changeRoom?: boolean | null;
          } | null;
          STUDENT?: {
            publishAudio?: boolean | null;
            publishVideo?: boolean | null;
            shareScreen?: boolean | null;
            chat?: boolean | null;
            raiseHand?: boolean | null;
            react?: boolean | null;
            answerPolls?: boolean | null;
            managePolls?: boolean | null;
            draw?: boolean | null;
            manageBoard?: boolean | null;
            manageParticipants?: boolean | null;
            startRecording?: boolean | null;
            stopRecording?: boolean | null;
            endClass?: boolean | null;
            changeRoom?: boolean | null;
          } | null;
          MODERATOR?: {
            publishAudio?: boolean | null;
            publishVideo?: boolean | null;
            shareScreen?: boolean | null;
            chat?: boolean | null;
            raiseHand?: boolean | null;
            react?: boolean | null;
            answerPolls?: boolean | null;
            managePolls?: boolean | null;
            draw?: boolean | null;
            manageBoard?: boolean | null;
            manageParticipants?: boolean | null;
            startRecording?: boolean | null;
            stopRecording?: boolean | null;
            endClass?: boolean | null;
            changeRoom?: boolean | null;
          } | null;
          ADMIN?: {
            publishAudio?: boolean | null;
            publishVideo?: boolean | null;
            shareScreen?: boolean | null;
            chat?: boolean | null;
            raiseHand?: boolean | null;
            react?: boolean | null;
            answerPolls?: boolean | null;
            managePolls?: boolean | null;
            draw?: boolean | null;
            manageBoard?: boolean | null;
            manageParticipants?: boolean | null;
            startRecording?: boolean | null;
            stopRecording?: boolean | null;
            endClass?: boolean | null;
            changeRoom?: boolean | null;
          } | null;
        } | null;
        consent?: {
          recording?: { ask: 'join' | 'recording'; without: 'refuse' | 'mute' | 'hide'; version: string; text: string } | null;
          ai?: boolean | null;
        } | null;
        startsAt?: string | null;
        endsAt?: string | null;
        joinBefore?: number | null;
        maxDuration?: number | null;
      } | null;
      roster?: { uid: string; name?: string | null }[] | null;
      preset?: string | null;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: CreatedRoom };
  };
  /** Returns a token and a link for a participant of a room. Before the room opens by its schedule, the link counts down. */
  joinRoom: {
    params: { roomId: string };
    body: {
      participant: {
        uid: string;
        name: string;
        role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN';
        photoURL?: string | null;
        permissions?: {
          publishAudio?: boolean | null;
          publishVideo?: boolean | null;
          shareScreen?: boolean | null;
          chat?: boolean | null;
          raiseHand?: boolean | null;
          react?: boolean | null;
          answerPolls?: boolean | null;
          managePolls?: boolean | null;
          draw?: boolean | null;
          manageBoard?: boolean | null;
          manageParticipants?: boolean | null;
          startRecording?: boolean | null;
          stopRecording?: boolean | null;
          endClass?: boolean | null;
          changeRoom?: boolean | null;
        } | null;
        ui?: {
          hideChat?: boolean | null;
          hideParticipants?: boolean | null;
          hidePolls?: boolean | null;
          hideLobby?: boolean | null;
        } | null;
        ai?: boolean | null;
        notBefore?: string | null;
        expiresIn?: number | null;
      };
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: JoinResult };
  };
  /** Returns whether a room exists and is live, and how many participants are connected. */
  getRoomStatus: {
    params: { roomId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: RoomStatusReport };
  };
  /** Returns the organization’s rooms, newest first, as JSON or CSV. Filters: status, date of creation, start of the class, title. */
  listRooms: {
    query?: {
      status?: 'created' | 'live' | 'finished';
      startDate?: string;
      endDate?: string;
      startedFrom?: string;
      startedTo?: string;
      title?: string;
      cursor?: string;
      limit?: number;
      export?: 'csv' | 'json';
      bom?: 'true' | 'false';
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { rooms: Room[]; nextCursor: string | null } };
  };
  /** Returns everything that was given for a room, and what happened. Also works after the class. To poll, use *Get room status*. */
  getRoom: { params: { roomId: string }; answer: { success: true; warnings?: Problem[]; message?: string; data: WholeRoom } };
  /** Changes what was given for a room, before or during the class. Omitted fields stay as they are. */
  changeRoom: {
    params: { roomId: string };
    body: {
      title?: string | null;
      roomDescription?: string | null;
      metadata?: Record<string, unknown> | null;
      customization?: { showLobby?: boolean | null; showVideoControls?: boolean | null; theme?: string | null } | null;
      settings?: {
        maxParticipants?: number | null;
        emptyTimeout?: number | null;
        chat?: { mode?: 'ALL' | 'TEACHERS' | 'OFF' | null; slowModeSeconds?: number | null } | null;
        waitingRoom?: 'OFF' | 'STUDENTS' | 'ALL' | null;
        autoRecord?: boolean | null;
        duplicateJoin?: 'replace' | 'refuse' | null;
        muteOnJoin?: boolean | null;
        permissions?: {
          TEACHER?: {
            publishAudio?: boolean | null;
            publishVideo?: boolean | null;
            shareScreen?: boolean | null;
            chat?: boolean | null;
            raiseHand?: boolean | null;
            react?: boolean | null;
            answerPolls?: boolean | null;
            managePolls?: boolean | null;
            draw?: boolean | null;
            manageBoard?: boolean | null;
            manageParticipants?: boolean | null;
            startRecording?: boolean | null;
            stopRecording?: boolean | null;
            endClass?: boolean | null;
            changeRoom?: boolean | null;
          } | null;
          STUDENT?: {
            publishAudio?: boolean | null;
            publishVideo?: boolean | null;
            shareScreen?: boolean | null;
            chat?: boolean | null;
            raiseHand?: boolean | null;
            react?: boolean | null;
            answerPolls?: boolean | null;
            managePolls?: boolean | null;
            draw?: boolean | null;
            manageBoard?: boolean | null;
            manageParticipants?: boolean | null;
            startRecording?: boolean | null;
            stopRecording?: boolean | null;
            endClass?: boolean | null;
            changeRoom?: boolean | null;
          } | null;
          MODERATOR?: {
            publishAudio?: boolean | null;
            publishVideo?: boolean | null;
            shareScreen?: boolean | null;
            chat?: boolean | null;
            raiseHand?: boolean | null;
            react?: boolean | null;
            answerPolls?: boolean | null;
            managePolls?: boolean | null;
            draw?: boolean | null;
            manageBoard?: boolean | null;
            manageParticipants?: boolean | null;
            startRecording?: boolean | null;
            stopRecording?: boolean | null;
            endClass?: boolean | null;
            changeRoom?: boolean | null;
          } | null;
          ADMIN?: {
            publishAudio?: boolean | null;
            publishVideo?: boolean | null;
            shareScreen?: boolean | null;
            chat?: boolean | null;
            raiseHand?: boolean | null;
            react?: boolean | null;
            answerPolls?: boolean | null;
            managePolls?: boolean | null;
            draw?: boolean | null;
            manageBoard?: boolean | null;
            manageParticipants?: boolean | null;
            startRecording?: boolean | null;
            stopRecording?: boolean | null;
            endClass?: boolean | null;
            changeRoom?: boolean | null;
          } | null;
        } | null;
        consent?: {
          recording?: { ask: 'join' | 'recording'; without: 'refuse' | 'mute' | 'hide'; version: string; text: string } | null;
          ai?: boolean | null;
        } | null;
        budget?: { maxCredits?: number | null; onReached?: 'warn' | 'closeDoors' | 'endClass' | null } | null;
        attendance?: {
          lateAfter?: number | null;
          leftBefore?: number | null;
          minimumPresence?: number | null;
          reconnectGrace?: number | null;
        } | null;
        startsAt?: string | null;
        endsAt?: string | null;
        joinBefore?: number | null;
        maxDuration?: number | null;
      } | null;
      roster?: { uid: string; name?: string | null }[] | null;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: ChangedRoom };
  };
  /** Ends the class and disconnects everyone. The roomId cannot be used again. */
  deleteRoom: { params: { roomId: string }; answer: { success: true; warnings?: Problem[]; message?: string; data: EndedRoom } };
  /** Returns the polls of a room with their votes, also after the class. */
  listRoomPolls: { params: { roomId: string }; answer: { success: true; warnings?: Problem[]; message?: string; data: PollReport[] } };
  /** Returns the chat of a room, also after the class: all messages, those to the teachers included, with the number of their reports. */
  listRoomChat: {
    params: { roomId: string };
    query?: { cursor?: string; limit?: number; export?: 'csv' | 'json'; format?: 'report' | 'table'; bom?: 'true' | 'false' };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { messages: ChatMessage[]; nextCursor: string | null };
    };
  };
  /** Returns the board of a room, also after the class: all pages with what is drawn on them as JSON or as a PDF file over the slides, or one page as a picture (SVG, PNG). */
  getRoomBoard: {
    params: { roomId: string };
    query?: { format?: 'json' | 'svg' | 'png' | 'pdf'; pageId?: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: RoomBoard };
  };
  /** Erases the text of a message for everyone, also after the class; who wrote it and when it was deleted remain. Deleting it again changes nothing. */
  deleteChatMessage: {
    params: { roomId: string; messageId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: ChatMessage };
  };
  /** Returns every answer to a question for consent in a room, oldest first. Also works after the class. */
  listConsents: {
    params: { roomId: string };
    query?: { cursor?: string; limit?: number };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { consents: ConsentRecord[]; nextCursor: string | null };
    };
  };
  /** Returns the participants, the minutes and the credits of a class. */
  getRoomSummary: { params: { roomId: string }; answer: { success: true; warnings?: Problem[]; message?: string; data: RoomSummary } };
  /** Creates or replaces a preset. Rooms that exist stay as they are. An organization has 50 presets at most. */
  setPreset: {
    params: { presetName: string };
    body: {
      customization?: { showLobby?: boolean | null; showVideoControls?: boolean | null; theme?: string | null } | null;
      settings?: {
        maxParticipants?: number | null;
        emptyTimeout?: number | null;
        autoRecord?: boolean | null;
        budget?: { maxCredits: number; onReached?: 'warn' | 'closeDoors' | 'endClass' | null } | null;
        attendance?: {
          lateAfter?: number | null;
          leftBefore?: number | null;
          minimumPresence?: number | null;
          reconnectGrace?: number | null;
        } | null;
        waitingRoom?: 'OFF' | 'STUDENTS' | 'ALL' | null;
        duplicateJoin?: 'replace' | 'refuse' | null;
        muteOnJoin?: boolean | null;
        chat?: { mode?: 'ALL' | 'TEACHERS' | 'OFF' | null; slowModeSeconds?: number | null } | null;
        permissions?: {
          TEACHER?: {
            publishAudio?: boolean | null;
            publishVideo?: boolean | null;
            shareScreen?: boolean | null;
            chat?: boolean | null;
            raiseHand?: boolean | null;
            react?: boolean | null;
            answerPolls?: boolean | null;
            managePolls?: boolean | null;
            draw?: boolean | null;
            manageBoard?: boolean | null;
            manageParticipants?: boolean | null;
            startRecording?: boolean | null;
            stopRecording?: boolean | null;
            endClass?: boolean | null;
            changeRoom?: boolean | null;
          } | null;
          STUDENT?: {
            publishAudio?: boolean | null;
            publishVideo?: boolean | null;
            shareScreen?: boolean | null;
            chat?: boolean | null;
            raiseHand?: boolean | null;
            react?: boolean | null;
            answerPolls?: boolean | null;
            managePolls?: boolean | null;
            draw?: boolean | null;
            manageBoard?: boolean | null;
            manageParticipants?: boolean | null;
            startRecording?: boolean | null;
            stopRecording?: boolean | null;
            endClass?: boolean | null;
            changeRoom?: boolean | null;
          } | null;
          MODERATOR?: {
            publishAudio?: boolean | null;
            publishVideo?: boolean | null;
            shareScreen?: boolean | null;
            chat?: boolean | null;
            raiseHand?: boolean | null;
            react?: boolean | null;
            answerPolls?: boolean | null;
            managePolls?: boolean | null;
            draw?: boolean | null;
            manageBoard?: boolean | null;
            manageParticipants?: boolean | null;
            startRecording?: boolean | null;
            stopRecording?: boolean | null;
            endClass?: boolean | null;
            changeRoom?: boolean | null;
          } | null;
          ADMIN?: {
            publishAudio?: boolean | null;
            publishVideo?: boolean | null;
            shareScreen?: boolean | null;
            chat?: boolean | null;
            raiseHand?: boolean | null;
            react?: boolean | null;
            answerPolls?: boolean | null;
            managePolls?: boolean | null;
            draw?: boolean | null;
            manageBoard?: boolean | null;
            manageParticipants?: boolean | null;
            startRecording?: boolean | null;
            stopRecording?: boolean | null;
            endClass?: boolean | null;
            changeRoom?: boolean | null;
          } | null;
        } | null;
        consent?: {
          recording?: { ask: 'join' | 'recording'; without: 'refuse' | 'mute' | 'hide'; version: string; text: string } | null;
          ai?: boolean | null;
        } | null;
        joinBefore?: number | null;
        maxDuration?: number | null;
      } | null;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: Preset };
  };
  /** Returns one preset. */
  getPreset: { params: { presetName: string }; answer: { success: true; warnings?: Problem[]; message?: string; data: Preset } };
  /** Deletes a preset. Rooms that were created with it stay as they are. */
  deletePreset: {
    params: { presetName: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { name: string } };
  };
  /** Returns all presets of the organization. */
  listPresets: { answer: { success: true; warnings?: Problem[]; message?: string; data: { presets: Preset[] } } };
  /** Returns everyone for whom a token was created, and whether they are connected now. Also works after the class. */
  listParticipants: {
    params: { roomId: string };
    query?: { connected?: 'true' | 'false'; cursor?: string; limit?: number };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { participants: Participant[]; nextCursor: string | null };
    };
  };
  /** Returns one participant of a room, and whether they are connected now. Also works after the class. */
  getParticipant: {
    params: { roomId: string; uid: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: Participant };
  };
  /** Changes the role of a participant immediately. The new role overrides the one in their token. */
  changeRole: {
    params: { roomId: string; uid: string };
    body: { role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN' };
    answer: { success: true; warnings?: Problem[]; message?: string; data: ChangedRole };
  };
  /** Mutes a track of a participant. Only the participant can unmute it. */
  muteParticipant: {
    params: { roomId: string; uid: string };
    body?: { source?: 'microphone' | 'camera' | 'screen' | null };
    answer: { success: true; warnings?: Problem[]; message?: string; data: MutedParticipant };
  };
  /** Returns the participants in the waiting room, the longest waiting first: the first 500. */
  listWaiting: {
    params: { roomId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { participants: WaitingParticipant[] } };
  };
  /** Admits a participant from the waiting room, also before they come, or refuses them. */
  decideAdmission: {
    params: { roomId: string; uid: string };
    body: { decision: 'ADMIT' | 'REFUSE' };
    answer: { success: true; warnings?: Problem[]; message?: string; data: DecidedAdmission };
  };
  /** Admits everyone who is waiting. */
  admitEveryone: {
    params: { roomId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { admitted: number } };
  };
  /** Disconnects a participant and revokes their tokens. A token created later admits them again. */
  removeParticipant: {
    params: { roomId: string; uid: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: RemovedParticipant };
  };
  /** Starts the recording of a live room. */
  startRecording: {
    params: { roomId: string };
    body?: {
      options?: {
        showLogo?: boolean | null;
        layout?: 'grid' | 'speaker' | null;
        preset?: 'H264_720P_30' | 'H264_1080P_30' | null;
        audioOnly?: boolean | null;
      } | null;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: StartedRecording };
  };
  /** Stops the recording of a room. Its file is then finalized. A paused recording, whose file has ended, is paused no longer. */
  stopRecording: {
    params: { roomId: string };
    body?: { egressId?: string | null };
    answer: { success: true; warnings?: Problem[]; message?: string; data: StoppedRecording };
  };
  /** Pauses the recording of a room: its file ends here, and *Resume recording* begins the next one with the same options. A paused recording needs no stop. *Merge recordings* makes one file of all after the class. */
  pauseRecording: {
    params: { roomId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: StoppedRecording };
  };
  /** Continues a paused recording in a new file with the same options. */
  resumeRecording: {
    params: { roomId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: StartedRecording };
  };
  /** Returns the past and current recordings of a room. */
  listRecordings: { params: { roomId: string }; answer: { success: true; warnings?: Problem[]; message?: string; data: Recording[] } };
  /** Makes one file of all files of a class that has ended, in their order and without another loss of quality. The result is one more recording, `COMPLETED` after some seconds; the parts stay. Repeated calls return the same recording. */
  mergeRecordings: {
    params: { roomId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: StartedRecording };
  };
  /** Returns download links for the recordings of a class that has ended. */
  downloadRecordings: {
    params: { roomId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: RecordingDownloads };
  };
  /** Begins or ends a legal hold of a recording: during a hold its files are not deleted. An API key ends one only with the scope `recordings:manage`. An organization whose erasure was requested may call it too: the erasure waits until the hold ends. */
  holdRecording: {
    params: { roomId: string; recordingId: string };
    body: { legalHold: boolean };
    answer: { success: true; warnings?: Problem[]; message?: string; data: RecordingHold };
  };
  /** Creates a video from a finished recording. Publishing the same recording again returns the same video. */
  publishRecording: {
    params: { roomId: string; recordingId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: VideoProgress };
  };
  /** Sets the bucket of your own to which every recording is copied that is completed from now on. Copies that wait or have failed are tried again. Before it is stored, a test object is written below the prefix. The key needs only `s3:PutObject`: nothing is read, listed or deleted. */
  setRecordingBucket: {
    body: {
      endpoint: string;
      region?: string | null;
      bucket: string;
      prefix?: string | null;
      accessKeyId: string;
      secretAccessKey: string;
      forcePathStyle?: boolean | null;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: RecordingBucket };
  };
  /** Returns the bucket to which recordings are copied, and whether the last attempt succeeded. */
  getRecordingBucket: { answer: { success: true; warnings?: Problem[]; message?: string; data: RecordingBucket } };
  /** Deletes the setting with its key. Copies that wait are given up; those in the bucket stay there. */
  deleteRecordingBucket: { answer: { success: true; warnings?: Problem[]; message?: string; data: { deletedAt: string } } };
  /** Returns for everyone who was in a class the first join, the last leave, the total time and the share of the class; with an attendance policy, also who was late, left early or was absent. */
  getAttendance: {
    params: { roomId: string };
    query?: { export?: 'csv' | 'json'; format?: 'report' | 'table'; bom?: 'true' | 'false' };
    answer: { success: true; warnings?: Problem[]; message?: string; data: Attendance };
  };
  /** Returns how everyone for whom a token was created took part: time in class, speech and camera as the class page measured them, hands, chat, reactions, poll answers and questions to the tutor. Works during the class and after it. */
  listEngagement: {
    params: { roomId: string };
    query?: { cursor?: string; limit?: number };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { participants: Engagement[]; nextCursor: string | null };
    };
  };
  /** Answers why a class was bad for a participant: a verdict, the causes in words, and each minute as the class page measured it. Works during the class and after it. */
  explainQuality: {
    params: { roomId: string; uid: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: ParticipantQuality };
  };
  /** Returns when a participant was in which class, as JSON or CSV. */
  getParticipantSessions: {
    body: {
      uid: string;
      roomId?: string | null;
      startDate?: string | null;
      endDate?: string | null;
      page?: number | null;
      limit?: number | null;
      export?: 'csv' | 'json' | null;
      format?: 'report' | 'table' | null;
      bom?: boolean | null;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: SessionsByRoom | SessionsInRoom };
  };
  /** Returns the remaining credits (prepaid) or the credits used in this cycle (postpaid). */
  getBalance: { answer: { success: true; warnings?: Problem[]; message?: string; data: Balance } };
  /** Returns every entry behind the balance, newest first. */
  listLedger: {
    query?: {
      cursor?: string;
      limit?: string;
      kind?: 'OPENING' | 'TOP_UP' | 'CORRECTION' | 'CHARGE' | 'ADJUSTMENT' | 'AI_USAGE';
      roomId?: string;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { entries: LedgerEntry[]; pagination: Pagination } };
  };
  /** Returns the sessions or the AI usage behind a charge and computes the charge again. */
  explainEntry: {
    params: { entryId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: ExplainedEntry };
  };
  /** Returns the closed postpaid cycles, newest first. */
  listStatements: { answer: { success: true; warnings?: Problem[]; message?: string; data: Statement[] } };
  /** Returns a statement as a PDF file: totals by kind, and a line for each class. */
  getStatementPdf: { params: { statementId: string }; query?: { language?: 'en' | 'de' }; answer: string };
  /** Replaces the thresholds. Each sends one event per crossing: a prepaid balance has to rise to the threshold again, for example by a top-up, and a postpaid cycle has to end, before the next. */
  setCreditAlerts: {
    body: { remaining?: number[] | null; consumed?: number[] | null };
    answer: { success: true; warnings?: Problem[]; message?: string; data: CreditAlerts };
  };
  /** Returns the thresholds at which `credits.threshold_reached` is sent. */
  getCreditAlerts: { answer: { success: true; warnings?: Problem[]; message?: string; data: CreditAlerts } };
  /** Adds a document to a class: returns its upload URL, or loads the file from `url`. Each page becomes a picture, and its text part of what the tutor knows. A class has at most 100 documents, a document 500 pages. */
  createDocument: {
    params: { roomId: string };
    body: {
      title: string;
      fileName: string;
      size: number;
      contentType: 'application/pdf' | 'image/png' | 'image/jpeg' | 'application/vnd.openxmlformats-officedocument.presentationml.presentation' | 'application/vnd.oasis.opendocument.presentation';
    } | { title: string; url: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: CreatedDocument };
  };
  /** Returns the documents of a class, oldest first. Also works after the class. */
  listDocuments: {
    params: { roomId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { documents: Document[] } };
  };
  /** Returns a document with signed addresses of the pictures of its pages, valid for one hour, and their text. */
  getDocument: {
    params: { roomId: string; documentId: string };
    query?: { after?: number };
    answer: { success: true; warnings?: Problem[]; message?: string; data: DocumentWithPages };
  };
  /** Deletes a document with its pages, and stops its upload or conversion. The tutor forgets it within half a minute. */
  deleteDocument: {
    params: { roomId: string; documentId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { documentId: string; deletedAt: string } };
  };
  /** Creates a video and returns its upload URL. */
  createVideo: {
    body: { title: string; fileName: string; size: number; contentType: string; playback?: 'hls' | 'mp4' | null };
    answer: { success: true; warnings?: Problem[]; message?: string; data: CreatedVideo };
  };
  /** Returns the organization’s videos, newest first. */
  listVideos: {
    query?: { cursor?: string; limit?: number };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { videos: Video[]; nextCursor: string | null; usage?: VideoUsage };
    };
  };
  /** Returns the status and the transcoding progress of a video. */
  getVideoStatus: {
    params: { videoId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: VideoProgress };
  };
  /** Returns signed playback and poster URLs, valid for one hour. */
  getVideoUrl: { params: { videoId: string }; answer: { success: true; warnings?: Problem[]; message?: string; data: VideoUrl } };
  /** Attaches a WebVTT track. A track of the same language is replaced. A video has at most 100 tracks. */
  addCaption: {
    params: { videoId: string };
    body: { language: string; label: string; isDefault?: boolean | null; content: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: VideoCaptions };
  };
  /** Deletes a video with all its files and stops its upload or transcoding. */
  deleteVideo: {
    params: { videoId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { videoId: string; deletedAt: string } };
  };
  /** Returns the values that `voiceName` accepts. */
  listVoices: { answer: { success: true; warnings?: Problem[]; message?: string; data: { voices: Voice[] } } };
  /** Sends a message to the agent and returns the whole answer. */
  agentChat: {
    body: {
      chatId: string;
      participantUid?: string | null;
      message: string;
      audio?: string | null;
      image?: string | null;
      imageMimeType?: string | null;
      voiceName?: string | null;
      responseType?: 'text' | 'audio' | 'both' | null;
      responseModality?: 'text' | 'audio' | 'both' | null;
    };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      text: string;
      audio?: string;
      dialogIndex: number;
      usage: { inputTokens: number; outputTokens: number; latencyMs: number };
    };
  };
  /** Sends a message to the agent. The answer arrives as it is generated, one JSON object per line. */
  agentChatStream: {
    body: {
      chatId: string;
      participantUid?: string | null;
      message: string;
      audio?: string | null;
      image?: string | null;
      imageMimeType?: string | null;
      voiceName?: string | null;
      responseType?: 'text' | 'audio' | 'both' | null;
      responseModality?: 'text' | 'audio' | 'both' | null;
    };
    answer: string;
  };
  /** Returns the tokens and the cost of agent and tutor. */
  getAiUsage: {
    query?: { startDate?: string; endDate?: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: AiUsage };
  };
  /** Gives the tutor of a room its topic and class notes. */
  setRoomContext: {
    params: { roomId: string };
    body: { topic?: string | null; notes?: string | null };
    answer: { success: true; warnings?: Problem[]; message?: string; data: RoomContext };
  };
  /** Asks the tutor of a room on behalf of a student and returns the whole answer. */
  tutorChat: {
    body: {
      roomId: string;
      studentUid: string;
      organizationId: string;
      text?: string | null;
      audio?: string | null;
      responseModality?: 'text' | 'audio' | 'both' | null;
    };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      text: string;
      audio?: string;
      usage: TokenUsage;
      requestModality: 'text' | 'audio' | 'both';
      responseModality: 'text' | 'audio' | 'both';
    };
  };
  /** Asks the tutor of a room on behalf of a student. The answer arrives as server-sent events. */
  tutorChatStream: {
    body: {
      roomId: string;
      studentUid: string;
      organizationId: string;
      text?: string | null;
      audio?: string | null;
      responseModality?: 'text' | 'audio' | 'both' | null;
    };
    answer: string;
  };
  /** Returns a summary of what a class asked its tutor. */
  tutorSummary: {
    params: { roomId: string };
    answer: { summary: string; topQueries: TopQuery[]; success: true; warnings?: Problem[] };
  };
  /** Returns the tokens that the tutor of a class used. */
  tutorUsage: {
    params: { roomId: string };
    answer: { success: true; warnings?: Problem[]; usage: { inputTokens: number; outputTokens: number } };
  };
  /** Returns what each student’s questions in a room cost, by uid. */
  getTutorCosts: {
    params: { roomId: string };
    query?: { cursor?: string; limit?: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: TutorCosts };
  };
  /** Registers a URL for webhooks. Only this response contains the secret that signs them. */
  createWebhookEndpoint: {
    body: {
      url: string;
      eventTypes?: ('room.created' | 'room.started' | 'room.ending_soon' | 'room.finished' | 'room.budget_reached' | 'attendance.evaluated' | 'engagement.summarized' | 'participant.joined' | 'participant.left' | 'participant.waiting' | 'participant.admitted' | 'participant.refused' | 'participant.removed' | 'chat.message_deleted' | 'chat.message_reported' | 'board.exported' | 'recording.started' | 'recording.completed' | 'recording.failed' | 'recording.health' | 'recording.deleted' | 'recording.copied' | 'recording.copy_failed' | 'credits.low' | 'credits.overconsumed' | 'credits.threshold_reached' | 'video.completed' | 'video.failed' | 'document.converted' | 'document.failed' | 'webhook.endpoint_disabled')[] | null;
      description?: string | null;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: WebhookEndpointWithSecret };
  };
  /** Returns the organization’s webhook endpoints, oldest first. */
  listWebhookEndpoints: { answer: { success: true; warnings?: Problem[]; message?: string; data: { endpoints: WebhookEndpoint[] } } };
  /** Returns a webhook endpoint. */
  getWebhookEndpoint: {
    params: { endpointId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: WebhookEndpoint };
  };
  /** Changes, disables or enables a webhook endpoint. Omitted fields stay as they are. */
  updateWebhookEndpoint: {
    params: { endpointId: string };
    body: {
      url?: string | null;
      eventTypes?: ('room.created' | 'room.started' | 'room.ending_soon' | 'room.finished' | 'room.budget_reached' | 'attendance.evaluated' | 'engagement.summarized' | 'participant.joined' | 'participant.left' | 'participant.waiting' | 'participant.admitted' | 'participant.refused' | 'participant.removed' | 'chat.message_deleted' | 'chat.message_reported' | 'board.exported' | 'recording.started' | 'recording.completed' | 'recording.failed' | 'recording.health' | 'recording.deleted' | 'recording.copied' | 'recording.copy_failed' | 'credits.low' | 'credits.overconsumed' | 'credits.threshold_reached' | 'video.completed' | 'video.failed' | 'document.converted' | 'document.failed' | 'webhook.endpoint_disabled')[] | null;
      description?: string | null;
      isEnabled?: boolean | null;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: WebhookEndpoint };
  };
  /** Deletes a webhook endpoint with its deliveries. */
  deleteWebhookEndpoint: {
    params: { endpointId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { endpointId: string; deletedAt: string } };
  };
  /** Sends a ping event to a webhook endpoint. */
  testWebhookEndpoint: {
    params: { endpointId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: WebhookDelivery };
  };
  /** Returns the deliveries to an endpoint in the last 30 days, newest first. */
  listWebhookDeliveries: {
    params: { endpointId: string };
    query?: { status?: 'pending' | 'delivered' | 'failed'; cursor?: string; limit?: number };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { deliveries: WebhookDelivery[]; nextCursor: string | null };
    };
  };
  /** Returns a delivery with the request body. */
  getWebhookDelivery: {
    params: { endpointId: string; deliveryId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: WebhookDeliveryDetails };
  };
  /** Sends a delivery again, whether it had succeeded or failed. */
  replayWebhookDelivery: {
    params: { endpointId: string; deliveryId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: WebhookDelivery };
  };
  /** Sends failed or missed deliveries of an endpoint again, up to 10,000 per call. */
  replayWebhooks: {
    params: { endpointId: string };
    body: {
      since: string;
      until?: string | null;
      types?: ('room.created' | 'room.started' | 'room.ending_soon' | 'room.finished' | 'room.budget_reached' | 'attendance.evaluated' | 'engagement.summarized' | 'participant.joined' | 'participant.left' | 'participant.waiting' | 'participant.admitted' | 'participant.refused' | 'participant.removed' | 'chat.message_deleted' | 'chat.message_reported' | 'board.exported' | 'recording.started' | 'recording.completed' | 'recording.failed' | 'recording.health' | 'recording.deleted' | 'recording.copied' | 'recording.copy_failed' | 'credits.low' | 'credits.overconsumed' | 'credits.threshold_reached' | 'video.completed' | 'video.failed' | 'document.converted' | 'document.failed' | 'webhook.endpoint_disabled')[] | null;
      status?: 'failed' | 'missed' | null;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: ReplayedWebhooks };
  };
  /** Creates a new signing secret. The previous secret also signs for 24 hours. */
  rotateWebhookSecret: {
    params: { endpointId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: WebhookEndpointWithSecret };
  };
  /** Returns the events of an organization in the last 30 days, in order and without gaps. */
  listEvents: {
    query?: { after?: string; types?: string; limit?: number };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { events: Event[]; nextCursor: string; hasMore: boolean; earliestSequence: number | null; lastSequence: number };
    };
  };
  /** Sends events as server-sent events, as soon as they are stored, in the order of the history and without gaps. The answer has no end. A client that connects again with the `id` of the last event continues there. */
  streamEvents: { query?: { after?: string; types?: string }; answer: string };
  /** Creates a further value for `VF-ORG-ID`. Only this response contains it. An API key cannot create credentials. */
  createCredential: {
    body?: { expiresAt?: string | null };
    answer: { success: true; warnings?: Problem[]; message?: string; data: CredentialWithValue };
  };
  /** Returns the organization’s credentials for `VF-ORG-ID`, oldest first, without their values. */
  listCredentials: { answer: { success: true; warnings?: Problem[]; message?: string; data: { credentials: Credential[] } } };
  /** Revokes a credential immediately. The last one can be revoked by an operator only. */
  revokeCredential: {
    params: { credentialId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: RevokedCredential };
  };
  /** Creates an API key. Only this response contains its secret. A key can grant no more scopes than it has itself. */
  createApiKey: {
    body: {
      name: string;
      scopes: ('rooms:read' | 'rooms:write' | 'chat:read' | 'reports:read' | 'recordings:read' | 'recordings:write' | 'recordings:manage' | 'videos:read' | 'videos:write' | 'billing:read' | 'billing:manage' | 'ai:use' | 'events:read' | 'webhooks:manage' | 'keys:manage' | 'dashboard:issue' | 'privacy:manage' | 'audit:read')[];
      expiresAt?: string | null;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: ApiKeyWithSecret };
  };
  /** Returns the organization’s API keys, oldest first. */
  listApiKeys: { answer: { success: true; warnings?: Problem[]; message?: string; data: { apiKeys: ApiKey[] } } };
  /** Creates a new secret for an API key. The earlier secrets stay valid for a limited time. A key can rotate itself and the keys that it created. */
  rotateApiKey: {
    params: { keyId: string };
    body?: { graceSeconds?: number | null };
    answer: { success: true; warnings?: Problem[]; message?: string; data: ApiKeyWithSecret };
  };
  /** Revokes an API key with all its secrets immediately, and the keys that it created, directly or through another one. */
  revokeApiKey: {
    params: { keyId: string };
    query?: { keepCreated?: 'true' | 'false' };
    answer: { success: true; warnings?: Problem[]; message?: string; data: RevokedApiKey };
  };
  /** Creates a token for one person of the organization’s staff and its dashboard, for a link to the console. That of an API key expires no later than the key. */
  issueDashboardToken: {
    body: { subject: string; role: 'OWNER' | 'MEMBER'; ttlSeconds?: number | null };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { token: string; expiresAt: string; sessionId: string; code: string | null };
    };
  };
  /** Revokes all dashboard tokens of the organization immediately. Tokens created afterwards are valid. */
  revokeDashboardTokens: { answer: { success: true; warnings?: Problem[]; message?: string; data: RevokedDashboardTokens } };
  /** Ends a dashboard session of the organization immediately: its token is no longer valid. With a dashboard token, everyone may end their own session, and an OWNER each. */
  endDashboardSession: {
    params: { sessionId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: EndedDashboardSession };
  };
  /** Returns who changed, recorded, removed or exported what in the organization, newest first. */
  listAudit: {
    query?: { cursor?: string; limit?: string; from?: string; to?: string; operation?: string; actor?: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { entries: AuditEntry[]; pagination: Pagination } };
  };
  /** Returns whether the service and its dependencies work. */
  getHealth: { answer: Health };
  /** Erases the personal data of a participant or of a class, or everything of the organization. Once begun, this cannot be undone. Charges and sums stay, without the person. The erasure runs in the background: poll it until `COMPLETED`. */
  createErasure: {
    body: { uid: string } | { roomId: string } | { organization: true };
    answer: { success: true; warnings?: Problem[]; message?: string; data: Erasure };
  };
  /** Returns an erasure, with its receipt when it is completed. */
  getErasure: { params: { erasureId: string }; answer: { success: true; warnings?: Problem[]; message?: string; data: Erasure } };
  /** Cancels the erasure of the organization before its `beginsAt`, and opens the organization again. Only with `VF-ORG-ID`: an API key cannot cancel it. The erasure of a person or a class cannot be cancelled. */
  cancelErasure: {
    params: { erasureId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: CancelledErasure };
  };
  /** Collects the data of a participant, of a class or of the whole organization in a ZIP file. The export runs in the background: poll it until `COMPLETED`. An organization has at most five unfinished exports. */
  createExport: {
    body: { uid: string } | { roomId: string } | { organization: true };
    answer: { success: true; warnings?: Problem[]; message?: string; data: DataExport };
  };
  /** Returns an export, with a new address of its file when it is completed. */
  getExport: { params: { exportId: string }; answer: { success: true; warnings?: Problem[]; message?: string; data: DataExport } };
  /** Exchanges the code of a link to the console for the dashboard token. A code works once, within a minute of its creation. */
  openDashboardSession: {
    body: { code: string };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { token: string; expiresAt: string; sessionId: string };
    };
  };
  /** Creates an organization. */
  createOrganization: {
    body: {
      organizationId?: string | null;
      name: string;
      billing?: { type: 'PREPAID'; credits?: number | null; creditRate: number | string; currency: string } | {
        type: 'POSTPAID';
        billingFrequency: 'WEEKLY' | 'MONTHLY';
        cycleStartDate?: string | null;
        creditRate: number | string;
        currency: string;
      } | null;
      verifiedDomains?: string[] | null;
      branding?: { logoUrl?: string | null; primaryColor?: string | null; accentColor?: string | null } | null;
      retention?: {
        presence?: number | null;
        addresses?: number | null;
        chat?: number | null;
        polls?: number | null;
        board?: number | null;
        engagement?: number | null;
        aiDialogues?: number | null;
        recordings?: number | null;
      } | null;
      consent?: {
        recording?: { ask: 'join' | 'recording'; without: 'refuse' | 'mute' | 'hide'; version: string; text: string } | null;
        ai?: boolean | null;
      } | null;
      attendance?: {
        lateAfter?: number | null;
        leftBefore?: number | null;
        minimumPresence?: number | null;
        reconnectGrace?: number | null;
      } | null;
      quotas?: { videoGib?: number | null; videoMinutes?: number | null } | null;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: CreatedOrganization };
  };
  /** Returns the organizations, newest first. */
  listOrganizations: {
    query?: { cursor?: string; limit?: string };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { organizations: Organization[]; pagination: Pagination };
    };
  };
  /** Returns an organization. */
  getOrganization: {
    params: { organizationId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: Organization };
  };
  /** Changes an organization. Omitted fields stay as they are. */
  updateOrganization: {
    params: { organizationId: string };
    body: {
      name?: string | null;
      billing?: { type: 'PREPAID'; credits?: number | null; creditRate: number | string; currency: string } | {
        type: 'POSTPAID';
        billingFrequency: 'WEEKLY' | 'MONTHLY';
        cycleStartDate?: string | null;
        creditRate: number | string;
        currency: string;
      } | null;
      verifiedDomains?: string[] | null;
      branding?: { logoUrl?: string | null; primaryColor?: string | null; accentColor?: string | null } | null;
      retention?: {
        presence?: number | null;
        addresses?: number | null;
        chat?: number | null;
        polls?: number | null;
        board?: number | null;
        engagement?: number | null;
        aiDialogues?: number | null;
        recordings?: number | null;
      } | null;
      consent?: {
        recording?: { ask: 'join' | 'recording'; without: 'refuse' | 'mute' | 'hide'; version: string; text: string } | null;
        ai?: boolean | null;
      } | null;
      attendance?: {
        lateAfter?: number | null;
        leftBefore?: number | null;
        minimumPresence?: number | null;
        reconnectGrace?: number | null;
      } | null;
      quotas?: { videoGib?: number | null; videoMinutes?: number | null } | null;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: Organization };
  };
  /** Closes an organization, and erases everything of it except its ledger at `beginsAt`, as `POST /v1/privacy/erasures` with `organization` does. Until then it can be cancelled. A repeated call returns the same erasure. */
  deleteOrganization: {
    params: { organizationId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: Erasure };
  };
  /** Uploads the logo of an organization, in place of the present one. */
  setLogoForOrganization: {
    params: { organizationId: string };
    body: { logo: string };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { logoUrl: string | null; primaryColor: string | null; accentColor: string | null; servedLogoUrl: string | null };
    };
  };
  /** Removes the logo of an organization, uploaded or not. */
  deleteLogoForOrganization: {
    params: { organizationId: string };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { logoUrl: string | null; primaryColor: string | null; accentColor: string | null; servedLogoUrl: string | null };
    };
  };
  /** Has the organization’s backend asked, with a signed request, before each participant joins. A hook that is changed keeps its secret; delete it first for a new one. */
  setJoinHook: {
    params: { organizationId: string };
    body: { url: string; timeoutMs?: number | null; fallback?: 'allow' | 'refuse' | null };
    answer: { success: true; warnings?: Problem[]; message?: string; data: JoinHookWithSecret };
  };
  /** Participants join without a question again. */
  deleteJoinHook: {
    params: { organizationId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { organizationId: string } };
  };
  /** Adds a domain whose pages may embed classes once its owner has set the TXT record of the answer. The record is looked for on request, and every quarter of an hour for three days, then every day for thirty. */
  addDomain: {
    params: { organizationId: string };
    body: { domain: string; verification?: 'dns' | 'manual' | null };
    answer: { success: true; warnings?: Problem[]; message?: string; data: Domain };
  };
  /** Returns the verified domains, and those whose proof is awaited. */
  listDomainsForOrganization: {
    params: { organizationId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { domains: Domain[] } };
  };
  /** Looks for the TXT record of a domain now, and verifies the domain if it is there. */
  checkDomainForOrganization: {
    params: { organizationId: string; domain: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: Domain };
  };
  /** Removes a domain: pages on it can no longer embed classes. */
  removeDomain: {
    params: { organizationId: string; domain: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { domain: string } };
  };
  /** Returns the erasure of a deleted organization, also after its row is gone, with the receipt when it is completed. */
  getOrganizationErasure: {
    params: { organizationId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: Erasure };
  };
  /** Cancels the erasure of an organization before its `beginsAt`, and opens the organization again. */
  cancelOrganizationErasure: {
    params: { organizationId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: CancelledErasure };
  };
  /** Tops up an organization, or corrects its balance by a negative amount. A repeated reference counts once. */
  postCredits: {
    params: { organizationId: string };
    body: { amount: number; reference: string; note?: string | null };
    answer: { success: true; warnings?: Problem[]; message?: string; data: PostedCredits };
  };
  /** Returns the remaining credits (prepaid) or the credits used in this cycle (postpaid). */
  getBalanceForOrganization: {
    params: { organizationId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: Balance };
  };
  /** Returns every entry behind the balance, newest first. */
  listLedgerForOrganization: {
    params: { organizationId: string };
    query?: {
      cursor?: string;
      limit?: string;
      kind?: 'OPENING' | 'TOP_UP' | 'CORRECTION' | 'CHARGE' | 'ADJUSTMENT' | 'AI_USAGE';
      roomId?: string;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { entries: LedgerEntry[]; pagination: Pagination } };
  };
  /** Returns the sessions or the AI usage behind a charge and computes the charge again. */
  explainEntryForOrganization: {
    params: { organizationId: string; entryId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: ExplainedEntry };
  };
  /** Returns the closed postpaid cycles, newest first. */
  listStatementsForOrganization: {
    params: { organizationId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: Statement[] };
  };
  /** Returns a statement as a PDF file: totals by kind, and a line for each class. */
  getStatementPdfForOrganization: { params: { organizationId: string; statementId: string }; query?: { language?: 'en' | 'de' }; answer: string };
  /** Creates a further value for `VF-ORG-ID`. Only this response contains it. An API key cannot create credentials. */
  createCredentialForOrganization: {
    params: { organizationId: string };
    body?: { expiresAt?: string | null; value?: string | null };
    answer: { success: true; warnings?: Problem[]; message?: string; data: CredentialWithValue };
  };
  /** Returns the organization’s credentials for `VF-ORG-ID`, oldest first, without their values. */
  listCredentialsForOrganization: {
    params: { organizationId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { credentials: Credential[] } };
  };
  /** Revokes a credential of an organization immediately. After the last one, only API keys are accepted. */
  revokeCredentialForOrganization: {
    params: { organizationId: string; credentialId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: RevokedCredential };
  };
  /** Creates an API key. Only this response contains its secret. A key can grant no more scopes than it has itself. */
  createApiKeyForOrganization: {
    params: { organizationId: string };
    body: {
      name: string;
      scopes: ('rooms:read' | 'rooms:write' | 'chat:read' | 'reports:read' | 'recordings:read' | 'recordings:write' | 'recordings:manage' | 'videos:read' | 'videos:write' | 'billing:read' | 'billing:manage' | 'ai:use' | 'events:read' | 'webhooks:manage' | 'keys:manage' | 'dashboard:issue' | 'privacy:manage' | 'audit:read')[];
      expiresAt?: string | null;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: ApiKeyWithSecret };
  };
  /** Returns the organization’s API keys, oldest first. */
  listApiKeysForOrganization: {
    params: { organizationId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: { apiKeys: ApiKey[] } };
  };
  /** Revokes an API key with all its secrets immediately, and the keys that it created, directly or through another one. */
  revokeApiKeyForOrganization: {
    params: { organizationId: string; keyId: string };
    query?: { keepCreated?: 'true' | 'false' };
    answer: { success: true; warnings?: Problem[]; message?: string; data: RevokedApiKey };
  };
  /** Creates a token for one person of the organization’s staff and its dashboard, for a link to the console. That of an API key expires no later than the key. */
  issueDashboardTokenForOrganization: {
    params: { organizationId: string };
    body: { subject: string; role: 'OWNER' | 'MEMBER'; ttlSeconds?: number | null };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { token: string; expiresAt: string; sessionId: string; code: string | null };
    };
  };
  /** Revokes all dashboard tokens of the organization immediately. Tokens created afterwards are valid. */
  revokeDashboardTokensForOrganization: {
    params: { organizationId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: RevokedDashboardTokens };
  };
  /** Ends a dashboard session of the organization immediately: its token is no longer valid. With a dashboard token, everyone may end their own session, and an OWNER each. */
  endDashboardSessionForOrganization: {
    params: { organizationId: string; sessionId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: EndedDashboardSession };
  };
  /** Returns the organization’s own models and prices; null where the installation’s settings apply. */
  getAiSettings: {
    params: { organizationId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: AiSettings };
  };
  /** Changes the organization’s own models and prices. */
  updateAiSettings: {
    params: { organizationId: string };
    body: {
      chat?: {
        provider: 'openai-compatible' | 'google' | 'anthropic' | 'offline';
        model: string;
        baseUrl?: string | null;
        apiKey?: string | null;
        vision?: boolean | null;
      } | null;
      chatFallback?: {
        provider: 'openai-compatible' | 'google' | 'anthropic' | 'offline';
        model: string;
        baseUrl?: string | null;
        apiKey?: string | null;
        vision?: boolean | null;
      } | null;
      speechToText?: {
        provider: 'openai-compatible' | 'google' | 'offline';
        model: string;
        baseUrl?: string | null;
        apiKey?: string | null;
        vision?: boolean | null;
      } | null;
      textToSpeech?: {
        provider: 'openai-compatible' | 'offline';
        model: string;
        baseUrl?: string | null;
        apiKey?: string | null;
        vision?: boolean | null;
      } | null;
      embedding?: {
        provider: 'openai-compatible' | 'google' | 'offline';
        model: string;
        baseUrl?: string | null;
        apiKey?: string | null;
        vision?: boolean | null;
      } | null;
      prices?: {
        model: string;
        perMillionInputTokens?: number | string | null;
        perMillionOutputTokens?: number | string | null;
        perMinuteOfAudio?: number | string | null;
        perMillionCharacters?: number | string | null;
      }[] | null;
      credits?: { perMillionInputTokens?: number | string | null; perMillionOutputTokens?: number | string | null } | null;
    };
    answer: { success: true; warnings?: Problem[]; message?: string; data: AiSettings };
  };
  /** Returns the entries of all organizations and of the operators, newest first. */
  listAuditOfAll: {
    query?: {
      cursor?: string;
      limit?: string;
      from?: string;
      to?: string;
      operation?: string;
      actor?: string;
      organizationId?: string;
      ofOperators?: 'true' | 'false';
    };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { entries: OperatorsAuditEntry[]; pagination: Pagination };
    };
  };
  /** Asks all processes for their version, their queues and consumers, and recorders for their slots. */
  getSystem: { answer: { success: true; warnings?: Problem[]; message?: string; data: System } };
  /** Returns the messages that consumers gave up, newest first. */
  listDeadLetters: {
    query?: { cursor?: string; limit?: string };
    answer: {
      success: true;
      warnings?: Problem[];
      message?: string;
      data: { deadLetters: DeadLetter[]; pagination: Pagination };
    };
  };
  /** Returns a message that a consumer gave up. */
  getDeadLetter: {
    params: { deadLetterId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: DeadLetter };
  };
  /** Deletes the message. This cannot be undone. */
  discardDeadLetter: {
    params: { deadLetterId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: DeadLetter };
  };
  /** Publishes the message again on its subject, and deletes the dead letter. Consumers that have applied it recognize its id and do nothing. If it fails again, it becomes another dead letter. */
  replayDeadLetter: {
    params: { deadLetterId: string };
    answer: { success: true; warnings?: Problem[]; message?: string; data: DeadLetter };
  };
}

/** The data of every event, by its type. */
export interface EventData {
  'room.created': { roomId: string; sid: string; title: string; createdAt: string };
  'room.started': { roomId: string; sid: string; title: string; startedAt: string };
  'room.ending_soon': { roomId: string; sid: string; title: string; endsAt: string };
  'room.finished': {
    roomId: string;
    sid: string;
    title: string;
    startedAt: string | null;
    endedAt: string;
    reason: string;
    totalSeconds: number;
  };
  'room.budget_reached': {
    roomId: string;
    sid: string;
    percent: number;
    credits: number;
    maxCredits: number;
    onReached: 'warn' | 'closeDoors' | 'endClass';
  };
  'attendance.evaluated': {
    roomId: string;
    sid: string;
    title: string;
    policy: AttendancePolicy;
    lessonStart: string;
    lessonEnd: string;
    counts: { present: number; late: number; leftEarly: number; absent: number };
    people: {
      uid: string;
      role: string | null;
      status: 'PRESENT' | 'LATE' | 'LEFT_EARLY' | 'ABSENT';
      secondsLate: number | null;
      secondsLeftEarly: number | null;
      isOnRoster: boolean | null;
    }[];
    furtherPeople: number;
  };
  'engagement.summarized': {
    roomId: string;
    sid: string;
    title: string;
    startedAt: string;
    endedAt: string;
    totals: {
      participants: number;
      connections: number;
      connectedSeconds: number;
      measuredSeconds: number;
      talkSeconds: number | null;
      cameraSeconds: number | null;
      handsRaised: number;
      chatMessages: number;
      reactions: number;
      pollAnswers: number;
      boardElements: number;
    };
    participants: {
      uid: string;
      name: string;
      role: string;
      connections: number;
      connectedSeconds: number;
      measuredSeconds: number;
      talkSeconds: number | null;
      cameraSeconds: number | null;
      handsRaised: number;
      chatMessages: number;
      reactions: number;
      pollAnswers: number;
      boardElements: number;
    }[];
    furtherParticipants: number;
  };
  'participant.joined': { roomId: string; sid: string; connectionId: string; uid: string; name: string; role: string; joinedAt: string };
  'participant.left': {
    roomId: string;
    sid: string;
    connectionId: string;
    uid: string;
    name: string;
    role: string;
    joinedAt: string;
    leftAt: string;
    duration: number;
  };
  'participant.waiting': { roomId: string; sid: string; uid: string; name: string; role: string; waitingSince: string };
  'participant.admitted': { roomId: string; sid: string; uid: string; name: string; role: string; decidedBy: string | null; decidedAt: string };
  'participant.refused': { roomId: string; sid: string; uid: string; name: string; role: string; decidedBy: string | null; decidedAt: string };
  'participant.removed': { roomId: string; sid: string; uid: string; removedBy: string | null; removedAt: string };
  'chat.message_deleted': { roomId: string; sid: string; messageId: string; uid: string; deletedBy: string | null; deletedAt: string };
  'chat.message_reported': { roomId: string; sid: string; messageId: string; uid: string; reportedBy: string; reportedAt: string };
  'board.exported': { roomId: string; sid: string; format: string; exportedAt: string };
  'recording.started': RecordingEventData;
  'recording.completed': RecordingEventData;
  'recording.failed': RecordingEventData;
  'recording.health': RecordingEventData;
  'recording.deleted': RecordingEventData;
  'recording.copied': {
    roomId: string;
    sid: string;
    recordingId: string;
    egressId: string;
    bucket: string;
    key: string;
    size: number;
    sha256: string;
    copiedAt: string;
  };
  'recording.copy_failed': {
    roomId: string;
    sid: string;
    recordingId: string;
    egressId: string;
    error: string;
    attempts: number;
    failedAt: string;
  };
  'credits.low': { remainingCredits: number; threshold: number };
  'credits.overconsumed': { remainingCredits: number };
  'credits.threshold_reached': { type: 'remaining' | 'consumed'; threshold: number; credits: number };
  'video.completed': { videoId: string; title: string; duration: number | null };
  'video.failed': { videoId: string; title: string; message: string | null };
  'document.converted': { roomId: string; sid: string; documentId: string; title: string; pages: number };
  'document.failed': { roomId: string; sid: string; documentId: string; title: string; reason: string };
  'webhook.endpoint_disabled': { endpointId: string; reason: 'gone' | 'failing'; disabledAt: string };
}

/** What `code` of an error may be. */
export type ErrorCode =
  | 'ADMISSION_REFUSED'
  | 'AI_DISABLED'
  | 'AI_UNAVAILABLE'
  | 'ALREADY_CONNECTED'
  | 'ALREADY_VOTED'
  | 'API_KEY_NOT_FOUND'
  | 'BILLING_TYPE_LOCKED'
  | 'BOARD_FULL'
  | 'BOARD_PAGE_NOT_FOUND'
  | 'BOARD_TOO_LARGE'
  | 'CHAT_BUSY'
  | 'CHAT_MESSAGE_NOT_FOUND'
  | 'CHAT_OFF'
  | 'CONSENT_NOT_ASKED'
  | 'CONSENT_REQUIRED'
  | 'CREDENTIAL_ALREADY_EXISTS'
  | 'CREDENTIAL_NOT_FOUND'
  | 'DEAD_LETTER_NOT_FOUND'
  | 'DOCUMENT_NOT_FOUND'
  | 'DOCUMENT_NOT_READY'
  | 'DOCUMENT_TYPE_UNSUPPORTED'
  | 'ERASURE_BEGUN'
  | 'ERASURE_NOT_FOUND'
  | 'EXPORT_EXPIRED'
  | 'EXPORT_NOT_FOUND'
  | 'FORBIDDEN'
  | 'IDEMPOTENCY_CONFLICT'
  | 'INSUFFICIENT_CREDITS'
  | 'INTERNAL_ERROR'
  | 'LAST_CREDENTIAL'
  | 'LEGAL_HOLD'
  | 'NOTHING_TO_MERGE'
  | 'NOT_FOUND'
  | 'NO_ACTIVE_RECORDING'
  | 'NO_PAUSED_RECORDING'
  | 'ORGANIZATION_ALREADY_EXISTS'
  | 'ORGANIZATION_NOT_FOUND'
  | 'ORGANIZATION_SETUP_INCOMPLETE'
  | 'PARTICIPANT_ADMITTED'
  | 'PARTICIPANT_NOT_FOUND'
  | 'PAYLOAD_TOO_LARGE'
  | 'POLL_CLOSED'
  | 'POLL_NOT_FOUND'
  | 'PRESET_NOT_FOUND'
  | 'QUESTION_NOT_FOUND'
  | 'QUOTA_EXCEEDED'
  | 'RATE_LIMITED'
  | 'RECORDER_BUSY'
  | 'RECORDING_BUCKET_NOT_FOUND'
  | 'RECORDING_BUCKET_REFUSED'
  | 'RECORDING_EXPIRED'
  | 'RECORDING_IN_PROGRESS'
  | 'RECORDING_NOT_FOUND'
  | 'ROOM_ENDED'
  | 'ROOM_FULL'
  | 'ROOM_ID_ALREADY_USED'
  | 'ROOM_NOT_FOUND'
  | 'ROOM_NOT_LIVE'
  | 'ROOM_NOT_OPEN'
  | 'SERVICE_UNAVAILABLE'
  | 'TOO_MANY_API_KEYS'
  | 'TOO_MANY_API_KEY_SECRETS'
  | 'TOO_MANY_CREDENTIALS'
  | 'TOO_MANY_DOCUMENTS'
  | 'TOO_MANY_EXPORTS'
  | 'TOO_MANY_POLLS'
  | 'TOO_MANY_PRESETS'
  | 'TOO_MANY_WEBHOOK_ENDPOINTS'
  | 'UNAUTHORIZED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_FAILED'
  | 'VIDEO_NOT_FOUND'
  | 'WEBHOOK_DELIVERY_NOT_FOUND'
  | 'WEBHOOK_ENDPOINT_DISABLED'
  | 'WEBHOOK_ENDPOINT_NOT_FOUND';
