/* eslint-disable max-lines */
// Written by `npm run reference` from docs/reference/openapi.json.

/** Method and path of every call. */
export const ROUTES = {
  agentChat: 'POST /v1/ai-agent/chat',
  agentChatStream: 'POST /v1/ai-agent/chat/stream',
  getAiUsage: 'GET /v1/ai-agent/usage/summary',
  listVoices: 'GET /v1/ai-agent/voices',
  tutorChat: 'POST /v1/ai-tutor/chat',
  tutorChatStream: 'POST /v1/ai-tutor/chat/stream',
  tutorSummary: 'GET /v1/ai-tutor/summary/{roomId}',
  tutorUsage: 'GET /v1/ai-tutor/usage/{roomId}',
  getTutorCosts: 'GET /v1/ai-tutor/usage/{roomId}/students',
  listApiKeys: 'GET /v1/api-keys',
  createApiKey: 'POST /v1/api-keys',
  revokeApiKey: 'DELETE /v1/api-keys/{keyId}',
  rotateApiKey: 'POST /v1/api-keys/{keyId}/rotate',
  getBalance: 'GET /v1/billing/balance',
  listVideos: 'GET /v1/cdn/videos',
  createVideo: 'POST /v1/cdn/videos',
  deleteVideo: 'DELETE /v1/cdn/videos/{videoId}',
  addCaption: 'POST /v1/cdn/videos/{videoId}/captions',
  getVideoStatus: 'GET /v1/cdn/videos/{videoId}/status',
  getVideoUrl: 'GET /v1/cdn/videos/{videoId}/url',
  listEvents: 'GET /v1/events',
  getHealth: 'GET /v1/health/status',
  getParticipantSessions: 'POST /v1/participant/sessions',
  deleteRoom: 'DELETE /v1/room/{roomId}',
  changeRoom: 'PATCH /v1/room/{roomId}',
  getAttendance: 'GET /v1/room/{roomId}/attendance',
  setRoomContext: 'POST /v1/room/{roomId}/context',
  joinRoom: 'POST /v1/room/{roomId}/join',
  listParticipants: 'GET /v1/room/{roomId}/participants',
  getParticipant: 'GET /v1/room/{roomId}/participants/{uid}',
  changeParticipantRole: 'PATCH /v1/room/{roomId}/participants/{uid}',
  muteRoomParticipant: 'POST /v1/room/{roomId}/participants/{uid}/mute',
  removeRoomParticipant: 'POST /v1/room/{roomId}/participants/{uid}/remove',
  listRoomPolls: 'GET /v1/room/{roomId}/polls',
  startRecording: 'POST /v1/room/{roomId}/recording/start',
  stopRecording: 'POST /v1/room/{roomId}/recording/stop',
  listRecordings: 'GET /v1/room/{roomId}/recordings',
  publishRecording: 'POST /v1/room/{roomId}/recordings/{recordingId}/publish',
  downloadRecordings: 'GET /v1/room/{roomId}/recordings/download',
  getRoomStatus: 'GET /v1/room/{roomId}/status',
  getRoomSummary: 'GET /v1/room/{roomId}/summary',
  createRoom: 'POST /v1/room/create',
  listRooms: 'GET /v1/rooms',
  listWebhookEndpoints: 'GET /v1/webhook-endpoints',
  createWebhookEndpoint: 'POST /v1/webhook-endpoints',
  deleteWebhookEndpoint: 'DELETE /v1/webhook-endpoints/{endpointId}',
  getWebhookEndpoint: 'GET /v1/webhook-endpoints/{endpointId}',
  updateWebhookEndpoint: 'PATCH /v1/webhook-endpoints/{endpointId}',
  listWebhookDeliveries: 'GET /v1/webhook-endpoints/{endpointId}/deliveries',
  getWebhookDelivery: 'GET /v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}',
  replayWebhookDelivery: 'POST /v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay',
  replayWebhooks: 'POST /v1/webhook-endpoints/{endpointId}/replay',
  rotateWebhookSecret: 'POST /v1/webhook-endpoints/{endpointId}/rotate-secret',
  testWebhookEndpoint: 'POST /v1/webhook-endpoints/{endpointId}/test',
} as const;

/** What every call takes, and the whole JSON body of its answer. */
export interface Operations {
  /** Sends a message to the agent and returns the whole answer. */
  agentChat: {
    body: {
      chatId: string;
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
    answer: {
      success: true;
      message?: string;
      data: {
        summary: { totalSessions: number; totalTokenCost: number; totalInputTokens: number; totalOutputTokens: number };
        breakdown: {
          aiAgent: { sessions: number; inputTokens: number; outputTokens: number; cost: number };
          aiTutor: { interactions: number; inputTokens: number; outputTokens: number; cost: number };
        };
      };
    };
  };
  /** Returns the values that `voiceName` accepts. */
  listVoices: {
    answer: { success: true; message?: string; data: { voices: { voiceName: string; language: string; isDefault: boolean }[] } };
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
      message?: string;
      text: string;
      audio?: string;
      usage: { inputTokens: number; outputTokens: number };
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
    answer: { summary: string; topQueries: { question: string; answer: string; frequency: number }[]; success: true };
  };
  /** Returns the tokens that the tutor of a class used. */
  tutorUsage: { params: { roomId: string }; answer: { success: true; usage: { inputTokens: number; outputTokens: number } } };
  /** Returns what each student’s questions in a room cost, by uid. */
  getTutorCosts: {
    params: { roomId: string };
    query?: { cursor?: string; limit?: string };
    answer: {
      success: true;
      message?: string;
      data: {
        roomId: string;
        total: { interactions: number; inputTokens: number; outputTokens: number; cost: number };
        students: { studentUid: string; interactions: number; inputTokens: number; outputTokens: number; cost: number }[];
        pagination: { nextCursor: string | null; hasMore: boolean };
      };
    };
  };
  /** Returns the organization’s API keys, oldest first. */
  listApiKeys: {
    answer: {
      success: true;
      message?: string;
      data: {
        apiKeys: {
          keyId: string;
          name: string;
          prefix: string;
          scopes: string[];
          expiresAt: string | null;
          lastUsedAt: string | null;
          previousSecretExpiresAt: string | null;
          createdAt: string;
        }[];
      };
    };
  };
  /** Creates an API key. Only this response contains its secret. A key can grant no more scopes than it has itself. */
  createApiKey: {
    body: {
      name: string;
      scopes: ('rooms:read' | 'rooms:write' | 'recordings:read' | 'recordings:write' | 'videos:read' | 'videos:write' | 'billing:read' | 'ai:use' | 'events:read' | 'webhooks:manage' | 'keys:manage')[];
      expiresAt?: string | null;
    };
    answer: {
      success: true;
      message?: string;
      data: {
        keyId: string;
        name: string;
        prefix: string;
        scopes: string[];
        expiresAt: string | null;
        lastUsedAt: string | null;
        previousSecretExpiresAt: string | null;
        createdAt: string;
        secret: string;
      };
    };
  };
  /** Revokes an API key with all its secrets immediately. */
  revokeApiKey: { params: { keyId: string }; answer: { success: true; message?: string; data: { keyId: string; revokedAt: string } } };
  /** Creates a new secret for an API key. The earlier secrets stay valid for a limited time. */
  rotateApiKey: {
    params: { keyId: string };
    body?: { graceSeconds?: number | null };
    answer: {
      success: true;
      message?: string;
      data: {
        keyId: string;
        name: string;
        prefix: string;
        scopes: string[];
        expiresAt: string | null;
        lastUsedAt: string | null;
        previousSecretExpiresAt: string | null;
        createdAt: string;
        secret: string;
      };
    };
  };
  /** Returns the remaining credits (prepaid) or the credits used in this cycle (postpaid). */
  getBalance: {
    answer: {
      success: true;
      message?: string;
      data: {
        type: 'PREPAID';
        status: 'ACTIVE' | 'OVERCONSUMED';
        remainingCredits: number;
        displayCredits: number;
        isOverconsumed: boolean;
        creditRate: number;
        estimatedValue: number;
        currency: string;
        message: string;
      } | {
        type: 'POSTPAID';
        status: 'CONSUMED';
        billingFrequency: 'WEEKLY' | 'MONTHLY';
        cycleStartDate: string;
        creditsConsumed: number;
        creditsThisCycle: number;
        creditRate: number;
        estimatedCost: number;
        currency: string;
        classroomsThisCycle: number;
        message: string;
      };
    };
  };
  /** Returns the organization’s videos, newest first. */
  listVideos: {
    query?: { cursor?: string; limit?: number };
    answer: {
      success: true;
      message?: string;
      data: {
        videos: {
          videoId: string;
          title: string;
          fileName: string;
          size: number;
          status: 'pending' | 'processing' | 'completed' | 'failed';
          progress: number;
          type: 'hls' | 'mp4' | null;
          duration: number | null;
          createdAt: string;
          message?: string;
        }[];
        nextCursor: string | null;
      };
    };
  };
  /** Creates a video and returns its upload URL. */
  createVideo: {
    body: { title: string; fileName: string; size: number; contentType: string; playback?: 'hls' | 'mp4' | null };
    answer: {
      success: true;
      message?: string;
      data: { videoId: string; upload: { protocol: 'tus'; url: string; expiresAt: string } };
    };
  };
  /** Deletes a video with all its files and stops its upload or transcoding. */
  deleteVideo: {
    params: { videoId: string };
    answer: { success: true; message?: string; data: { videoId: string; deletedAt: string } };
  };
  /** Attaches a WebVTT track. A track of the same language is replaced. A video has at most 100 tracks. */
  addCaption: {
    params: { videoId: string };
    body: { language: string; label: string; isDefault?: boolean | null; content: string };
    answer: {
      success: true;
      message?: string;
      data: { videoId: string; captions: { language: string; label: string; isDefault: boolean }[] };
    };
  };
  /** Returns the status and the transcoding progress of a video. */
  getVideoStatus: {
    params: { videoId: string };
    answer: {
      success: true;
      message?: string;
      data: {
        videoId: string;
        status: 'pending' | 'processing' | 'completed' | 'failed';
        progress: number;
        createdAt: string;
        message?: string;
      };
    };
  };
  /** Returns signed playback and poster URLs, valid for one hour. */
  getVideoUrl: {
    params: { videoId: string };
    answer: {
      success: true;
      message?: string;
      data: {
        type: 'hls' | 'mp4' | null;
        url: string | null;
        posterUrl: string | null;
        status: 'pending' | 'processing' | 'completed' | 'failed';
        message?: string;
      };
    };
  };
  /** Returns the events of an organization in the last 30 days, in order and without gaps. */
  listEvents: {
    query?: { after?: string; types?: string; limit?: number };
    answer: {
      success: true;
      message?: string;
      data: {
        events: {
          id: string;
          type: 'room.created' | 'room.started' | 'room.finished' | 'participant.joined' | 'participant.left' | 'participant.removed' | 'recording.started' | 'recording.completed' | 'recording.failed' | 'recording.deleted' | 'credits.low' | 'credits.overconsumed' | 'video.completed' | 'video.failed' | 'webhook.endpoint_disabled';
          timestamp: string;
          sequence: number;
          data: Record<string, unknown>;
        }[];
        nextCursor: string;
        hasMore: boolean;
        earliestSequence: number | null;
      };
    };
  };
  /** Returns whether the service and its dependencies work. */
  getHealth: {
    answer: {
      success: true;
      message: string;
      data: { status: 'healthy' | 'degraded' | 'unhealthy'; healthy: boolean; timestamp: string; version?: string };
    };
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
    };
    answer: {
      success: true;
      message?: string;
      data: {
        participant: { uid: string; name: string | null; role: string | null };
        roomGroups: {
          roomId: string;
          roomTitle: string;
          sessions: {
            joinedAt: string;
            leftAt: string | null;
            duration: number;
            creditsConsumed: number;
            ipAddress?: string;
            isActive: boolean;
          }[];
          totalDuration: number;
          totalCredits: number;
          averageDuration: number;
          sessionCount: number;
        }[];
        summary: {
          totalSessions: number;
          totalDuration: number;
          totalCredits: number;
          averageDuration: number;
          roomsAttended: number;
          dateRange: { from: string; to: string };
        };
        pagination: { page: number; limit: number; totalRooms: number; hasMore: boolean };
      } | {
        participant: { uid: string; name: string | null; role: string | null };
        room: {
          roomId: string;
          roomTitle: string | null;
          totalDuration: number;
          totalCredits: number;
          averageDuration: number;
        };
        sessions: {
          joinedAt: string;
          leftAt: string | null;
          duration: number;
          creditsConsumed: number;
          ipAddress?: string;
          isActive: boolean;
        }[];
        summary: {
          totalSessions: number;
          totalDuration: number;
          totalCredits: number;
          averageDuration: number;
          roomsAttended: number;
          dateRange: { from: string; to: string };
        };
        pagination: { page: number; limit: number; total: number; hasMore: boolean };
      };
    };
  };
  /** Ends the class and disconnects everyone. The roomId cannot be used again. */
  deleteRoom: {
    params: { roomId: string };
    answer: {
      success: true;
      message?: string;
      data: { roomId: string; participantsDisconnected: number; wasRecording: boolean; endedAt: string };
    };
  };
  /** Changes title, description or limits of a room, before or during the class. */
  changeRoom: {
    params: { roomId: string };
    body: {
      title?: string | null;
      roomDescription?: string | null;
      settings?: { maxParticipants?: number | null; emptyTimeout?: number | null } | null;
    };
    answer: {
      success: true;
      message?: string;
      data: { title: string; roomDescription: string | null; maxParticipants: number; emptyTimeout: number };
    };
  };
  /** Returns for everyone who was in a class the first join, the last leave, the total time and the share of the class. */
  getAttendance: {
    params: { roomId: string };
    query?: { export?: 'csv' | 'json' };
    answer: {
      success: true;
      message?: string;
      data: {
        roomId: string;
        roomTitle: string;
        status: 'live' | 'finished';
        state?: 'created' | 'live' | 'finished';
        startedAt: string | null;
        endedAt: string | null;
        classDuration: number;
        totalParticipants: number;
        participants: {
          uid: string;
          name: string;
          role: string;
          firstJoinedAt: string;
          lastLeftAt: string | null;
          duration: number;
          percentOfClass: number;
          sessionCount: number;
          isPresent: boolean;
        }[];
      };
    };
  };
  /** Gives the tutor of a room its topic and class notes. */
  setRoomContext: {
    params: { roomId: string };
    body: { topic?: string | null; notes?: string | null };
    answer: {
      success: true;
      message?: string;
      data: { roomId: string; topic: string | null; notes: string | null; updatedAt: string };
    };
  };
  /** Returns a token and a link for a participant of a room. */
  joinRoom: {
    params: { roomId: string };
    body: {
      participant: { uid: string; name: string; role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN'; photoURL?: string | null };
    };
    answer: { success: true; message?: string; data: { token: string; iframeUrl: string; expiresAt: string } };
  };
  /** Returns everyone for whom a token was created, and whether they are connected now. Also works after the class. */
  listParticipants: {
    params: { roomId: string };
    query?: { connected?: 'true' | 'false'; cursor?: string; limit?: number };
    answer: {
      success: true;
      message?: string;
      data: {
        participants: {
          uid: string;
          name: string;
          role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN';
          photoURL: string | null;
          isConnected: boolean;
          joinedAt: string | null;
          leftAt: string | null;
          removedAt: string | null;
        }[];
        nextCursor: string | null;
      };
    };
  };
  /** Returns one participant of a room, and whether they are connected now. Also works after the class. */
  getParticipant: {
    params: { roomId: string; uid: string };
    answer: {
      success: true;
      message?: string;
      data: {
        uid: string;
        name: string;
        role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN';
        photoURL: string | null;
        isConnected: boolean;
        joinedAt: string | null;
        leftAt: string | null;
        removedAt: string | null;
      };
    };
  };
  /** Changes the role of a participant immediately. The new role overrides the one in their token. */
  changeParticipantRole: {
    params: { roomId: string; uid: string };
    body: { role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN' };
    answer: { success: true; message?: string; data: { uid: string; role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN' } };
  };
  /** Mutes a track of a participant. Only the participant can unmute it. */
  muteRoomParticipant: {
    params: { roomId: string; uid: string };
    body?: { source?: 'microphone' | 'camera' | 'screen' | null };
    answer: {
      success: true;
      message?: string;
      data: { uid: string; source: 'microphone' | 'camera' | 'screen'; wasPublishing: boolean };
    };
  };
  /** Disconnects a participant and revokes their tokens. A token created later admits them again. */
  removeRoomParticipant: {
    params: { roomId: string; uid: string };
    answer: { success: true; message?: string; data: { uid: string; wasConnected: boolean } };
  };
  /** Returns the polls of a room with their votes, also after the class. */
  listRoomPolls: {
    params: { roomId: string };
    answer: {
      success: true;
      message?: string;
      data: {
        pollId: string;
        question: string;
        options: { text: string; votes: number }[];
        status: 'open' | 'closed';
        totalVotes: number;
        createdBy: { uid: string; name: string };
        createdAt: string;
        closedAt: string | null;
        votes: { uid: string; name: string; option: number; votedAt: string }[];
      }[];
    };
  };
  /** Starts the recording of a live room. */
  startRecording: {
    params: { roomId: string };
    body?: {
      options?: {
        showLogo?: boolean | null;
        layout?: 'grid' | 'speaker' | null;
        preset?: 'H264_720P_30' | 'H264_1080P_30' | null;
      } | null;
    };
    answer: { success: true; message?: string; data: { egressId: string; roomId: string; status: string; startedAt: string } };
  };
  /** Stops the recording of a room. Its file is then finalized. */
  stopRecording: {
    params: { roomId: string };
    body?: { egressId?: string | null };
    answer: { success: true; message?: string; data: { egressId: string; status: string; duration: number } };
  };
  /** Returns the past and current recordings of a room. */
  listRecordings: {
    params: { roomId: string };
    answer: {
      success: true;
      message?: string;
      data: {
        recordingId: string;
        roomId: string;
        status: 'STARTING' | 'ACTIVE' | 'ENDING' | 'COMPLETED' | 'FAILED' | 'ABORTED';
        startedAt: string;
        endedAt: string | null;
        duration: number;
      }[];
    };
  };
  /** Creates a video from a finished recording. Publishing the same recording again returns the same video. */
  publishRecording: {
    params: { roomId: string; recordingId: string };
    answer: {
      success: true;
      message?: string;
      data: {
        videoId: string;
        status: 'pending' | 'processing' | 'completed' | 'failed';
        progress: number;
        createdAt: string;
        message?: string;
      };
    };
  };
  /** Returns download links for the recordings of a class that has ended. */
  downloadRecordings: {
    params: { roomId: string };
    answer: {
      success: true;
      message?: string;
      data: {
        roomId: string;
        files: {
          recordingId: string;
          filename: string;
          downloadUrl: string;
          urlExpiresAt: string;
          size: number;
          duration: number;
          startedAt: string;
          endedAt: string;
        }[];
        expiresIn: string;
        availableUntil: string;
      };
    };
  };
  /** Returns whether a room exists and is live, and how many participants are connected. */
  getRoomStatus: {
    params: { roomId: string };
    answer: {
      success: true;
      message?: string;
      data: {
        exists: true;
        isActive: boolean;
        roomId: string;
        title: string;
        participantCount: number;
        hasTeacher: boolean;
        isRecording: boolean;
        createdAt: string;
        startedAt: string | null;
      } | { exists: false; isActive: false; roomId: string };
    };
  };
  /** Returns the participants, the minutes and the credits of a class. */
  getRoomSummary: {
    params: { roomId: string };
    answer: {
      success: true;
      message?: string;
      data: {
        roomId: string;
        roomName: string;
        totalCredits: number;
        totalParticipants: number;
        avgStay: number;
        timestamps: { startedAt: string | null; endedAt: string | null };
        status: 'live' | 'finished';
      };
    };
  };
  /** Creates a room and returns the first participant’s token and link. */
  createRoom: {
    body: {
      roomId: string;
      title: string;
      participant: { uid: string; name: string; role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN'; photoURL?: string | null };
      roomDescription?: string | null;
      metadata?: Record<string, unknown> | null;
      customization?: { showLobby?: boolean | null; showVideoControls?: boolean | null; theme?: string | null } | null;
      settings?: { maxParticipants?: number | null; emptyTimeout?: number | null; autoRecord?: boolean | null } | null;
    };
    answer: {
      success: true;
      message?: string;
      data: { token: string; iframeUrl: string; expiresAt: string; room: { roomId: string; sid: string } };
    };
  };
  /** Returns the organization’s rooms, newest first. Filters: status, date of creation, title. */
  listRooms: {
    query?: {
      status?: 'created' | 'live' | 'finished';
      startDate?: string;
      endDate?: string;
      title?: string;
      cursor?: string;
      limit?: number;
    };
    answer: {
      success: true;
      message?: string;
      data: {
        rooms: {
          roomId: string;
          sid: string;
          title: string;
          status: 'created' | 'live' | 'finished';
          participantCount: number;
          hasTeacher: boolean;
          isRecording: boolean;
          createdAt: string;
          startedAt: string | null;
          endedAt: string | null;
        }[];
        nextCursor: string | null;
      };
    };
  };
  /** Returns the organization’s webhook endpoints, oldest first. */
  listWebhookEndpoints: {
    answer: {
      success: true;
      message?: string;
      data: {
        endpoints: {
          endpointId: string;
          url: string;
          eventTypes: string[];
          description: string;
          isEnabled: boolean;
          disabledReason: 'requested' | 'gone' | 'failing' | null;
          disabledAt: string | null;
          failingSince: string | null;
          createdAt: string;
          updatedAt: string;
        }[];
      };
    };
  };
  /** Registers a URL for webhooks. Only this response contains the secret that signs them. */
  createWebhookEndpoint: {
    body: {
      url: string;
      eventTypes?: ('room.created' | 'room.started' | 'room.finished' | 'participant.joined' | 'participant.left' | 'participant.removed' | 'recording.started' | 'recording.completed' | 'recording.failed' | 'recording.deleted' | 'credits.low' | 'credits.overconsumed' | 'video.completed' | 'video.failed' | 'webhook.endpoint_disabled')[] | null;
      description?: string | null;
    };
    answer: {
      success: true;
      message?: string;
      data: {
        endpointId: string;
        url: string;
        eventTypes: string[];
        description: string;
        isEnabled: boolean;
        disabledReason: 'requested' | 'gone' | 'failing' | null;
        disabledAt: string | null;
        failingSince: string | null;
        createdAt: string;
        updatedAt: string;
        secret: string;
        previousSecretExpiresAt: string | null;
      };
    };
  };
  /** Deletes a webhook endpoint with its deliveries. */
  deleteWebhookEndpoint: {
    params: { endpointId: string };
    answer: { success: true; message?: string; data: { endpointId: string; deletedAt: string } };
  };
  /** Returns a webhook endpoint. */
  getWebhookEndpoint: {
    params: { endpointId: string };
    answer: {
      success: true;
      message?: string;
      data: {
        endpointId: string;
        url: string;
        eventTypes: string[];
        description: string;
        isEnabled: boolean;
        disabledReason: 'requested' | 'gone' | 'failing' | null;
        disabledAt: string | null;
        failingSince: string | null;
        createdAt: string;
        updatedAt: string;
      };
    };
  };
  /** Changes, disables or enables a webhook endpoint. Omitted fields stay as they are. */
  updateWebhookEndpoint: {
    params: { endpointId: string };
    body: {
      url?: string | null;
      eventTypes?: ('room.created' | 'room.started' | 'room.finished' | 'participant.joined' | 'participant.left' | 'participant.removed' | 'recording.started' | 'recording.completed' | 'recording.failed' | 'recording.deleted' | 'credits.low' | 'credits.overconsumed' | 'video.completed' | 'video.failed' | 'webhook.endpoint_disabled')[] | null;
      description?: string | null;
      isEnabled?: boolean | null;
    };
    answer: {
      success: true;
      message?: string;
      data: {
        endpointId: string;
        url: string;
        eventTypes: string[];
        description: string;
        isEnabled: boolean;
        disabledReason: 'requested' | 'gone' | 'failing' | null;
        disabledAt: string | null;
        failingSince: string | null;
        createdAt: string;
        updatedAt: string;
      };
    };
  };
  /** Returns the deliveries to an endpoint in the last 30 days, newest first. */
  listWebhookDeliveries: {
    params: { endpointId: string };
    query?: { status?: 'pending' | 'delivered' | 'failed'; cursor?: string; limit?: number };
    answer: {
      success: true;
      message?: string;
      data: {
        deliveries: ({
          deliveryId: string;
          eventId: string;
          type: string;
          status: 'pending' | 'delivered' | 'failed';
          attempts: number;
          nextAttemptAt: string | null;
          createdAt: string;
          lastAttempt: {
            at: string;
            statusCode: number | null;
            error: string | null;
            durationMs: number;
            responseBody: string | null;
          } | null;
        })[];
        nextCursor: string | null;
      };
    };
  };
  /** Returns a delivery with the request body. */
  getWebhookDelivery: {
    params: { endpointId: string; deliveryId: string };
    answer: {
      success: true;
      message?: string;
      data: {
        deliveryId: string;
        eventId: string;
        type: string;
        status: 'pending' | 'delivered' | 'failed';
        attempts: number;
        nextAttemptAt: string | null;
        createdAt: string;
        lastAttempt: { at: string; statusCode: number | null; error: string | null; durationMs: number; responseBody: string | null } | null;
        payload: string;
      };
    };
  };
  /** Sends a delivery again, whether it had succeeded or failed. */
  replayWebhookDelivery: {
    params: { endpointId: string; deliveryId: string };
    answer: {
      success: true;
      message?: string;
      data: {
        deliveryId: string;
        eventId: string;
        type: string;
        status: 'pending' | 'delivered' | 'failed';
        attempts: number;
        nextAttemptAt: string | null;
        createdAt: string;
        lastAttempt: { at: string; statusCode: number | null; error: string | null; durationMs: number; responseBody: string | null } | null;
      };
    };
  };
  /** Sends failed or missed deliveries of an endpoint again, up to 10,000 per call. */
  replayWebhooks: {
    params: { endpointId: string };
    body: {
      since: string;
      until?: string | null;
      types?: ('room.created' | 'room.started' | 'room.finished' | 'participant.joined' | 'participant.left' | 'participant.removed' | 'recording.started' | 'recording.completed' | 'recording.failed' | 'recording.deleted' | 'credits.low' | 'credits.overconsumed' | 'video.completed' | 'video.failed' | 'webhook.endpoint_disabled')[] | null;
      status?: 'failed' | 'missed' | null;
    };
    answer: { success: true; message?: string; data: { queued: number; hasMore: boolean } };
  };
  /** Creates a new signing secret. The previous secret also signs for 24 hours. */
  rotateWebhookSecret: {
    params: { endpointId: string };
    answer: {
      success: true;
      message?: string;
      data: {
        endpointId: string;
        url: string;
        eventTypes: string[];
        description: string;
        isEnabled: boolean;
        disabledReason: 'requested' | 'gone' | 'failing' | null;
        disabledAt: string | null;
        failingSince: string | null;
        createdAt: string;
        updatedAt: string;
        secret: string;
        previousSecretExpiresAt: string | null;
      };
    };
  };
  /** Sends a ping event to a webhook endpoint. */
  testWebhookEndpoint: {
    params: { endpointId: string };
    answer: {
      success: true;
      message?: string;
      data: {
        deliveryId: string;
        eventId: string;
        type: string;
        status: 'pending' | 'delivered' | 'failed';
        attempts: number;
        nextAttemptAt: string | null;
        createdAt: string;
        lastAttempt: { at: string; statusCode: number | null; error: string | null; durationMs: number; responseBody: string | null } | null;
      };
    };
  };
}

/** The data of every event, by its type. */
export interface EventData {
  'room.created': { roomId: string; sid: string; title: string; createdAt: string };
  'room.started': { roomId: string; sid: string; title: string; startedAt: string };
  'room.finished': {
    roomId: string;
    sid: string;
    title: string;
    startedAt: string | null;
    endedAt: string;
    reason: string;
    totalSeconds: number;
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
  'participant.removed': { roomId: string; sid: string; uid: string; removedBy: string | null; removedAt: string };
  'recording.started': {
    roomId: string;
    sid: string;
    recordingId: string;
    egressId: string;
    status: string;
    startedAt: string;
    endedAt: string | null;
    duration: number | null;
    reason: string | null;
  };
  'recording.completed': {
    roomId: string;
    sid: string;
    recordingId: string;
    egressId: string;
    status: string;
    startedAt: string;
    endedAt: string | null;
    duration: number | null;
    reason: string | null;
  };
  'recording.failed': {
    roomId: string;
    sid: string;
    recordingId: string;
    egressId: string;
    status: string;
    startedAt: string;
    endedAt: string | null;
    duration: number | null;
    reason: string | null;
  };
  'recording.deleted': {
    roomId: string;
    sid: string;
    recordingId: string;
    egressId: string;
    status: string;
    startedAt: string;
    endedAt: string | null;
    duration: number | null;
    reason: string | null;
  };
  'credits.low': { remainingCredits: number; threshold: number };
  'credits.overconsumed': { remainingCredits: number };
  'video.completed': { videoId: string; title: string; duration: number | null };
  'video.failed': { videoId: string; title: string; message: string | null };
  'webhook.endpoint_disabled': { endpointId: string; reason: 'gone' | 'failing'; disabledAt: string };
}

/** What `code` of an error may be. */
export type ErrorCode =
  | 'AI_UNAVAILABLE'
  | 'ALREADY_VOTED'
  | 'API_KEY_NOT_FOUND'
  | 'CHAT_BUSY'
  | 'FORBIDDEN'
  | 'IDEMPOTENCY_CONFLICT'
  | 'INSUFFICIENT_CREDITS'
  | 'INTERNAL_ERROR'
  | 'NO_ACTIVE_RECORDING'
  | 'ORGANIZATION_NOT_FOUND'
  | 'ORGANIZATION_SETUP_INCOMPLETE'
  | 'PARTICIPANT_NOT_FOUND'
  | 'PAYLOAD_TOO_LARGE'
  | 'POLL_CLOSED'
  | 'POLL_NOT_FOUND'
  | 'QUESTION_NOT_FOUND'
  | 'RATE_LIMITED'
  | 'RECORDER_BUSY'
  | 'RECORDING_EXPIRED'
  | 'RECORDING_IN_PROGRESS'
  | 'RECORDING_NOT_FOUND'
  | 'ROOM_ENDED'
  | 'ROOM_FULL'
  | 'ROOM_ID_ALREADY_USED'
  | 'ROOM_NOT_FOUND'
  | 'ROOM_NOT_LIVE'
  | 'SERVICE_UNAVAILABLE'
  | 'TOO_MANY_API_KEYS'
  | 'TOO_MANY_API_KEY_SECRETS'
  | 'TOO_MANY_POLLS'
  | 'TOO_MANY_WEBHOOK_ENDPOINTS'
  | 'UNAUTHORIZED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_FAILED'
  | 'VIDEO_NOT_FOUND'
  | 'WEBHOOK_DELIVERY_NOT_FOUND'
  | 'WEBHOOK_ENDPOINT_DISABLED'
  | 'WEBHOOK_ENDPOINT_NOT_FOUND';
