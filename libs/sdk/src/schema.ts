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
  /** Say something to the agent and get the whole answer */
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
  /** Say something to the agent and get the answer as it comes, a line of JSON each */
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
  /** What agent and tutor used, in tokens and cost */
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
  /** The voices that voiceName may name */
  listVoices: {
    answer: { success: true; message?: string; data: { voices: { voiceName: string; language: string; isDefault: boolean }[] } };
  };
  /** A student’s question to the tutor of a room */
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
  /** The same, as server-sent events */
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
  /** What a class asked its tutor */
  tutorSummary: {
    params: { roomId: string };
    answer: { summary: string; topQueries: { question: string; answer: string; frequency: number }[]; success: true };
  };
  /** The tokens a class’s tutor used */
  tutorUsage: { params: { roomId: string }; answer: { success: true; usage: { inputTokens: number; outputTokens: number } } };
  /** What each student’s questions cost in a room, by uid */
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
  /** All of an organization’s API keys, oldest first */
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
  /** Make an API key; the answer alone shows its secret. A key gives no more than it may itself */
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
  /** End an API key at once, with all its secrets */
  revokeApiKey: { params: { keyId: string }; answer: { success: true; message?: string; data: { keyId: string; revokedAt: string } } };
  /** Make a new secret for an API key; those before it go on for a while */
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
  /** What is left (prepaid) or used in this cycle (postpaid) */
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
  /** An organization’s videos, newest first */
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
  /** Announce a video and get where to upload it */
  createVideo: {
    body: { title: string; fileName: string; size: number; contentType: string; playback?: 'hls' | 'mp4' | null };
    answer: {
      success: true;
      message?: string;
      data: { videoId: string; upload: { protocol: 'tus'; url: string; expiresAt: string } };
    };
  };
  /** Delete a video with everything of it; what is under way is stopped */
  deleteVideo: {
    params: { videoId: string };
    answer: { success: true; message?: string; data: { videoId: string; deletedAt: string } };
  };
  /** Attach a WebVTT track; the same language again replaces it; at most 100 tracks */
  addCaption: {
    params: { videoId: string };
    body: { language: string; label: string; isDefault?: boolean | null; content: string };
    answer: {
      success: true;
      message?: string;
      data: { videoId: string; captions: { language: string; label: string; isDefault: boolean }[] };
    };
  };
  /** How far a video’s transcoding is */
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
  /** Signed playback and poster URLs, valid for an hour */
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
  /** What happened to an organization in the last 30 days, in order and without a gap */
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
  /** Whether the service can be used */
  getHealth: {
    answer: {
      success: true;
      message: string;
      data: { status: 'healthy' | 'degraded' | 'unhealthy'; healthy: boolean; timestamp: string; version?: string };
    };
  };
  /** When a participant was in which class, as JSON or CSV */
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
  /** End a class: everyone is disconnected and the roomId is used up */
  deleteRoom: {
    params: { roomId: string };
    answer: {
      success: true;
      message?: string;
      data: { roomId: string; participantsDisconnected: number; wasRecording: boolean; endedAt: string };
    };
  };
  /** Change a room’s title, description or limits, before or during the class */
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
  /** Everyone who was in a class: first join, last leave, total, share of the class */
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
  /** Tell the tutor of a room its topic and class notes */
  setRoomContext: {
    params: { roomId: string };
    body: { topic?: string | null; notes?: string | null };
    answer: {
      success: true;
      message?: string;
      data: { roomId: string; topic: string | null; notes: string | null; updatedAt: string };
    };
  };
  /** Get a participant’s token for a room */
  joinRoom: {
    params: { roomId: string };
    body: {
      participant: { uid: string; name: string; role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN'; photoURL?: string | null };
    };
    answer: { success: true; message?: string; data: { token: string; iframeUrl: string; expiresAt: string } };
  };
  /** Everyone a token was made for, with who is connected now; also after the class */
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
  /** One person of a room, and whether they are connected now; also after the class */
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
  /** Give a participant another role, at once, whatever their token says */
  changeParticipantRole: {
    params: { roomId: string; uid: string };
    body: { role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN' };
    answer: { success: true; message?: string; data: { uid: string; role: 'TEACHER' | 'STUDENT' | 'MODERATOR' | 'ADMIN' } };
  };
  /** Mute what a participant publishes; only they can turn it on again */
  muteRoomParticipant: {
    params: { roomId: string; uid: string };
    body?: { source?: 'microphone' | 'camera' | 'screen' | null };
    answer: {
      success: true;
      message?: string;
      data: { uid: string; source: 'microphone' | 'camera' | 'screen'; wasPublishing: boolean };
    };
  };
  /** Put a participant out; a new token lets them in again, no older one does */
  removeRoomParticipant: {
    params: { roomId: string; uid: string };
    answer: { success: true; message?: string; data: { uid: string; wasConnected: boolean } };
  };
  /** A room’s polls with their votes, also after the class */
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
  /** Record a live room */
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
  /** Stop a room’s recording and have its file made */
  stopRecording: {
    params: { roomId: string };
    body?: { egressId?: string | null };
    answer: { success: true; message?: string; data: { egressId: string; status: string; duration: number } };
  };
  /** A room’s recordings, past and current */
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
  /** Make a finished recording a video; the same recording again answers the same video */
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
  /** Download links of a class that has ended */
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
  /** Whether a room exists, is live, and who is there */
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
  /** What a class came to: people, minutes, credits */
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
  /** Create a room and get the first participant’s token */
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
  /** An organization’s rooms, newest first, by status, date of creation and title */
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
  /** All of an organization’s webhook endpoints, oldest first */
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
  /** Register an address for webhooks; the answer alone shows the secret that signs them */
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
  /** Delete a webhook endpoint with its deliveries */
  deleteWebhookEndpoint: {
    params: { endpointId: string };
    answer: { success: true; message?: string; data: { endpointId: string; deletedAt: string } };
  };
  /** Read a webhook endpoint */
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
  /** Change a webhook endpoint, turn it off or on again; what is left out stays */
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
  /** What was sent to an endpoint in the last 30 days, newest first */
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
  /** Read a delivery with the body that is sent */
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
  /** Send a delivery again, whatever became of it */
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
  /** Send again what an endpoint failed to take, or missed; up to 10,000 a call */
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
  /** Make a new secret; for 24 hours the one before signs as well */
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
  /** Send a ping to a webhook endpoint */
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
